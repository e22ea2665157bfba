import Foundation
import TestSupport
import Testing

@testable import Playback

/// Subtitles read from files: from inside clips, and beside them.
@Suite(.timeLimit(.minutes(20))) struct SubtitleTrackTests {
  private static let subRip = """
    1
    00:00:00,500 --> 00:00:02,000
    One <i>slanted</i>

    2
    00:00:01,000 --> 00:00:01,500
    {\\an8}Two

    3
    00:00:02,500 --> 00:00:02,900
    Three
    in two lines

    """

  /// A folder that goes with the test.
  private final class Folder {
    let path: String

    init() throws {
      path = NSTemporaryDirectory() + "subtitles-\(UUID().uuidString)"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
      try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + name))
      return path + "/" + name
    }
  }

  /// The subtitles as one would see them: what stands when.
  private static func words(_ track: SubtitleTrack?) async throws -> [String] {
    try await #require(track).load().cues.map { cue in
      let (start, end) = (cue.timeRange.start.seconds, cue.timeRange.end.seconds)
      return "\((start * 1000).rounded() / 1000)–\((end * 1000).rounded() / 1000) \(cue.lines.map(\.text).joined(separator: "|"))"
    }
  }

  private static func item(_ path: String) async throws -> PlayerItem {
    let asset = Asset(path: path)
    _ = try await asset.load(.facts)
    return PlayerItem(asset: asset)
  }

  private static func clip(_ name: String, codec: String, delay: Double = 0) throws -> String {
    let text = try SampleMedia.file(name: "text.srt", key: [subRip]) { path in
      try subRip.write(toFile: path, atomically: true, encoding: .utf8)
    }
    return try SampleMedia.clip(
      name: name,
      arguments: SampleMedia.numbered(width: 64, height: 36, rate: "10", seconds: 3) + [
        "-i", text, "-map", "0:v", "-map", "1:s", "-map", "1:s", "-c:v", "libx264", "-preset", "ultrafast", "-c:s", codec,
        "-metadata:s:s:0", "language=ger", "-metadata:s:s:1", "language=eng", "-disposition:s:1", "forced+hearing_impaired",
        "-output_ts_offset", "\(delay)",
      ])
  }

  @Test(arguments: [("subrip.mkv", "subrip"), ("ass.mkv", "ass"), ("vtt.mkv", "webvtt"), ("text.mp4", "mov_text")])
  func tracksOfClips(name: String, codec: String) async throws {
    for delay in [0.0, 4] {
      let item = try await Self.item(Self.clip(name, codec: codec, delay: delay))
      let group = try #require(item.subtitleGroup)
      #expect(group.options.map { $0.language?.description } == ["de", "en"])
      #expect(group.allowsEmptySelection && item.selectedSubtitles == nil && item.subtitles == nil)
      for option in group.options {
        item.selectedSubtitles = option
        #expect(item.selectedSubtitles == option)
        let words = try await Self.words(item.subtitles)
        #expect(
          words == ["0.5–2.0 One slanted", "1.0–1.5 Two", "2.5–2.9 Three|in two lines"] || codec == "mov_text", "\(words)")
        // mov_text has no overlaps: what it makes of them is ffmpeg's.
        #expect(words.contains { $0.hasSuffix("One slanted") } && words.last == "2.5–2.9 Three|in two lines", "\(words)")
      }
      let track = try #require(item.subtitles)
      #expect(item.subtitles === track)
      if codec != "mov_text" {
        let one = try #require(track.timeline.cues.first?.lines.first?.spans)
        #expect(one.map(\.text) == ["One ", "slanted"] && one.map(\.style.isItalic) == [false, true])
        let placement = track.timeline.cues[1].placement
        #expect(placement.vertical == .top || codec == "webvtt")
      }
    }
  }

  @Test func rolesOfTracks() async throws {
    let item = try await Self.item(Self.clip("subrip.mkv", codec: "subrip"))
    let tracks = try #require(item.subtitleGroup?.options.map(\.track))
    #expect(tracks.map(\.isForced) == [false, true])
    #expect(tracks.map(\.roles) == [[], [.hearingImpaired]])
    #expect(tracks.map(\.subtitleForm) == [.text, .text])
  }

  @Test func filesBesideClips() async throws {
    let folder = try Folder()
    let clip = folder.path + "/clip.mp4"
    try FileManager.default.copyItem(atPath: Self.clip("subrip.mkv", codec: "subrip"), toPath: clip)
    for name in ["clip.srt", "clip.fr.srt", "clip.pt-BR.forced.srt", "clip2.srt", "clip.txt", "other.srt", "clip.en.SRT", "clip.de.sdh.srt"] {
      _ = try folder.write(name, Self.subRip.utf8)
    }
    let item = try await Self.item(clip)
    await withCheckedContinuation { done in item.addSubtitlesBeside { done.resume() } }
    let added = try #require(item.subtitleGroup?.options.filter { $0.file != nil })
    let names = added.compactMap { option -> String? in option.file.map { URL(fileURLWithPath: $0).lastPathComponent } }
    #expect(Set(names) == ["clip.srt", "clip.fr.srt", "clip.pt-BR.forced.srt", "clip.en.SRT", "clip.de.sdh.srt"])
    #expect(Set(added.map { $0.language?.description ?? "" }) == ["", "fr", "pt-BR", "en", "de"])
    #expect(added.filter(\.track.isForced).map(\.language?.description) == ["pt-BR"])
    #expect(added.filter { $0.track.roles == [.hearingImpaired] }.map(\.language?.description) == ["de"])
    item.selectedSubtitles = added.first
    #expect(try await Self.words(item.subtitles).first == "0.5–2.0 One slanted")
  }

  @Test(arguments: ["ass", "ssa"]) func aScriptBesideAClip(kind: String) async throws {
    let folder = try Folder()
    let clip = folder.path + "/clip.mp4"
    try FileManager.default.copyItem(atPath: Self.clip("subrip.mkv", codec: "subrip"), toPath: clip)
    let script = """
      [Script Info]
      ScriptType: v4.00+

      [V4+ Styles]
      Format: Name, Fontname, Fontsize, PrimaryColour, Alignment, Bold
      Style: Default,Arial,20,&H00FFFFFF,2,0

      [Events]
      Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
      Dialogue: 0,0:00:00.50,0:00:02.00,Default,,0,0,0,,{\\an8}Uno {\\b1}due{\\b0}
      Dialogue: 0,0:00:02.50,0:00:03.00,Default,,0,0,0,,Tre

      """
    _ = try folder.write("clip.it.\(kind)", script.utf8)
    let item = try await Self.item(clip)
    await withCheckedContinuation { done in item.addSubtitlesBeside { done.resume() } }
    let option = try #require(item.subtitleGroup?.options.first { $0.file != nil })
    #expect(option.language?.description == "it")
    item.selectedSubtitles = option
    #expect(try await Self.words(item.subtitles) == ["0.5–2.0 Uno due", "2.5–3.0 Tre"])
    let cues = try #require(item.subtitles).timeline.cues
    #expect(cues.map(\.placement.vertical) == [.top, .bottom])
    #expect(cues[0].lines[0].spans.map(\.style.isBold) == [false, true])
  }

  @Test(arguments: [
    (String.Encoding.utf8, nil, "été — Œuvre"), (.utf16LittleEndian, nil, "été — Œuvre"), (.utf16BigEndian, nil, "été"),
    (.windowsCP1252, nil, "été — Œuvre"), (.isoLatin2, "ISO-8859-2", "žluťoučký kůň"), (.windowsCP1251, "CP1251", "Привет"),
    (.shiftJIS, "SHIFT_JIS", "こんにちは"),
    // Detected; an encoding that is named beats that.
    (.windowsCP1251, nil, "Привет, мир! Это проверка."), (.isoLatin2, nil, "Příliš žluťoučký kůň úpěl ďábelské ódy."),
    (.windowsCP1253, nil, "Δεν ξέρω τι να κάνω."), (.shiftJIS, nil, "どこへ行くの。待って!"),
    (.windowsCP1252, nil, "Schöne Grüße aus München"), (.windowsCP1252, nil, "“It’s over”"),
    (.windowsCP1252, "CP1252", "Ïðèâåò"),
  ] as [(String.Encoding, String?, String)])
  func encodings(encoding: String.Encoding, charset: String?, text: String) async throws {
    let folder = try Folder()
    var data = try #require("1\n00:00:01,000 --> 00:00:02,000\n\(text)\n\n".data(using: encoding))
    if encoding == .utf16LittleEndian { data = Data([0xFF, 0xFE]) + data }
    if encoding == .utf16BigEndian { data = Data([0xFE, 0xFF]) + data }
    let file = try folder.write("x.srt", data)
    let item = try await Self.item(Self.clip("subrip.mkv", codec: "subrip"))
    let options = try await withCheckedThrowingContinuation { done in
      item.addSubtitles(file: file, charset: charset) { done.resume(with: $0) }
    }
    item.selectedSubtitles = options.first
    #expect(try await Self.words(item.subtitles) == ["1.0–2.0 \(text)"])
  }

  @Test(arguments: [(String.Encoding.utf16LittleEndian, "UTF-16LE"), (.utf16BigEndian, "UTF-16BE")], ["Hello", "été"])
  func withoutAMarkWhatIsAskedFor(encoding: (String.Encoding, String), text: String) throws {
    let bytes = [UInt8](try #require("1\n00:00:01,000 --> 00:00:02,000\n\(text)\n\n".data(using: encoding.0)))
    #expect(TextEncoding.encoding(of: bytes, isCut: false, wish: encoding.1) == encoding.1)
    #expect(TextEncoding.encoding(of: Array("Hello".utf8), isCut: false, wish: encoding.1) == nil)
  }

  /// A few bad bytes, as of a name in another encoding, spoil only themselves.
  @Test func damagedTextInUTF8() async throws {
    let folder = try Folder()
    let lines = ["déjà vu, été — Œuvre", "naïveté"]
    let bytes = Array("1\n00:00:01,000 --> 00:00:02,000\n\(lines[0])\n\n2\n00:00:03,000 --> 00:00:04,000\n".utf8) + [0xE9]
      + Array(" \(lines[1])\n\n".utf8)
    let file = try folder.write("x.srt", bytes)
    let item = try await Self.item(Self.clip("subrip.mkv", codec: "subrip"))
    let options = try await withCheckedThrowingContinuation { done in
      // Also where an encoding is named for those that are not in UTF-8.
      item.addSubtitles(file: file, charset: "CP1252") { done.resume(with: $0) }
    }
    item.selectedSubtitles = options.first
    #expect(try await Self.words(item.subtitles) == ["1.0–2.0 \(lines[0])", "3.0–4.0 \u{FFFD} \(lines[1])"])
  }

  @Test(arguments: [String.Encoding.utf32LittleEndian, .utf32BigEndian]) func textInUTF32(encoding: String.Encoding) async throws {
    let folder = try Folder()
    let data = try #require("\u{FEFF}1\n00:00:01,000 --> 00:00:02,000\nété — Œuvre\n\n".data(using: encoding))
    let file = try folder.write("x.srt", data)
    let item = try await Self.item(Self.clip("subrip.mkv", codec: "subrip"))
    let options = try await withCheckedThrowingContinuation { done in item.addSubtitles(file: file) { done.resume(with: $0) } }
    item.selectedSubtitles = options.first
    #expect(try await Self.words(item.subtitles) == ["1.0–2.0 été — Œuvre"])
  }

  /// A zero is no end of the text.
  @Test(arguments: ["srt", "vtt"]) func textWithZeros(ending: String) async throws {
    let folder = try Folder()
    let head = ending == "vtt" ? "WEBVTT\n\n" : ""
    let text = "\(head)1\n00:00:01.000 --> 00:00:02.000\nwith\u{0}zero\n\n2\n00:00:03.000 --> 00:00:04.000\nafter\n\n"
    let file = try folder.write("x.\(ending)", (ending == "srt" ? text.replacingOccurrences(of: ".000", with: ",000") : text).utf8)
    let item = try await Self.item(Self.clip("subrip.mkv", codec: "subrip"))
    let options = try await withCheckedThrowingContinuation { done in item.addSubtitles(file: file) { done.resume(with: $0) } }
    item.selectedSubtitles = options.first
    #expect(try await Self.words(item.subtitles) == ["1.0–2.0 with zero", "3.0–4.0 after"])
  }

  /// A file with the very name of the clip comes first.
  @Test func filesBesideAClipAreInOrder() throws {
    let folder = try Folder()
    for name in ["clip.bonus.srt", "clip.srt", "clip.mp4.srt", "clip.Alien.srt", "clip2.srt"] { _ = try folder.write(name, "".utf8) }
    let found = SubtitleFileName.files(besideClip: folder.path + "/clip.mp4").map { $0.path.split(separator: "/").last }
    #expect(found == ["clip.srt", "clip.mp4.srt", "clip.Alien.srt", "clip.bonus.srt"])
  }

  /// Makes a clip of the test's own.
  private static func make(_ clip: String, _ inputs: [String], _ coding: [String]) throws {
    let video = ["-c:v", "libx264", "-preset", "fast", "-bf", "3"]
    try MediaTool.run("ffmpeg", ["-v", "error", "-nostdin", "-y"] + inputs + video + coding + ["file:" + clip])
  }

  /// Where sound comes first, the same text stands at the same frames, in the file and beside it.
  @Test(arguments: ["mkv", "mp4", "ts"]) func filesCountFromTheClipsBeginning(ending: String) async throws {
    let folder = try Folder()
    let words = try folder.write("words.srt", "1\n00:00:06,000 --> 00:00:07,000\nSaid\n\n".utf8)
    let clip = folder.path + "/clip." + ending
    let sources = ["-f", "lavfi", "-i", "sine=duration=8", "-itsoffset", "5", "-f", "lavfi", "-i", "testsrc2=s=64x36:r=25:d=3"]
    let own = ending == "ts" ? ["-map", "0", "-map", "1"] : ["-i", words, "-map", "0", "-map", "1", "-map", "2"]
    try Self.make(clip, sources + own, ["-fps_mode", "passthrough", "-c:a", "aac"] + (ending == "mp4" ? ["-c:s", "mov_text"] : []))
    let item = try await Self.item(clip)
    let options = try await withCheckedThrowingContinuation { done in item.addSubtitles(file: words) { done.resume(with: $0) } }
    let inside = (item.subtitleGroup?.options ?? []).filter { $0.file == nil }
    #expect(inside.count == (ending == "ts" ? 0 : 1))
    for option in inside + options {
      item.selectedSubtitles = option
      let cues = try await #require(item.subtitles).load().cues
      let said = cues.filter { $0.text == "Said" }
      let cue = try #require(said.first)
      let start = cue.timeRange.start.seconds
      #expect(abs(start - 1) < 0.03, "\(option.file ?? "of the clip"): \(start)")
    }
  }

  /// Sound that decoders need beforehand, and frames that are shown later than they are decoded, move nothing.
  @Test(arguments: [("mp4", "aac"), ("mkv", "aac"), ("mkv", "libopus"), ("mov", "pcm_s16le"), ("mp4", "")])
  func filesOfUsualClipsAreNotMoved(ending: String, sound: String) async throws {
    let folder = try Folder()
    let words = try folder.write("words.srt", "1\n00:00:01,000 --> 00:00:02,000\nSaid\n\n".utf8)
    let clip = folder.path + "/clip." + ending
    var inputs = ["-f", "lavfi", "-i", "testsrc2=s=64x36:r=25:d=3"]
    if !sound.isEmpty { inputs += ["-f", "lavfi", "-i", "sine=duration=3"] }
    try Self.make(clip, inputs, sound.isEmpty ? [] : ["-c:a", sound])
    let item = try await Self.item(clip)
    let options = try await withCheckedThrowingContinuation { done in item.addSubtitles(file: words) { done.resume(with: $0) } }
    item.selectedSubtitles = options.first
    #expect(try await Self.words(item.subtitles) == ["1.0–2.0 Said"])
  }

  /// MicroDVD counts frames: those of the clip, unless it begins with how many there are in a second.
  @Test(arguments: [("25", 25), ("24000/1001", 24000.0 / 1001), ("30000/1001", 30000.0 / 1001)], [nil, "23.976", "25"] as [String?])
  func filesThatCountFrames(rate: (name: String, value: Double), told: String?) async throws {
    let folder = try Folder()
    let clip = folder.path + "/clip.mp4"
    let made = try SampleMedia.clip(
      name: "counted.mp4",
      arguments: ["-f", "lavfi", "-i", "color=s=32x32:r=\(rate.name):d=4", "-c:v", "libx264", "-preset", "ultrafast"])
    try FileManager.default.copyItem(atPath: made, toPath: clip)
    let head = told.map { "{1}{1}\($0)\n" } ?? ""
    // An hour on a wrong rate would be seconds off.
    let text = head + "{50}{75}Früh\n{80}{90}Dann\n{90000}{90050}Sp{y:i}ät|in zwei Zeilen\n"
    let beside = try folder.write("clip.sub", text.utf8)
    let named = try folder.write("other.sub", #require(text.data(using: .isoLatin1)))
    // Before the clip is open, too: it is waited for.
    let item = PlayerItem(asset: Asset(path: clip))
    let added = try await withCheckedThrowingContinuation { done in item.addSubtitles(file: named) { done.resume(with: $0) } }
    await withCheckedContinuation { done in item.addSubtitlesBeside { done.resume() } }
    #expect(item.subtitleGroup?.options.map(\.file) == [named, beside])
    let counted = told.flatMap(Double.init) ?? rate.value
    for option in item.subtitleGroup?.options ?? added {
      item.selectedSubtitles = option
      let cues = try await #require(item.subtitles).load().cues
      #expect(cues.count == 3 && cues.first?.text == "Früh")
      let times = cues.flatMap { [$0.timeRange.start.seconds, $0.timeRange.end.seconds] }
      for (time, frame) in zip(times, [50.0, 75, 80, 90, 90000, 90050]) {
        #expect(abs(time - frame / counted) < 0.005, "\(option.file ?? ""): frame \(frame) at \(time)")
      }
    }
  }

  /// Where a cue of WebVTT stands is told beside its text.
  @Test(arguments: ["placed.mkv", "placed.webm"]) func placesOfWebVTTInsideAFile(name: String) async throws {
    let text = "WEBVTT\n\n00:01.000 --> 00:02.000 line:10% position:20% align:left\nHere\n\n00:02.000 --> 00:03.000\nThere\n"
    let file = try SampleMedia.file(name: "placed.vtt", key: [text]) { try Data(text.utf8).write(to: URL(fileURLWithPath: $0)) }
    let clip = try SampleMedia.clip(
      name: name,
      arguments: SampleMedia.numbered(width: 64, height: 36, rate: "10", seconds: 4) + [
        "-i", file, "-map", "0", "-map", "1", "-c:v", "libvpx", "-deadline", "realtime", "-c:s", "copy",
      ])
    let item = try await Self.item(clip)
    item.selectedSubtitles = try #require(item.subtitleGroup?.options.first)
    let cues = try await #require(item.subtitles).load().cues
    #expect(cues.map(\.text) == ["Here", "There"])
    #expect(cues[0].placement == WebVTTCue("Here", settings: "line:10% position:20% align:left")?.placement)
    #expect(cues[0].placement != cues[1].placement)
  }

  /// Names that people and programs give to files of subtitles.
  @Test(arguments: [
    ("clip.srt", nil, ""), ("clip.mkv.srt", nil, ""), ("clip.MKV.en.srt", "en", ""), ("clip.English.srt", "en", ""),
    ("clip.english.srt", "en", ""), ("clip.Deutsch.srt", "de", ""), ("clip.Français.srt", "fr", ""),
    ("clip.francais.srt", "fr", ""), ("clip.Español.srt", "es", ""), ("clip.日本語.srt", "ja", ""), ("clip.Русский.srt", "ru", ""),
    ("clip.Brazilian Portuguese.srt", "pt-BR", ""), ("clip.pt-BR.forced.srt", "pt-BR", "f"),
    ("clip.zh-Hans.srt", "zh-Hans", ""), ("clip.Chinese (Traditional).srt", "zh-Hant", ""), ("clip.chs.srt", "zh-Hans", ""),
    ("clip.fil.srt", "fil", ""), ("clip.ger.srt", "de", ""), ("clip.es-419.srt", "es-419", ""), ("clip.sdh.srt", nil, "h"),
    ("clip.cc.srt", nil, "h"), ("clip.forced.srt", nil, "f"), ("clip.English (SDH).srt", "en", "h"),
    ("clip.en.sdh.srt", "en", "h"), ("clip.en.hi.srt", "en", "h"), ("clip.en.forced.cc.srt", "en", "fh"),
    // Alone it is the language.
    ("clip.hi.srt", "hi", ""), ("clip.hi.forced.srt", "hi", "f"), ("clip.hin.hi.srt", "hi", "h"),
    ("clip.hi-IN.srt", "hi-IN", ""), ("clip.pt.br.srt", "pt-BR", ""), ("clip.zh.tw.sdh.srt", "zh-TW", "h"),
    ("clip.Bahasa Melayu.srt", "ms", ""), ("clip.Bahasa.srt", "id", ""), ("clip.Bahasa Indonesia.srt", "id", ""),
    ("clip.default.srt", nil, ""), ("clip.BluRay.x264.srt", nil, ""), ("clip.1080p.web.en.srt", "en", ""),
    ("clip.subs.srt", nil, ""), ("clip.und.srt", nil, ""),
  ] as [(String, String?, String)])
  func namesOfFiles(name: String, language: String?, marks: String) throws {
    let told = try #require(SubtitleFileName(name, ofClip: "clip.mkv"))
    #expect(told.language?.description == language && told.isForced == marks.contains("f") && told.isForHearingImpaired == marks.contains("h"))
  }

  /// What a pipe has delivered is kept for further readers.
  @Test func thoseOfAPipeAreRead() async throws {
    let folder = try Folder()
    let pipe = folder.path + "/pipe.mkv"
    mkfifo(pipe, 0o600)
    let clip = try Data(contentsOf: URL(fileURLWithPath: Self.clip("subrip.mkv", codec: "subrip")))
    PipeWriter.write(clip, to: pipe)
    let item = try await Self.item(pipe)
    item.selectedSubtitles = try #require(item.subtitleGroup?.options.first)
    let track = try #require(item.subtitles)
    _ = try await track.load()
    #expect(track.timeline.cues.count > 1)
    let file = try folder.write("x.srt", Self.subRip.utf8)
    let options = try await withCheckedThrowingContinuation { done in item.addSubtitles(file: file) { done.resume(with: $0) } }
    item.selectedSubtitles = options.first
    #expect(try await Self.words(item.subtitles).count == 3)
  }

  @Test func whatIsNoSubtitles() async throws {
    let folder = try Folder()
    let item = try await Self.item(Self.clip("subrip.mkv", codec: "subrip"))
    for (path, reason) in [
      (folder.path + "/none.srt", PlaybackError.Reason.notFound), (try folder.write("empty.srt", []), .emptyFile),
      (folder.path, .notAFile), (try folder.write("words.srt", "words in a line\n".utf8), .unknownFormat),
      (try folder.write("noise.srt", (0..<2000).map { UInt8(truncatingIfNeeded: $0 * 7919) }), .unknownFormat),
    ] {
      let result = await withCheckedContinuation { done in item.addSubtitles(file: path) { done.resume(returning: $0) } }
      guard case .failure(let error) = result else {
        Issue.record("\(path) was taken")
        continue
      }
      #expect(error.reason == reason && !error.message.contains("clip"), "\(path): \(error)")
    }
    #expect(item.subtitleGroup?.options.count == 2)
  }

  @Test func aFileIsAddedOnce() async throws {
    let folder = try Folder()
    let file = try folder.write("x.srt", Self.subRip.utf8)
    let item = try await Self.item(Self.clip("subrip.mkv", codec: "subrip"))
    func add() async -> Bool {
      await withCheckedContinuation { done in
        item.addSubtitles(file: file) { result in done.resume(returning: (try? result.get()) != nil) }
      }
    }
    let first = await add(), second = await add()
    #expect(first && !second && item.subtitleGroup?.options.count == 3)
  }

  @Test(.enabled(if: SharedClips.has("tracks/nasa_13013.mp4"), Comment(rawValue: SharedClips.missing)))
  func realMovText() async throws {
    let path = try #require(SharedClips.path("tracks/nasa_13013.mp4"))
    let item = try await Self.item(path)
    let options = try #require(item.subtitleGroup).options
    #expect(options.count == 2)
    for (number, option) in options.enumerated() {
      item.selectedSubtitles = option
      let cues = try await #require(item.subtitles).load().cues
      // As ffmpeg writes them down: "1\n00:00:00,210 --> 00:00:04,260\nWords\n".
      let script = try MediaTool.run("ffmpeg", ["-v", "error", "-nostdin", "-i", "file:" + path, "-map", "0:s:\(number)", "-f", "srt", "-"])
      let blocks = String(decoding: script, as: UTF8.self).components(separatedBy: "\n\n").filter { !$0.isEmpty }
      #expect(cues.count == blocks.count && cues.count > 2, "\(cues.count) of \(blocks.count)")
      for (cue, block) in zip(cues, blocks) {
        let lines = block.split(separator: "\n").map(String.init)
        #expect(cue.lines.map(\.text) == Array(lines.dropFirst(2)))
        let times = lines[1].components(separatedBy: " --> ").compactMap { MediaTime(clockText: $0.replacing(",", with: ".")) }
        try #require(times.count == 2, "\(lines[1])")
        for (time, expected) in zip([cue.timeRange.start, cue.timeRange.end], times) {
          #expect(abs((time - expected).seconds) < 0.0011, "\(lines[1]): \(time)")
        }
      }
    }
  }

  /// Cues begin when their packets say, counted from the first frame.
  @Test(
    .enabled(if: SharedClips.has("tracks/sample_with_ass_subtitles.mkv"), Comment(rawValue: SharedClips.missing)),
    arguments: ["sample_with_ass_subtitles.mkv", "sample_with_srt.mkv"])
  func realText(name: String) async throws {
    let path = try #require(SharedClips.path("tracks/" + name))
    let item = try await Self.item(path)
    item.selectedSubtitles = try #require(item.subtitleGroup?.options.first)
    let cues = try await #require(item.subtitles).load().cues
    let first = try MediaTool.probe(path, entries: "stream=start_time").compactMap(Double.init)[0]
    let starts = try MediaTool.probe(path, stream: "s:0", entries: "packet=pts_time").compactMap(Double.init).map { $0 - first }
    #expect(!cues.isEmpty && cues.count == starts.count && cues.allSatisfy { !$0.text.isEmpty })
    for (cue, start) in zip(cues, starts) { #expect(abs(cue.timeRange.start.seconds - start) < 0.001) }
  }

  // MARK: - Choosing

  @Test func automaticChoice() async throws {
    let item = try await Self.item(Self.clip("subrip.mkv", codec: "subrip"))
    let group = try #require(item.subtitleGroup)
    func choice(_ wishes: [String], _ languages: [String] = [], spoken: String? = nil) -> String? {
      group.automaticOption(
        wishes: wishes.compactMap { LanguageTag($0) }, languages: languages.compactMap { LanguageTag($0) },
        spoken: spoken.flatMap { LanguageTag($0) })?.language?.description
    }
    // ffmpeg marks the first one as the default unless it is told otherwise.
    let isDefault = group.options[0].track.isDefault
    #expect(choice(["en"]) == "en" && choice(["de"]) == "de" && choice(["fr", "en-GB"]) == "en")
    #expect(choice([]) == (isDefault ? "de" : nil) && choice(["fr"]) == (isDefault ? "de" : nil))
    if !isDefault {
      #expect(choice([], ["de"], spoken: "fr") == "de" && choice([], ["de"], spoken: "de") == nil)
      #expect(choice([], ["de"], spoken: "en") == "en", "what is forced in the language that is spoken")
    }
  }

  /// Such as are not meant to be seen; they do not stay for ever.
  @Test(arguments: ["srt", "vtt"]) func cuesThatLastForNoTime(form: String) async throws {
    let folder = try Folder()
    let dot = form == "srt" ? "," : "."
    let text = """
      1
      00:00:01\(dot)000 --> 00:00:02\(dot)000
      One

      2
      00:00:03\(dot)000 --> 00:00:03\(dot)000
      Nothing

      3
      00:00:05\(dot)000 --> 00:00:04\(dot)000
      Less than nothing

      """
    let path = try folder.write("a.\(form)", ((form == "vtt" ? "WEBVTT\n\n" : "") + text).utf8)
    let item = try await Self.item(SampleClip.h264BFrames.path())
    let options = try await withCheckedThrowingContinuation { done in item.addSubtitles(file: path) { done.resume(with: $0) } }
    item.selectedSubtitles = options.first
    #expect(try await Self.words(item.subtitles) == ["1.0–2.0 One"])
  }
}
