/// The volume of a piece's samples: its track's volume, times that of transitions and fades.
struct SoundGain: Hashable, Sendable {
  /// A change of the volume, in samples of the composition.
  private struct Ramp: Hashable {
    var start, length: Double
    var from, to: Float
  }

  /// A rise from 0 to 1 or a fall from 1 to 0; outside its range it changes nothing.
  private struct Fade: Hashable {
    var start, end: Double
    var rises: Bool
    var course: AudioCrossfade

    func factor(at place: Double) -> Float {
      guard place >= start, place < end else { return 1 }
      let share = (place - start) / (end - start)
      return Float(course.volume(rises ? share : 1 - share))
    }
  }

  private let rate: Double
  private var ramps: [Ramp]
  /// In the order of their starts.
  private var fades: [Fade] = []
  /// The latest end of each fade and those before it.
  private var reaches: [Double] = []

  init(_ volume: AudioVolume, rate: Int) {
    let rate = Double(rate)
    self.rate = rate
    ramps = volume.ramps.map { ramp in
      Ramp(
        start: ramp.timeRange.start.seconds * rate, length: ramp.timeRange.duration.seconds * rate, from: ramp.startVolume,
        to: ramp.endVolume)
    }
  }

  /// Adds a rise or a fall that starts no earlier than those added before; an empty range is ignored.
  mutating func fade(in range: TimeRange, rises: Bool, _ course: AudioCrossfade) {
    guard !range.isEmpty else { return }
    let fade = Fade(start: range.start.seconds * rate, end: range.end.seconds * rate, rises: rises, course: course)
    fades.append(fade)
    reaches.append(max(reaches.last ?? fade.end, fade.end))
  }

  /// Returns the fades that change samples from one place to another; there may be thousands elsewhere.
  private func fades(from first: Double, through last: Double) -> some Sequence<Fade> {
    let end = fades.partitioningIndex { $0.start > last }
    let start = (0..<end).reversed().first { reaches[$0] <= first }.map { $0 + 1 } ?? 0
    return fades[start..<end].lazy.filter { $0.end > first }
  }

  /// Returns the factor for all samples of a range if it is the same; else nil.
  func constant(in range: Range<Int64>) -> Float? {
    let (first, last) = (Double(range.lowerBound), Double(range.upperBound - 1))
    guard fades(from: first, through: last).first(where: { _ in true }) == nil else { return nil }
    let number = ramps.partitioningIndex { $0.start > first }
    guard ramps.partitioningIndex(where: { $0.start > last }) == number else { return nil }
    guard number > 0 else { return 1 }
    let ramp = ramps[number - 1]
    return ramp.from == ramp.to || first >= ramp.start + ramp.length ? ramp.to : nil
  }

  /// Returns the factor of a sample.
  func value(at index: Int64) -> Float {
    let place = Double(index)
    let number = ramps.partitioningIndex { $0.start > place }
    var value: Float = 1
    if number > 0 {
      let ramp = ramps[number - 1]
      let share = ramp.length > 0 ? min(1, (place - ramp.start) / ramp.length) : 1
      value = ramp.from + Float(share) * (ramp.to - ramp.from)
    }
    for fade in fades(from: place, through: place) { value *= fade.factor(at: place) }
    return value
  }

  /// Returns true if nothing is heard in a range. False only means that something may be heard.
  func isSilent(in range: Range<Int64>) -> Bool {
    var start = range.lowerBound
    for ramp in ramps[ramps.partitioningIndex { $0.start > Double(range.lowerBound) }...] {
      guard ramp.start <= Double(range.upperBound - 1) else { break }
      let next = Int64(ramp.start.rounded(.up))
      if next > start, constant(in: start..<next) != 0 { return false }
      start = max(start, next)
    }
    return start >= range.upperBound || constant(in: start..<range.upperBound) == 0
  }

  /// Adds samples to others, with their volume.
  func mix(_ samples: ArraySlice<Float>, into output: inout [Float], from offset: Int, at index: Int64, channels: Int) {
    let count = samples.count / channels
    guard count > 0 else { return }
    let constant = constant(in: index..<index + Int64(count))
    if constant == 0 { return }
    samples.withUnsafeBufferPointer { samples in
      output.withUnsafeMutableBufferPointer { output in
        for sample in 0..<count {
          let factor = constant ?? value(at: index + Int64(sample))
          for channel in 0..<channels {
            output[offset + sample * channels + channel] += samples[sample * channels + channel] * factor
          }
        }
      }
    }
  }
}
