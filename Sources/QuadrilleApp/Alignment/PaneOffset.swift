import Playback
import Terminal

/// A pane's offset from the first one, as text: "2:+3f", "2:-0.5".
public struct PaneOffset: Hashable, Sendable {
  public enum Amount: Hashable, Sendable {
    case frames(Int)
    case time(MediaTime)

    /// Parses a sign followed by frames ("3f") or a clock time.
    init?(_ text: Substring) {
      var rest = text
      guard let sign = rest.popFirst(), sign == "+" || sign == "-" else { return nil }
      if rest.last == "f" || rest.last == "F" {
        guard rest.dropLast().allSatisfy(\.isASCIIDigit), let count = Int(rest.dropLast()) else { return nil }
        self = .frames(sign == "-" ? -count : count)
      } else {
        // Reject a second sign.
        guard rest.first != "-", let time = MediaTime(clockText: String(rest)), time.isNumeric else { return nil }
        self = .time(sign == "-" ? -time : time)
      }
    }
  }

  /// Pane number, from 1.
  public var pane: Int
  public var amount: Amount

  /// Parses a pane number, a colon, a sign, and frames ("3f") or a clock time.
  public init?(_ text: String) {
    guard let colon = text.firstIndex(of: ":"), let pane = Int(text[..<colon]), (2...PlayOptions.maxPanes) ~= pane,
      let amount = Amount(text[text.index(after: colon)...])
    else { return nil }
    if case .frames(let count) = amount, abs(count) > 1_000_000 { return nil }
    self.pane = pane
    self.amount = amount
  }

  /// The offset as a time at a frame rate; nil if it is in frames and the rate is unknown.
  func time(frameRate: Double) -> MediaTime? {
    switch amount {
    case .time(let time): time
    case .frames(let count): frameRate > 0 ? MediaTime(seconds: Double(count) / frameRate, preferredTimescale: 1_000_000) : nil
    }
  }

  /// An offset as text: "+3 frames +0.100 s", without frames if the rate is unknown.
  static func words(_ offset: MediaTime, frameRate: Double?) -> TerminalText {
    let milliseconds = Int((offset.seconds * 1000).rounded())
    let fraction = "\(1000 + milliseconds.magnitude % 1000)".dropFirst()
    let seconds: TerminalText = "\(milliseconds < 0 ? "-" : "+")\(milliseconds.magnitude / 1000).\(fraction) s"
    guard let frameRate, frameRate > 0 else { return seconds }
    let frames = Int((offset.seconds * frameRate).rounded())
    return "\(frames < 0 ? "-" : "+")\(frames.magnitude) frame\(frames.magnitude == 1 ? "" : "s") \(seconds)"
  }
}
