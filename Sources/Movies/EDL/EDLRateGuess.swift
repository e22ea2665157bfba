import Playback

/// The frame rate of an edit decision list that does not state one, guessed from the frame numbers in its timecodes.
struct EDLRateGuess: Hashable, Sendable {
  /// The lowest usual rate that has all of the frame numbers.
  let rate: Ratio
  private let numbers: Set<Int>

  init(_ numbers: Set<Int>) {
    self.numbers = numbers
    let most = numbers.max() ?? 0
    rate = Ratio(Int32(Self.usual.first { $0 > most } ?? most + 1), 1)
  }

  private static let usual = [24, 25, 30, 50, 60, 100, 120, 240]

  /// Returns the rate on which clips of these rates agree: their own, or half of it where the frame numbers say so; nil if
  /// there is none that has all of the frame numbers.
  func rate(agreedBy clips: [Ratio]) -> Ratio? {
    guard let first = clips.first else { return nil }
    let agreed = [first, first.half].compactMap { $0 }.filter { rate in
      hasAll(rate) && clips.allSatisfy { $0 == rate || $0.half == rate }
    }
    if agreed.count == 2, let half = Timecode.framesPerSecond(at: agreed[1]) {
      // Of a clip's many frame numbers, some lie in the upper half.
      return numbers.contains(half - 1) || numbers.count >= Self.many ? agreed[1] : agreed[0]
    }
    return agreed.first
  }

  /// The number of different frame numbers from which it is unlikely that all lie in the lower half by chance.
  private static let many = 8

  /// Returns the guessed rate or its NTSC variant, slower by a factor of 1000/1001, whichever the first clip has that has
  /// either, or twice either; nil if no clip decides.
  func rate(nearestTo clips: [Ratio]) -> Ratio? {
    let slower = Ratio(rate.numerator * 1000, 1001)
    for clip in clips {
      for candidate in [rate, slower] where clip == candidate || clip.half == candidate { return candidate }
    }
    return nil
  }

  /// Returns the remark on the rate that is assumed, and why.
  ///
  /// - Parameters:
  ///   - assumed: this guess, or a rate derived from it.
  ///   - clips: the rates of the clips, each once; empty if unknown.
  func remark(assuming assumed: Ratio, clips: [Ratio]) -> String {
    let words = "the list does not state its frame rate; assuming \(TimeText.text(assumed)) fps"
    if clips.isEmpty { return words }
    if rate(agreedBy: clips) == assumed { return "\(words), \(clips.contains(assumed) ? "" : "half ")the rate of its clips" }
    let own = "its clips have \(clips.map { TimeText.text($0) }.joined(separator: ", ")) fps"
    return "\(words) because its highest frame number is \(numbers.max() ?? 0); \(own)"
  }

  private func hasAll(_ rate: Ratio) -> Bool {
    Timecode.framesPerSecond(at: rate).map { (numbers.max() ?? 0) < $0 } ?? false
  }
}

extension Ratio {
  /// Half of a frame rate; nil if that is not a usual one.
  fileprivate var half: Ratio? {
    guard numerator.isMultiple(of: 2), value >= 40 else { return nil }
    return Ratio(numerator / 2, denominator)
  }
}
