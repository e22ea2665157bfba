/// The course of a whole clip's sound, in a limited number of parts of equal length.
public struct SoundOverview: Hashable, Sendable {
  /// The sound of a part.
  public struct Part: Hashable, Sendable {
    /// The peak value of all channels, 0…1.
    public var peak: Float
    /// The root mean square, 0…1.
    public var power: Float

    /// Creates a part, by default a silent one.
    public init(peak: Float = 0, power: Float = 0) { (self.peak, self.power) = (peak, power) }
  }

  /// The parts, from time zero on. As many as have been read; at most 4096.
  public private(set) var parts: [Part] = []
  /// The length of a part: 10 ms, or more in longer clips.
  public var partDuration: MediaTime { MediaTime(value: 1 << doublings, timescale: Int32(SoundLevel.perSecond)) }
  /// True if the clip has been read to its end.
  public internal(set) var isComplete = false
  /// The loudness of the clip in LUFS; nil if all of it is silent, or before it has been read to its end.
  public internal(set) var integratedLoudness: Double?

  /// The number of times that parts were made twice as long.
  private var doublings = 0
  /// The levels of the part being read.
  private var open = Pending()

  private struct Pending: Hashable {
    var count: Int64 = 0
    var squares = 0.0
    var peak: Float = 0
  }

  static let maxParts = 4096
  /// A thousand years are enough.
  private static let maxDoublings = 32

  init() {}

  /// The number of levels that parts were made of.
  private var levelCount: Int64 { Int64(parts.count) << doublings + open.count }

  /// Takes the next level.
  mutating func add(_ level: SoundLevel) {
    open.count += 1
    open.squares += Double(level.power * level.power)
    open.peak = max(open.peak, level.peak)
    if open.count == 1 << doublings { close() }
  }

  /// Adds silence up to a level.
  mutating func skip(to index: Int64) {
    while Int64(Self.maxParts) << doublings < index, doublings < Self.maxDoublings { halve() }
    var missing = index - levelCount
    while missing > 0 {
      let step = min(missing, 1 << doublings - open.count)
      open.count += step
      missing -= step
      if open.count == 1 << doublings { close() }
      if doublings == Self.maxDoublings, parts.count == Self.maxParts { return }
    }
  }

  /// Completes the last part.
  mutating func finish() {
    if open.count > 0 { close() }
    isComplete = true
  }

  private mutating func close() {
    guard parts.count < Self.maxParts || doublings < Self.maxDoublings else { return open = Pending() }
    parts.append(Part(peak: open.peak, power: Float((open.squares / Double(open.count)).squareRoot())))
    open = Pending()
    if parts.count > Self.maxParts { halve() }
  }

  /// Joins each two parts; what is left over is read on.
  private mutating func halve() {
    if parts.count % 2 == 1, let last = parts.popLast() {
      open.squares += Double(last.power * last.power) * Double(Int64(1) << doublings)
      open.peak = max(open.peak, last.peak)
      open.count += 1 << doublings
    }
    parts = stride(from: 0, to: parts.count, by: 2).map { index in
      let (a, b) = (parts[index], parts[index + 1])
      return Part(peak: max(a.peak, b.peak), power: ((a.power * a.power + b.power * b.power) / 2).squareRoot())
    }
    doublings += 1
  }

  /// Returns the sound of a range of time; nil where it has not been read.
  public func sound(in range: TimeRange) -> Part? {
    let length = partDuration.seconds
    let from = range.start.seconds / length, to = range.end.seconds / length
    guard from.isFinite, to.isFinite, from >= 0, from < Double(parts.count), to < Double(Int.max) else { return nil }
    let part = parts[Int(from)..<min(parts.count, max(Int(from) + 1, Int(to.rounded(.up))))]
    let squares = part.reduce(0) { $0 + $1.power * $1.power }
    return Part(peak: part.reduce(0) { max($0, $1.peak) }, power: (squares / Float(part.count)).squareRoot())
  }
}

// MARK: - On disk

extension SoundOverview {
  /// Changes with the format, and with how levels are computed.
  private static let version: UInt8 = 1

  /// The overview as bytes: two for each part, since more could not be seen.
  var encoded: [UInt8] {
    let centibels = integratedLoudness.map { Int16(min(max(($0 * 100).rounded(), -30_000), 30_000)) } ?? .min
    let bits = UInt16(bitPattern: centibels)
    return [Self.version, UInt8(doublings), UInt8(truncatingIfNeeded: bits), UInt8(truncatingIfNeeded: bits >> 8)]
      + parts.flatMap { [Self.byte($0.peak), Self.byte($0.power)] }
  }

  /// - Returns: nil for anything but the bytes of an overview.
  init?(decoding bytes: ArraySlice<UInt8>) {
    let bytes = Array(bytes)
    guard bytes.count >= 4, bytes.count % 2 == 0, bytes.count <= 4 + 2 * Self.maxParts, bytes[0] == Self.version,
      bytes[1] <= Self.maxDoublings else { return nil }
    doublings = Int(bytes[1])
    let centibels = Int16(bitPattern: UInt16(bytes[2]) | UInt16(bytes[3]) << 8)
    if centibels != .min { integratedLoudness = Double(centibels) / 100 }
    parts = stride(from: 4, to: bytes.count, by: 2).map {
      Part(peak: Self.value(bytes[$0]), power: Self.value(bytes[$0 + 1]))
    }
    isComplete = true
  }

  /// Quiet sound is drawn larger than it is, and so has smaller steps.
  private static func byte(_ value: Float) -> UInt8 { UInt8(min(max((value.squareRoot() * 255).rounded(), 0), 255)) }
  private static func value(_ byte: UInt8) -> Float {
    let root = Float(byte) / 255
    return root * root
  }
}
