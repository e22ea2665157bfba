import Foundation

/// Which moment of a clip's noise was heard when, as found in a recording.
struct SoundTrace {
  /// A short stretch of the recording that was recognised.
  struct Match {
    /// The middle of the stretch: when it was heard, and its place in the clip, in seconds.
    var host: Double
    var media: Double
    /// Samples of the clip minus samples of the recording.
    var shift: Int
  }

  private(set) var matches: [Match] = []
  /// Stretches of silence of 4 ms or more between the first and the last sound: when, and how long, in seconds.
  private(set) var gaps: [(host: Double, length: Double)] = []
  /// Places where samples were left out or repeated, in seconds of the clip.
  private(set) var splices: [(host: Double, media: Double)] = []

  private static let rate = Double(SoundClips.rate)
  private static let shortestGap = 0.004

  /// - Parameters:
  ///   - speed: The speed of playing; other than 1, only pieces of the noise stay as they are.
  ///   - guess: The place in the clip that was heard about at a moment.
  init(_ recording: SoundRecording.Samples, of noise: [Float], speed: Double = 1, guess: (_ host: Double) -> Double?) {
    let samples = recording.values
    findGaps(recording)
    let length = speed == 1 ? 960 : 192, step = speed == 1 ? 960 : 480
    let near = speed == 1 ? 2 : 3000
    let start = samples.firstIndex { abs($0) > 0.01 } ?? samples.count
    var last: Int?
    for place in stride(from: start, to: samples.count - length, by: step) {
      let host = recording.host(place)
      var found: Int?
      if speed == 1, let last { found = Self.shift(samples, place, length, noise, around: last, reach: near) }
      if found == nil, let guess = guess(host) {
        found = Self.shift(
          samples, place, length, noise, around: Int(guess * Self.rate) - place, reach: speed == 1 ? Int(0.7 * Self.rate) : near)
      }
      guard let found else { continue }
      let middle = place + length / 2
      if speed == 1, let last, last != found {
        splices.append((host, Double(found - last) / Self.rate))
      }
      last = found
      matches.append(Match(host: recording.host(middle), media: Double(middle + found) / Self.rate, shift: found))
    }
  }

  /// Finds the shift at which a stretch of samples is part of the noise; nil if it is nowhere.
  private static func shift(
    _ samples: [Float], _ place: Int, _ length: Int, _ noise: [Float], around: Int, reach: Int
  ) -> Int? {
    samples.withUnsafeBufferPointer { samples in
      noise.withUnsafeBufferPointer { noise in
        var power: Float = 0
        for i in 0..<length { power += samples[place + i] * samples[place + i] }
        guard power / Float(length) > 1e-5 else { return nil }
        func likeness(_ shift: Int) -> Float {
          guard place + shift >= 0, place + shift + length <= noise.count else { return 0 }
          var (product, other): (Float, Float) = (0, 0)
          for i in 0..<length {
            let value = noise[place + shift + i]
            product += samples[place + i] * value
            other += value * value
          }
          return product / (power * other).squareRoot()
        }
        // Outwards from the middle: mostly it is there.
        for distance in 0...reach {
          for shift in distance == 0 ? [around] : [around - distance, around + distance] where likeness(shift) > 0.85 { return shift }
        }
        return nil
      }
    }
  }

  private mutating func findGaps(_ recording: SoundRecording.Samples) {
    let samples = recording.values, block = SoundClips.rate / 1000
    let levels = stride(from: 0, to: samples.count - block, by: block).map { place in
      samples[place..<place + block].reduce(0) { $0 + $1 * $1 } / Float(block)
    }
    guard let first = levels.firstIndex(where: { $0 > 1e-3 }), let last = levels.lastIndex(where: { $0 > 1e-3 }) else { return }
    let usual = median(levels[first...last].map(Double.init))
    var begin: Int?
    for index in first...last {
      if Double(levels[index]) < usual / 16 {
        begin = begin ?? index
      } else if let start = begin {
        let length = Double(index - start) / 1000
        if length >= Self.shortestGap { gaps.append((recording.host(start * block), length)) }
        begin = nil
      }
    }
  }

  /// Returns when a place of the clip was heard, near to a moment; nil if it was not.
  func host(ofMedia media: Double, near host: Double, speed: Double = 1) -> Double? {
    let close = matches.filter { abs($0.media - media) < 0.15 * speed && abs($0.host - host) < 1 }
    guard !close.isEmpty else { return nil }
    return median(close.map { $0.host + (media - $0.media) / speed })
  }
}
