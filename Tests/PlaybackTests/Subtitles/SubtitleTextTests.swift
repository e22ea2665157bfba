import Foundation
import TestSupport
import Testing

@testable import Playback

/// Files of subtitles that are unusual, and how they are read.
@Suite(.timeLimit(.minutes(20))) struct SubtitleTextTests {
  private static func item() async throws -> PlayerItem {
    let asset = Asset(path: try SampleClip.h264BFrames.path())
    _ = try await asset.load(.facts)
    return PlayerItem(asset: asset)
  }

  /// The cues of a file with a name and a text.
  private static func words(_ name: String, _ text: String) async throws -> [String] {
    let folder = try TemporaryFolder()
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path(name)))
    let item = try await item()
    let options = try await withCheckedThrowingContinuation { done in
      item.addSubtitles(file: folder.path(name)) { done.resume(with: $0) }
    }
    item.selectedSubtitles = options.first
    return try await #require(item.subtitles).load().cues.map { cue in
      let end = cue.timeRange.end.isNumeric ? "\(cue.timeRange.end.seconds)" : ""
      return "\(cue.timeRange.start.seconds)–\(end) \(cue.lines.map(\.text).joined(separator: "|"))"
    }
  }

  @Test(arguments: [
    // No number, two byte order marks, a credit, no milliseconds, a fraction of two digits, no hours, a blank line in a text.
    ("00:00:01,000 --> 00:00:02,000\nOne\n\n2\n00:00:03,000 --> 00:00:04,000\nTwo\n", ["1.0–2.0 One", "3.0–4.0 Two"]),
    ("\u{FEFF}\u{FEFF}1\r\n00:00:01,000 --> 00:00:02,000\r\nOne\r\n\r\n", ["1.0–2.0 One"]),
    ("Subtitles by someone\n\n1\n00:00:01,000 --> 00:00:02,000\nOne\n", ["1.0–2.0 One"]),
    ("1\n00:00:01 --> 00:00:02\nOne\n\n2\n00:00:03 --> 00:00:04\nTwo\n", ["1.0–2.0 One", "3.0–4.0 Two"]),
    ("1\n00:00:01,04 --> 00:00:02,5\nOne\n", ["1.04–2.5 One"]), ("1\n0:01.000 --> 0:02.000\nOne\n", ["1.0–2.0 One"]),
    ("1\n00:00:01,000 --> 00:00:02,000\nOne\n\nmore\n\n2\n00:00:03,000 --> 00:00:04,000\n42\n", ["1.0–2.0 One|more", "3.0–4.0 42"]),
    ("1\n00:00:01,000 --> 00:00:02,000\n2<3 & 5>1\n", ["1.0–2.0 2<3 & 5>1"]),
    ("1\n00:00:01,000 --> 00:00:02,000\nI <3 <b>you</b> <i >so</i>, a < b\n", ["1.0–2.0 I <3 you so, a < b"]),
  ] as [(String, [String])])
  func subRip(text: String, cues: [String]) async throws {
    #expect(try await Self.words("x.srt", text) == cues)
  }

  @Test(arguments: TestSeeds.first(50)) func anyLinesAreRead(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let lines = ["", "1", "00:00:01,000 --> 00:00:02,000", "00:00:03 --> 4", "-->", "a", " ", "\u{FEFF}", "00:00:09.5 --> 00:00:10 X1:1"]
    let text = (0..<60).map { _ in lines[Int.random(in: 0..<lines.count, using: &random)] + "\n" }.joined()
    let once = SubRipText.cues(Array(text.utf8))
    #expect(SubRipText.cues(once) == once)
  }

  /// The fields of events are those that the script names, and its head comes first.
  @Test(arguments: [
    "[Script Info]\n[Events]\nFormat: Start, End, Text\nDialogue: 0:00:01.00,0:00:02.00,One, two\n",
    "[Script Info]\n[Events]\nFormat: Style, Layer, End, Start, Text\nComment: x\nDialogue: Default,0,0:00:02.00,0:00:01.00,One, two\n",
    "Subtitles by someone\n\n[script info]\n[V4+ Styles]\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, "
      + "Effect, Text\nDialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,One, two\n",
    "[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,One, two\n",
  ])
  func scripts(text: String) async throws {
    #expect(try await Self.words("x.ass", text) == ["1.0–2.0 One, two"])
  }

  /// Files that libavformat takes for lyrics, or does not recognise.
  @Test(arguments: [
    ("x.mpl", "[10][20]One|two\n[30][40]Three\n", ["1.0–2.0 One|two", "3.0–4.0 Three"]),
    ("x.sub", "[10][20]One\n[30][40]Three\n", ["1.0–2.0 One", "3.0–4.0 Three"]),
    // The last one has no end.
    ("x.sub", "00:00:01:One|row\n00:00:03:Two\n", ["1.0–3.0 One|row", "3.0– Two"]),
    ("x.smi", "by someone\n<SAMI><BODY><SYNC Start=1000><P>One<SYNC Start=2000><P>&nbsp;</BODY></SAMI>\n", ["1.0–2.0 One"]),
  ] as [(String, String, [String])])
  func otherForms(name: String, text: String, cues: [String]) async throws {
    #expect(try await Self.words(name, text) == cues)
  }

  /// Each language has its own blank, which ends its text.
  @Test func twoLanguagesInOneFile() async throws {
    let texts = [(1, "Uno", "One"), (3, "&nbsp;", "&nbsp;"), (4, "Due", "Two")].map { second, first, other in
      "<SYNC Start=\(second)000><P Class=IT>\(first)\n<SYNC Start=\(second)000><P Class=EN>\(other)\n"
    }
    let words = try await Self.words("x.smi", "<SAMI><HEAD></HEAD><BODY>\n\(texts.joined())</BODY></SAMI>\n")
    #expect(words == ["1.0–3.0 Uno", "1.0–3.0 One", "4.0– Due", "4.0– Two"])
  }

  /// Languages of the style sheet are tracks, if the text has them.
  @Test(arguments: [true, false]) func languagesOfTheStyleSheetAreTracks(inOnePacket: Bool) async throws {
    let styles = ".ITCC { Name: Italiano; lang: it-IT; SAMIType: CC; } .ENCC {lang:en-US} .FRCC {Name: Français; lang: fr} .Big {font-size: 9}"
    let texts = [("1", "<P Class=ITCC>Uno<P ID=x class='encc'>One"), ("3", "<P Class=ITCC>&nbsp;"), ("4", "<P Class=ITCC>Due"), ("5", "<P Class=Big>Loud")]
    let body = texts.map { second, text in
      inOnePacket ? "<SYNC Start=\(second)000>\(text)\n" : text.split(separator: "<P").map { "<SYNC Start=\(second)000><P\($0)\n" }.joined()
    }
    let text = "<SAMI><HEAD><STYLE TYPE=\"text/css\"><!--\nP {}\n\(styles)\n--></STYLE></HEAD><BODY>\n\(body.joined())</BODY></SAMI>\n"
    let folder = try TemporaryFolder()
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path("x.smi")))
    let asset = Asset(path: folder.path("x.smi"))
    let facts = try await asset.load(.facts)
    #expect(facts.tracks.map(\.language) == ["it-IT", "en-US"] && facts.tracks.map(\.title) == ["Italiano", nil])
    let expected = [["1.0–3.0 Uno", "4.0–5.0 Due", "5.0– Loud"], ["1.0–5.0 One", "5.0– Loud"]]
    for (track, words) in zip(facts.tracks, expected) {
      let cues = try await asset.subtitles(of: track, startTime: .zero).load().cues
      #expect(cues.map { "\($0.timeRange.start.seconds)–\($0.timeRange.end.isNumeric ? "\($0.timeRange.end.seconds)" : "") \($0.text)" } == words)
    }
  }

  /// They are named, each with its reason, and a file is not beside itself.
  @Test func filesBesideAClipThatCannotBeRead() async throws {
    let folder = try TemporaryFolder()
    let clip = folder.path("clip.mp4")
    try FileManager.default.copyItem(atPath: SampleClip.h264BFrames.path(), toPath: clip)
    for (name, text) in [("clip.srt", "words\n"), ("clip.en.vtt", ""), ("clip.fr.srt", "1\n00:00:01,000 --> 00:00:02,000\nUn\n")] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path(name)))
    }
    let asset = Asset(path: clip)
    _ = try await asset.load(.facts)
    let item = PlayerItem(asset: asset)
    for _ in 0..<2 {
      await withCheckedContinuation { done in item.addSubtitlesBeside { done.resume() } }
      #expect(item.subtitleGroup?.options.map(\.language?.description) == ["fr"])
      #expect(item.unreadableSubtitles.map(\.path) == ["clip.srt", "clip.en.vtt"].map(folder.path))
      #expect(item.unreadableSubtitles.map(\.error.reason) == [.unknownFormat, .emptyFile])
    }
    #expect(SubtitleFileName.files(besideClip: folder.path("clip.srt")).map(\.path) == [folder.path("clip.en.vtt"), folder.path("clip.fr.srt")])
  }
}
