/// The lines of an SSA script as its author wrote them, for those who draw them in full: cues have only what a text can show.
struct ScriptLines {
  private var header = ""
  /// Each line is the only text of a cue.
  private var timeline = SubtitleTimeline(maxTogether: 1000)
  private var byteCount = 0

  /// The maximum number of lines, of their bytes, and of those of the header.
  private static let maxLines = 200_000
  private static let maxBytes = 32 << 20
  private static let maxHeader = 8 << 20

  /// True if the script is too large to be kept.
  private var isTooLarge = false

  /// Adds lines.
  ///
  /// - Parameter time: earlier lines without an end are over then.
  mutating func add(_ part: ScriptPart, from time: MediaTime) {
    guard !isTooLarge else { return }
    header = part.header
    timeline.end(.endless, at: time)
    for line in part.lines {
      byteCount += line.text.utf8.count
      timeline.insert(line)
    }
    guard byteCount > Self.maxBytes || timeline.cues.count > Self.maxLines || header.utf8.count > Self.maxHeader else { return }
    self = ScriptLines()
    isTooLarge = true
  }

  /// Returns the lines visible at a time, with the script's header; nil if there is no script.
  func visible(at time: MediaTime) -> ScriptPart? {
    header.isEmpty ? nil : ScriptPart(header: header, lines: timeline.cues(at: time))
  }

  /// Returns the next time after `time` at which other lines are visible; nil if there is none.
  func nextChange(after time: MediaTime) -> MediaTime? { timeline.nextChange(after: time) }
}

/// Some lines of an SSA script.
package struct ScriptPart: Sendable {
  /// The script before its lines.
  package let header: String
  /// Each line is the only text of a cue: ReadOrder, Layer, Style, Name, MarginL, MarginR, MarginV, Effect and Text.
  package let lines: [SubtitleCue]
}
