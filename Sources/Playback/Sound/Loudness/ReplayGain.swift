import Glibc

/// The loudness that a file's tags state for its track and its album, as the gain that leads to the usual one.
///
/// As in ReplayGain 2 (https://wiki.hydrogenaud.io/index.php?title=ReplayGain_2.0_specification), the usual loudness is −18 LUFS. Opus
/// files (RFC 7845, 5.2.1) have gains that lead to −23 LUFS, which are 5 dB lower.
public struct ReplayGain: Hashable, Sendable {
  /// The gain to play with.
  public enum Mode: String, CaseIterable, Hashable, Sendable {
    /// None.
    case off
    /// The track's gain: all tracks are equally loud.
    case track
    /// The album's gain: quiet tracks of an album stay quiet.
    case album
  }

  /// A gain, and the level to which it may lead.
  public struct Gain: Hashable, Sendable {
    /// In decibels.
    public var decibels: Double
    /// The highest absolute sample; nil if unknown.
    public var peak: Double?

    /// Creates a gain.
    public init(decibels: Double, peak: Double? = nil) { (self.decibels, self.peak) = (decibels, peak) }

    /// The linear gain: as much of it as the peak permits below full scale.
    public var linear: Float {
      let wanted = pow(10, decibels / 20)
      return Float(peak.map { min(wanted, 1 / max($0, 1e-3)) } ?? wanted)
    }

    /// The decibels of `linear`.
    public var applied: Double { 20 * log10(Double(linear)) }
  }

  /// The track's gain; nil if none is stated.
  public var track: Gain?
  /// The album's gain; nil if none is stated.
  public var album: Gain?

  /// Gains beyond are taken for this, since a file may state any.
  public static let decibelRange = -48.0...24.0
  /// The difference of the two usual loudnesses, in dB.
  private static let opusOffset = 5.0

  /// Reads tags, whose names are in lower case.
  ///
  /// - Parameter tags: untrusted text.
  /// - Returns: nil if no gain is stated.
  public init?(tags: [String: String]) {
    func gain(_ name: String) -> Gain? {
      let plain = tags["replaygain_\(name)_gain"].flatMap(Self.decibels)
      let opus = tags["r128_\(name)_gain"].flatMap(Self.fixedPoint).map { $0 + Self.opusOffset }
      let peak = tags["replaygain_\(name)_peak"].flatMap(Self.number).flatMap { $0 > 0 && $0 <= 16 ? $0 : nil }
      let range = Self.decibelRange
      return (opus ?? plain).map { Gain(decibels: min(max($0, range.lowerBound), range.upperBound), peak: peak) }
    }
    (track, album) = (gain("track"), gain("album"))
    if track == nil, album == nil { return nil }
  }

  /// Returns the gain for a mode; if it is not stated, the other one. Nil with `.off`.
  public func gain(_ mode: Mode) -> Gain? {
    switch mode {
    case .off: nil
    case .track: track ?? album
    case .album: album ?? track
    }
  }

  /// Parses "-7.89 dB", with or without the unit.
  private static func decibels(_ text: String) -> Double? {
    var text = trimmed(text)
    if text.suffix(2).lowercased() == "db" { text = trimmed(text.dropLast(2)) }
    return number(text)
  }

  /// Parses decibels in units of 1/256: "-2050".
  private static func fixedPoint(_ text: String) -> Double? {
    let text = trimmed(text)
    guard text.utf8.count <= 6, let value = Int16(text) else { return nil }
    return Double(value) / 256
  }

  /// Parses a sign, digits and a fraction, and nothing else.
  private static func number(_ text: some StringProtocol) -> Double? {
    let text = trimmed(text)
    let digits = text.first == "-" || text.first == "+" ? text.dropFirst() : text[...]
    guard !digits.isEmpty, digits.utf8.count <= 20, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E }),
      digits.first != ".", let value = Double(text), value.isFinite
    else { return nil }
    return value
  }

  private static func trimmed(_ text: some StringProtocol) -> Substring {
    let text = Substring(text).drop { $0 == " " }
    return text[..<(text.lastIndex { $0 != " " }.map(text.index(after:)) ?? text.startIndex)]
  }
}

extension AssetFacts {
  /// The loudness that the file states for a track: its own tags come first.
  public func replayGain(of track: AssetTrack) -> ReplayGain? { track.replayGain ?? ReplayGain(tags: metadata) }
}
