import CellGraphics
import Foundation
import Playback
import TestSupport
import Testing

@testable import QuadrilleApp

@Suite(.timeLimit(.minutes(20))) struct ReportTests {
  private func text(_ report: InfoReport) -> String { report.lines.map(\.description).joined(separator: " ") }

  private func pane(error: String? = nil) -> StatsReport.PaneReport {
    var late = DurationHistogram()
    for milliseconds in 1...100 { late.record(Int64(milliseconds) * 1_000_000) }
    return StatsReport.PaneReport(
      clip: "a \"b\"/c.mp4", decoded: 5, shown: 3, skipped: 2, played_s: 1.5,
      late_ms: .init(.init(late), withCount: false),
      seek_ms: .init(.init(late), withCount: true), error: error)
  }

  @Test func chaptersInAnOrderOfTheirOwn() throws {
    var report = InfoReport(clip: try SampleClip.h264BFrames.path(), isPrecise: false)
    #expect(!text(report).contains("edition"))
    report.contents.editions = [.init(is_default: true, ordered: true, chapters: 3), .init(is_default: false, ordered: false, chapters: 2)]
    let lines = report.lines.map(\.description).filter { $0.contains("edition") }
    #expect(lines.count == 2 && lines[0].hasSuffix(" 3 chapters (default), ordered (order not followed)"))
    #expect(lines[1].hasSuffix(" 2 chapters"))
  }

  /// Those of a Matroska file, in which the flag of the default edition is made that of an order of its own.
  @Test func editionsOfAFile() throws {
    let clip = try SampleMedia.chapters("ordered.mkv", count: 1)
    #expect(InfoReport(clip: clip, isPrecise: false).contents.editions == nil)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: clip))
    let flag = try #require(bytes.firstRange(of: Data([0x45, 0xDB, 0x81, 0x01])))
    bytes.replaceSubrange(flag, with: [0x45, 0xDD, 0x81, 0x01])
    let folder = try TemporaryFolder()
    try bytes.write(to: URL(fileURLWithPath: folder.path("ordered.mkv")))
    let report = InfoReport(clip: folder.path("ordered.mkv"), isPrecise: false)
    #expect(report.lines.contains { "\($0)".contains("1 chapters") && "\($0)".hasSuffix(", ordered (order not followed)") })
  }

  /// Each track's name, language, and what it is for.
  @Test func optionsOfAClip() throws {
    let tracks = [
      ("v:0", "eng", "default"), ("v:1", "deu", "0"), ("a:0", "pt-BR", "original"), ("a:1", "fre", "comment+dub"),
      ("s:0", "ger", "forced"), ("s:1", "eng", "hearing_impaired"), ("s:2", "und", "default"),
    ]
    let words = "1\n00:00:00,000 --> 00:00:01,000\nWords\n\n"
    let text = try SampleMedia.file(name: "one.srt", key: [words]) { try Data(words.utf8).write(to: URL(fileURLWithPath: $0)) }
    let clip = try SampleMedia.clip(
      name: "options.mkv",
      arguments: [
        "-f", "lavfi", "-i", "color=s=32x32:r=5:d=1", "-f", "lavfi", "-i", "anullsrc=duration=1", "-i", text, "-map", "0", "-map", "0",
        "-map", "1", "-map", "1", "-map", "2", "-map", "2", "-map", "2", "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "flac",
        "-c:s", "subrip", "-metadata:s:a:1", "title=The director",
      ] + tracks.flatMap { ["-metadata:s:\($0.0)", "language=\($0.1)", "-disposition:\($0.0)", $0.2] })
    let report = InfoReport(clip: clip, isPrecise: false)
    #expect(report.contents.tracks?.map(\.language_tag) == ["en", "de", "pt-BR", "fr", "de", "en", nil])
    #expect(report.contents.tracks?.map(\.is_default) == [true, false, false, false, false, false, true])
    #expect(report.contents.tracks?.map(\.forced) == [false, false, false, false, true, false, false])
    #expect(report.contents.tracks?.map(\.roles) == [nil, nil, ["original"], ["commentary", "dubbed"], nil, ["hearing-impaired"], nil])
    let lines = report.lines.map(\.description)
    for (start, end) in [
      ("video 0", "English  (default)"), ("video 1", "German"), ("audio 2", "Portuguese (BR)  (original)"),
      ("audio 3", "French  “The director”  (commentary, dubbed)"), ("text 4", "German  (forced)"), ("text 5", "English  (hearing-impaired)"),
      ("text 6", "(default)"),
    ] {
      #expect(lines.contains { $0.contains(start) && $0.hasSuffix(end) }, "\(start): \(lines)")
    }
  }

  @Test(arguments: ["no such file", nil]) func theKeysAreThoseOfTheManual(error: String?) throws {
    var link = LinkMeter()
    for n in 1...8 {
      var update = EncodeResult()
      (update.bytes, update.imageBytes, update.loss.cells) = (100, 100, 1000)
      // 30 dB, but for two that are exact.
      update.loss.squaredError = n > 6 ? 0 : 65025 * 6
      link.add(update, at: HostTime(n) * 100_000_000)
    }
    let report = StatsReport(panes: [pane(error: error)], bytes: 7, link: link, roundTrip: 12_345_678, wallNanoseconds: 1_234_567_890)
    let object = try #require(
      try JSONSerialization.jsonObject(with: JSONEncoder().encode(report)) as? [String: Any])
    #expect(Set(object.keys) == [
        "panes", "bytes", "frames_sent", "psnr_db", "update_bytes", "bytes_per_s", "round_trip_ms", "cpu_s", "peak_rss_mb",
        "wall_s",
      ])
    #expect(object["psnr_db"] as? [String: Double] == ["p50": 30, "p5": 30])
    #expect(object["update_bytes"] as? [String: Double] == ["p50": 100, "p5": 100])
    #expect(object["bytes_per_s"] as? [String: NSNull] == ["p50": NSNull(), "p5": NSNull()])
    #expect(object["round_trip_ms"] as? Double == 12.345)
    #expect(
      object["wall_s"] as? Double == 1.234 && object["bytes"] as? Int == 7
        && object["frames_sent"] as? Int == 8)
    let pane = try #require((object["panes"] as? [[String: Any]])?.first)
    #expect(
      Set(pane.keys) == ["clip", "decoded", "shown", "skipped", "played_s", "late_ms", "seek_ms", "error"])
    let late = try #require(pane["late_ms"] as? [String: Double])
    #expect(Set(late.keys) == ["p50", "p95", "max"] && late["max"] == 100)
    #expect(abs((late["p50"] ?? 0) - 50) <= 0.5 && abs((late["p95"] ?? 0) - 95) <= 0.5)
    let seeks = try #require(pane["seek_ms"] as? [String: Double])
    #expect(Set(seeks.keys) == ["count", "p50", "p95", "max"] && seeks["count"] == 100)
    #expect(pane["error"] as? String == error)
  }

  /// Values stand in one column, also behind long names of metadata.
  @Test func theColumnsOfInfoLineUp() throws {
    let clip = try SampleMedia.clip(
      name: "brands.mp4",
      arguments: ["-f", "lavfi", "-i", "testsrc2=size=64x48:rate=10:duration=1", "-c:v", "mpeg4"])
    let lines = InfoReport(clip: clip, isPrecise: false).lines.map(\.description).dropFirst()
    let column = "  compatible_brands ".count
    #expect(lines.contains { $0.hasPrefix("  compatible_brands ") })
    for line in lines {
      let (label, value) = (line.prefix(column), line.dropFirst(column))
      #expect(label.last == " " && value.first != " " && !value.isEmpty, "\(line)")
    }
  }

  @Test func screenDump() {
    var grid = CellGrid(columns: 2, rows: 2)
    grid[column: 1, row: 0] = Cell(
      "▀", foreground: .rgb(255, 0, 10), background: .indexed(200), attributes: .bold)
    grid[column: 0, row: 1] = Cell(glyph: 0x754C, attributes: .reverse)
    grid[column: 1, row: 1] = Cell(glyph: 0)
    #expect(
      ScreenDump(grid).text == """
        {"cols":2,"rows":2}
        [0,0,32,"default","default",0,0]
        [0,1,9600,"ff000a","#200",1,0]
        [1,0,30028,"default","default",0,1]
        [1,1,0,"default","default",0,0]

        """)
  }

  @Test func infoOfAClip() throws {
    let report = InfoReport(clip: try SampleClip.tracksAndChapters.path(), isPrecise: false)
    #expect(!report.failed && report.summary.playable && report.summary.title == "A titled clip")
    #expect(report.contents.tracks?.map(\.type) == ["video", "video", "audio", "audio", "text", "text"])
    #expect(
      report.contents.tracks?[0].width == 320 && report.contents.tracks?[0].height == 180 && report.contents.tracks?[0].frame_rate == 30)
    #expect(report.contents.chapters?.map(\.title) == ["Opening", "Middle", "End"])
    #expect(abs((report.contents.chapters?[1].start_s ?? 0) - 1) < 0.02)
    #expect(text(report).contains("320×180  30 fps"))
    let array = try #require(
      try JSONSerialization.jsonObject(with: Data(InfoReport.json([report, report]).utf8)) as? [[String: Any]]
    )
    #expect(array.count == 2 && array[0]["playable"] as? Bool == true)
  }

  private func video(_ name: String, _ coding: [String], filters: String = "null") throws -> String {
    try SampleMedia.clip(
      name: name, arguments: ["-f", "lavfi", "-i", "testsrc2=size=64x48:rate=25:duration=1", "-vf", filters] + coding)
  }

  /// Facts for encoders and editors, the same as in JSON.
  @Test func infoTellsRatesFieldsAndColours() throws {
    func track(_ clip: String) throws -> (words: String, track: InfoReport.Track, lines: [String]) {
      let report = InfoReport(clip: clip, isPrecise: false)
      let track = try #require(report.contents.tracks?.first)
      return (track.words.description, track, report.lines.map(\.description))
    }
    let x264 = ["-c:v", "libx264", "-preset", "ultrafast"]
    let plain = try track(video("plain.mp4", x264 + ["-pix_fmt", "yuv420p"]))
    #expect(plain.words.contains("64×48  25 fps  25 frames  yuv420p") && plain.words.contains("b/s"), "\(plain.words)")
    #expect(plain.track.variable_frame_rate == false && plain.track.field_order == "progressive" && plain.track.hdr == nil)
    #expect(plain.lines.contains { $0.hasPrefix("  bit rate ") && $0.hasSuffix("b/s") }, "\(plain.lines)")
    let uneven = try track(video("uneven.mp4", x264 + ["-vsync", "vfr"], filters: "select=not(mod(n\\,7)-3)+not(mod(n\\,5))"))
    #expect(uneven.track.variable_frame_rate == true && uneven.words.contains(" fps on average, variable  8 frames"), "\(uneven.words)")
    for (order, words) in [("tff", "interlaced, top field first"), ("bff", "interlaced, bottom field first")] {
      let fields = try track(video("fields.mkv", x264 + ["-flags", "+ildct+ilme"], filters: "setfield=\(order)"))
      #expect(fields.words.contains("25 fps  \(words)") && fields.track.variable_frame_rate == false, "\(fields.words)")
    }
    // Newer versions of ffmpeg take the colours from the frames, older ones from the options.
    func wide(_ transfer: String) throws -> String {
      let tags = ["-pix_fmt", "yuv420p10le", "-colorspace", "bt2020nc", "-color_primaries", "bt2020", "-color_range", "tv"]
      return try video(
        "wide.mp4", x264 + tags + ["-color_trc", transfer],
        filters: "format=yuv420p10le,setparams=colorspace=bt2020nc:color_primaries=bt2020:color_trc=\(transfer):range=tv")
    }
    for (transfer, name) in [("smpte2084", "PQ"), ("arib-std-b67", "HLG")] {
      let wide = try track(wide(transfer))
      #expect(wide.track.hdr == name)
      #expect(
        wide.words.contains("yuv420p10le  matrix bt2020nc, transfer \(transfer), primaries bt2020, tv range, HDR \(name)"),
        "\(wide.words)")
    }
    let mastered = try MasteredClip.path(
      "mastered.mp4", of: wide("smpte2084"), peak: 1000, maximum: 800, average: 400)
    let words = try track(mastered).words
    #expect(words.contains("tv range, HDR PQ, mastered at 1000 cd/m², MaxCLL 800, MaxFALL 400"), "\(words)")
  }

  @Test func infoOfAMovieCountsBlackPiecesAndTellsWhichClipsAreTooShort() throws {
    let folder = try TemporaryFolder()
    let clip = try SampleClip.h264BFrames.path()
    func report(_ pieces: String) throws -> InfoReport {
      try "quadrille: movie 1\npieces:\n\(pieces)".write(toFile: folder.path("cut.yaml"), atomically: true, encoding: .utf8)
      return InfoReport(clip: folder.path("cut.yaml"), isPrecise: false)
    }
    let piece = "  - clip: \(clip)\n    in: 0\n    for: 0.5\n"
    let dissolve = "    transition: dissolve 0.25\n"
    let many = try report("  - empty: 1\n" + piece + piece + dissolve + "  - empty: 1\n" + dissolve + piece + "  - empty: 1\n")
    #expect(many.contents.tracks?.first?.description == "6 pieces" && many.summary.remarks == nil, "\(text(many))")
    #expect(try report(piece).contents.tracks?.first?.description == "1 piece")
    #expect(try report("  - empty: 1\n").contents.tracks?.first?.description == "1 piece")
    let long = try report(piece + "  - clip: \(clip)\n    in: 0\n    for: 100\n")
    #expect(long.summary.remarks?.count == 1 && text(long).contains("cut.yaml:8: piece 2: \(clip): ends at "), "\(text(long))")
  }

  @Test func infoOfAMovieListsTheFirstMissingPiecesWithTheirLines() throws {
    let folder = try TemporaryFolder()
    let cut = folder.path("cut.yaml")
    try "no clip".write(toFile: folder.path("words.mp4"), atomically: true, encoding: .utf8)
    let gone = (1...6).map { "  - clip: gone\($0).mp4\n    for: 1\n" }.joined()
    try "quadrille: movie 1\npieces:\n  - clip: words.mp4\n    in: 0\n    for: 1\n\(gone)".write(toFile: cut, atomically: true, encoding: .utf8)
    let report = InfoReport(clip: cut, isPrecise: false)
    let lines = report.lines.map { $0.description.split(separator: " ", maxSplits: 1).map(String.init) }
    #expect(
      lines.suffix(6).map { $0[0] } == Array(repeating: "error", count: 5) + ["and"] && lines.last == ["and", "2 more"], "\(lines)")
    let errors = lines.suffix(6).map { $0[1].drop { $0 == " " } }
    #expect(errors[0].hasPrefix("\(cut):3: \(folder.path("words.mp4")): is ") && errors[1] == "\(cut):6: gone1.mp4: no such file", "\(errors)")
    #expect(report.summary.error?.hasSuffix("gone4.mp4: no such file; and 2 more") == true, "\(report.summary.error ?? "")")
    // What was found only on opening has its line in the remarks, too.
    #expect(report.summary.remarks?.contains { $0.hasPrefix("\(cut):3: ") } == true, "\(report.summary.remarks ?? [])")
  }

  @Test func infoOfAMovieTellsItsMarkers() throws {
    let folder = try TemporaryFolder()
    let clip = try SampleClip.h264BFrames.path()
    let movie = """
      quadrille: movie 1
      pieces:
        - clip: \(clip)
          for: 0.5
        - empty: 100
      markers:
        - at: 65
          for: 10.5
          name: "Rain\\e[31m"
        - at: 0.25
          name: Cut here

      """
    try movie.write(toFile: folder.path("cut.yaml"), atomically: true, encoding: .utf8)
    let report = InfoReport(clip: folder.path("cut.yaml"), isPrecise: false)
    let lines = report.lines.map(\.description).filter { $0.hasPrefix("  marker ") }
    #expect(lines.map { $0.dropFirst("  marker ".count).drop { $0 == " " } } == ["0:00 Cut here", "1:05…1:15 Rain␛[31m"])
    let array = try #require(
      try JSONSerialization.jsonObject(with: Data(InfoReport.json([report]).utf8)) as? [[String: Any]])
    let markers = try #require(array[0]["markers"] as? [[String: Any]])
    #expect(markers.map { $0["start_s"] as? Double } == [0.25, 65] && markers.map { $0["end_s"] as? Double } == [0.25, 75.5])
    #expect(markers.map { $0["name"] as? String } == ["Cut here", "Rain\u{1B}[31m"])
    #expect(InfoReport(clip: clip, isPrecise: false).contents.markers == nil)
  }

  /// libav reads the header of an animated WebP, but decodes no frame of it.
  @Test func anUnknownSizeIsLeftOut() throws {
    let clip = try SampleMedia.clip(
      name: "animated.webp", arguments: ["-f", "lavfi", "-i", "testsrc=size=64x36:rate=5:duration=1", "-c:v", "libwebp_anim"])
    let report = InfoReport(clip: clip, isPrecise: false)
    let track = try #require(report.contents.tracks?.first)
    if track.width == nil { #expect(track.words == "WebP" && track.height == nil && track.frame_rate == nil) }
    #expect(!text(report).contains("0×0"))
  }

  @Test func infoOfFaultyClips() throws {
    let missing = InfoReport(clip: "/nowhere/\u{1B}[31mx.mp4", isPrecise: false)
    #expect(missing.failed && !missing.summary.playable && missing.summary.error == "no such file")
    #expect(!text(missing).unicodeScalars.contains { $0.properties.generalCategory == .control })
    let sound = InfoReport(clip: try SampleClip.audioOnly.path(), isPrecise: true)
    #expect(!sound.failed && sound.summary.playable && sound.summary.characteristics == ["audible"] && sound.summary.duration_is_estimate == false)
    let words = InfoReport(clip: try SampleMedia.words(), isPrecise: false)
    #expect(!words.failed && !words.summary.playable && text(words).contains("nothing playable"))
  }

  @Test func infoOfATurnedClip() throws {
    let report = InfoReport(clip: try SampleClip.rotated90.path(), isPrecise: false)
    let track = try #require(report.contents.tracks?.first { $0.type == "video" })
    #expect(track.width == 320 && track.height == 180)
    #expect(track.presentation_width == 180 && track.presentation_height == 320 && track.rotation == 90)
    #expect(text(report).contains("shown 180×320") && text(report).contains("rotated 90°"))
  }
}
