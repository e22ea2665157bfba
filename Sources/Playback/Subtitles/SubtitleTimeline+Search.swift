import Foundation

extension SubtitleTimeline {
  /// The cues that say a text, in their order; none where it is blank.
  ///
  /// Small and capital letters are the same, as are letters with and without accents, and any blanks and line ends. Looks
  /// through all of them: for thousands of cues it takes some milliseconds.
  public func cues(saying text: String) -> [SubtitleCue] {
    let wanted = Self.folded(text)
    return wanted.isEmpty ? [] : cues.filter { Self.folded($0.text).contains(wanted) }
  }

  private static func folded(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      .folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
  }
}
