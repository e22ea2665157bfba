import PlainText
import Playback

/// A timecode: the name of a frame as hours, minutes, seconds and frames (SMPTE ST 12).
///
/// Frames count at the whole number nearest to the rate: 24 a second at 23.976, 30 at 29.97. Drop-frame timecode skips
/// names, not frames, to keep 29.97 and 59.94 in step with the clock: 2 (or 4) names at the start of each minute except
/// every tenth.
public struct Timecode: Hashable, Sendable {
  /// 0 to 99.
  public let hours: Int
  /// 0 to 59.
  public let minutes: Int
  /// 0 to 59.
  public let seconds: Int
  /// From 0, below the number of frames counted in a second.
  public let frames: Int
  /// True for drop-frame timecode, which is written with a semicolon.
  public let isDropFrame: Bool

  /// Creates a timecode from its parts; nil if one is too large for any rate.
  public init?(hours: Int, minutes: Int, seconds: Int, frames: Int, isDropFrame: Bool = false) {
    guard (0...99).contains(hours), (0...59).contains(minutes), (0...59).contains(seconds), (0...999).contains(frames) else {
      return nil
    }
    self.hours = hours
    self.minutes = minutes
    self.seconds = seconds
    self.frames = frames
    self.isDropFrame = isDropFrame
  }

  /// Reads "01:00:03:05", or "01:00:03;05" for drop-frame; nil for anything else.
  public init?(_ text: String) {
    let fields = text.utf8.split(omittingEmptySubsequences: false) { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ";") }
    let numbers = fields.compactMap { field -> Int? in
      guard (1...3).contains(field.count), field.allSatisfy({ (48...57).contains($0) }) else { return nil }
      return field.reduce(0) { $0 * 10 + Int($1 - 48) }
    }
    guard fields.count == 4, numbers.count == 4 else { return nil }
    self.init(
      hours: numbers[0], minutes: numbers[1], seconds: numbers[2], frames: numbers[3],
      isDropFrame: text.utf8.contains(UInt8(ascii: ";")))
  }

  /// The number of frames counted in a second at a rate; nil for a rate that is not above 0.
  public static func framesPerSecond(at rate: Ratio) -> Int? {
    guard rate.isPositive else { return nil }
    let count = (Int64(rate.numerator) * 2 + Int64(rate.denominator)) / (Int64(rate.denominator) * 2)
    return (1...1000).contains(count) ? Int(count) : nil
  }

  /// The number of names dropped at the start of a minute; nil if the rate has no drop-frame timecode.
  private static func droppedNames(at rate: Ratio) -> Int64? {
    // 30000/1001 and 60000/1001, in any terms.
    guard let count = framesPerSecond(at: rate), count == 30 || count == 60,
      Int64(rate.numerator) * 1001 == Int64(rate.denominator) * Int64(count) * 1000
    else { return nil }
    return Int64(count / 15)
  }

  /// Returns true if drop-frame timecode exists at a rate: 30000/1001 or 60000/1001.
  public static func canDropFrames(at rate: Ratio) -> Bool { droppedNames(at: rate) != nil }

  /// The number of frames before this one; nil if the timecode is invalid at the rate.
  public func frameNumber(at rate: Ratio) -> Int64? {
    guard let perSecond = Timecode.framesPerSecond(at: rate).map(Int64.init), frames < perSecond else { return nil }
    let allMinutes = Int64(hours * 60 + minutes)
    let named = (allMinutes * 60 + Int64(seconds)) * perSecond + Int64(frames)
    guard isDropFrame else { return named }
    guard let dropped = Timecode.droppedNames(at: rate) else { return nil }
    if seconds == 0, Int64(frames) < dropped, !minutes.isMultiple(of: 10) { return nil }
    return named - dropped * (allMinutes - allMinutes / 10)
  }

  /// Creates the timecode of a frame number; nil beyond 100 hours, or for drop-frame at a rate that has none.
  public init?(frameNumber number: Int64, at rate: Ratio, isDropFrame: Bool = false) {
    guard let perSecond = Timecode.framesPerSecond(at: rate).map(Int64.init), number >= 0, number < 400_000 * perSecond else {
      return nil
    }
    var named = number
    if isDropFrame {
      guard let dropped = Timecode.droppedNames(at: rate) else { return nil }
      let minute = perSecond * 60 - dropped
      let tenMinutes = minute * 10 + dropped
      let (tens, rest) = number.quotientAndRemainder(dividingBy: tenMinutes)
      named += dropped * 9 * tens
      // The first of ten minutes drops nothing.
      if rest >= perSecond * 60 { named += dropped * ((rest - perSecond * 60) / minute + 1) }
    }
    let (allSeconds, frames) = named.quotientAndRemainder(dividingBy: perSecond)
    self.init(
      hours: Int(allSeconds / 3600), minutes: Int(allSeconds / 60 % 60), seconds: Int(allSeconds % 60), frames: Int(frames),
      isDropFrame: isDropFrame)
  }

  /// The exact time since 00:00:00:00 at a rate; nil if the timecode is invalid at the rate.
  public func time(at rate: Ratio) -> MediaTime? { frameNumber(at: rate).map { MediaTime(frames: $0, at: rate) } }

  /// Creates the timecode of the frame shown at a time after 00:00:00:00; nil as for a frame number.
  public init?(time: MediaTime, at rate: Ratio, isDropFrame: Bool = false) {
    guard rate.isPositive, let number = time.roundedFrames(at: rate, rounding: .towardNegativeInfinity) else { return nil }
    self.init(frameNumber: number, at: rate, isDropFrame: isDropFrame)
  }
}

extension Timecode {
  /// The position of a timecode when counted at another rate.
  struct Place {
    /// The number of frames before it.
    var number: Int64
    /// The fraction of a frame after that.
    var part: (numerator: Int64, denominator: Int64)

    var isExact: Bool { part.numerator == 0 }
    var nearest: Int64 { part.numerator * 2 >= part.denominator ? number + 1 : number }
  }

  /// The position of this timecode when counted at another rate: the same part of the same second.
  ///
  /// - Parameter dropsNames: true to count in drop-frame timecode, if the other rate has it.
  /// - Returns: nil if the timecode is invalid at its own rate.
  func place(of rate: Ratio, at other: Ratio, dropsNames: Bool) -> Place? {
    guard frameNumber(at: rate) != nil, let above = Self.framesPerSecond(at: other), let below = Self.framesPerSecond(at: rate)
    else { return nil }
    let (whole, rest) = (frames * above).quotientAndRemainder(dividingBy: below)
    let drops = dropsNames && Self.canDropFrames(at: other)
    func number(_ frames: Int) -> Int64? {
      Timecode(hours: hours, minutes: minutes, seconds: seconds, frames: frames, isDropFrame: drops)?.frameNumber(at: other)
    }
    if let number = number(whole) { return Place(number: number, part: (Int64(rest), Int64(below))) }
    // The name is dropped at the other rate: use the first that is not.
    return Self.droppedNames(at: other).flatMap { number(Int($0)) }.map { Place(number: $0, part: (0, 1)) }
  }
}

extension Timecode: CustomStringConvertible {
  /// "01:00:03:05", or "01:00:03;05" for drop-frame.
  public var description: String { text(separator: isDropFrame ? ";" : ":") }

  func text(separator: String) -> String {
    [hours, minutes, seconds].map { String($0, digits: 2) }.joined(separator: ":") + separator + String(frames, digits: 2)
  }
}
