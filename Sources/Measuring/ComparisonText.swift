import Alignment
import Glibc

/// A comparison as lines of text.
public struct ComparisonText {
  private let comparison: ClipComparison

  /// Events listed; a clip may have any number.
  private static let maxEvents = 50

  public init(_ comparison: ClipComparison) { self.comparison = comparison }

  public var lines: [String] {
    let (reference, candidate, map) = (comparison.reference, comparison.candidate, comparison.map)
    var lines = [Self.clip("reference", reference), Self.clip("candidate", candidate)]
    lines.append("alignment  \(alignment)")
    for event in map.events.prefix(Self.maxEvents) { lines.append("           \(self.event(event))") }
    if map.events.count > Self.maxEvents { lines.append("           and \(map.events.count - Self.maxEvents) more") }
    for metric in comparison.metrics {
      guard let summary = ScoreSummary(metric, comparison.pairs), let worst = summary.worst.first, let value = worst[metric] else { continue }
      lines.append(
        Self.padded(metric.rawValue, 11) + "mean \(Self.number(summary.mean))  p1 \(Self.number(summary.percentile1))  "
          + "p5 \(Self.number(summary.percentile5))  worst \(Self.number(value)) at #\(worst.candidate) (\(Self.time(worst.time)))  "
          + "over \(summary.count) matched frames")
    }
    if comparison.changes.contains(.turned) { lines.append("           the candidate was turned to the reference's orientation") }
    if comparison.changes.contains(.converted) {
      lines.append("           the candidate was brought to \(reference.width)×\(reference.height) and the reference's format by libswscale")
    }
    return lines
  }

  /// The alignment in words.
  var alignment: String {
    let map = comparison.map
    if map.verdict == .unrelated { return "the clips are unrelated" }
    let sure = map.frames.count { $0.reference != nil && $0.isSure }
    var words = "\(map.pairCount) of \(map.frames.count) frames matched, \(sure) for sure"
    let points = map.syncPoints.count
    if points > 0 { words += ", with \(points) sync point\(points == 1 ? "" : "s")" }
    if let first = comparison.firstPair, first.candidate != first.reference {
      words += "; candidate #\(first.candidate) is reference #\(first.reference)"
    }
    if abs(map.rate - 1) > 1e-6 { words += "; \(Self.number(map.rate)) reference frames per frame" }
    if map.verdict == .ambiguous { words += "; ambiguous: too little moves" }
    return words
  }

  private func event(_ event: AlignmentEvent) -> String {
    Self.padded(event.kind.rawValue, 10) + "candidate \(Self.frames(event.candidate)), reference \(Self.frames(event.reference))"
      + (event.isSure ? "" : ", unsure")
  }

  /// The numbers of frames, or the place of none.
  static func frames(_ range: Range<Int>) -> String {
    range.isEmpty ? "before #\(range.lowerBound)" : range.count == 1 ? "#\(range.lowerBound)" : "#\(range.lowerBound)–#\(range.upperBound - 1)"
  }

  private static func clip(_ name: String, _ clip: ComparedClip) -> String {
    padded(name, 11) + "\(clip.path)  \(clip.width)×\(clip.height)  \(number(clip.framesPerSecond)) fps  \(clip.codec)  \(clip.frameCount) frames"
  }

  private static func padded(_ text: String, _ width: Int) -> String { text + String(repeating: " ", count: max(1, width - text.count)) }

  static func time(_ seconds: Double) -> String {
    let milliseconds = Int((max(0, seconds) * 1000).rounded())
    let rest = milliseconds % 60_000
    let digits = String(rest % 1000 + 1000).dropFirst()
    return "\(milliseconds / 60_000):\(rest / 1000 < 10 ? "0" : "")\(rest / 1000).\(digits)"
  }

  /// Four decimals at most.
  static func number(_ value: Double) -> String {
    guard value.isFinite else { return value.isNaN ? "?" : "inf" }
    var text = String(Int((abs(value) * 10_000).rounded()) % 10_000 + 10_000).dropFirst()
    while text.hasSuffix("0") { text.removeLast() }
    let whole = Int((abs(value) * 10_000).rounded()) / 10_000
    return (value < 0 ? "-" : "") + "\(whole)" + (text.isEmpty ? "" : ".\(text)")
  }
}
