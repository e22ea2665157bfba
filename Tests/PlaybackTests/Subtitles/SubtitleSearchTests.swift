import Testing

@testable import Playback

@Suite(.timeLimit(.minutes(20))) struct SubtitleSearchTests {
  private func isFound(_ words: String, in text: String) -> Bool {
    let range = TimeRange(start: .zero, end: MediaTime(value: 1, timescale: 1))
    return !SubtitleTimeline([SubtitleCue(timeRange: range, lines: [SubtitleLine([SubtitleSpan(text)])])]).cues(saying: words).isEmpty
  }

  @Test(arguments: [
    ("cafe", "The CAFÉ"), ("CAFÉ", "a cafe\u{301}"), ("strasse", "Straße"), ("STRASSE", "straße"), ("fin", "a ﬁne day"),
    ("άλφα", "ΑΛΦΑ"), ("ναι", "ναί"), ("ёлка", "Елка"), ("ｱ", "アイ"), ("abc", "ＡＢＣ"), ("a b", "a\u{A0}\u{3000} b"),
    ("שלום", "שָׁלוֹם"), ("محمد", "مُحَمَّد"), ("istanbul", "İstanbul"), ("한", "\u{1112}\u{1161}\u{11AB}"), ("soft", "so\u{AD}ft"),
  ])
  func whatIsTheSame(words: String, text: String) {
    #expect(isFound(words, in: text))
  }

  @Test(arguments: [("か", "が"), ("कि", "की"), ("a", "b"), ("a b", "ab"), ("", "a"), (" \n\u{AD}", "a"), ("\u{301}", "é")])
  func whatIsNot(words: String, text: String) {
    #expect(!isFound(words, in: text))
  }
}
