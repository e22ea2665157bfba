import Foundation
import Pixels
import TestSupport
import Testing

@testable import Playback

/// Rendered files hold the movie's frames, to the bit, at its times.
@Suite(.timeLimit(.minutes(20))) struct VideoRendererTests {
  private static func sample(
    _ name: String, width: Int = 160, height: Int = 90, rate: String = "25", _ coding: [String] = ["-c:v", "libx264", "-g", "25", "-bf", "2"]
  ) throws -> Asset {
    Asset(
      path: try SampleMedia.clip(
        name: name, arguments: SampleMedia.numbered(width: width, height: height, rate: rate, seconds: 4) + ["-pix_fmt", "yuv420p"] + coding))
  }

  private func time(_ value: Int64, _ scale: Int32 = 25) -> MediaTime { MediaTime(value: value, timescale: scale) }

  /// Frames from…to of a clip of 25 frames a second.
  private func range(_ frames: Range<Int64>) -> TimeRange { TimeRange(start: time(frames.lowerBound), end: time(frames.upperBound)) }

  private func render(
    _ movie: Composition, _ name: String, _ folder: TemporaryFolder, _ change: (inout VideoRenderer.Options) -> Void = { _ in }
  ) throws -> (path: String, result: VideoRenderer.Result) {
    var options = VideoRenderer.Options()
    change(&options)
    let path = folder.path(name)
    return (path, try VideoRenderer(asset: Asset(composition: movie), options: options).render(to: path))
  }

  private func image(_ path: String, _ number: Int) async throws -> PixelImage {
    let maker = ImageGenerator(asset: Asset(path: path))
    maker.requestedTimeToleranceBefore = .zero
    maker.requestedTimeToleranceAfter = .zero
    return try await maker.image(ofFrame: number).image
  }

  // MARK: -

  @Test func framesAreThoseOfTheCompositionAndOfFFmpeg() throws {
    let a = try Self.sample("render-a.mp4"), b = try Self.sample("render-b.mkv", ["-c:v", "mpeg4", "-g", "12", "-bf", "2"])
    let cuts: [(Asset, Range<Int64>)] = [(a, 12..<37), (b, 50..<75), (a, 3..<20), (b, 3..<4), (a, 80..<100)]
    var movie = Composition()
    for (asset, frames) in cuts { try movie.append(range(frames), of: asset) }
    let folder = try TemporaryFolder()
    let filters = cuts.enumerated().map { "[\($1.0 === a ? 0 : 1):v]trim=start_frame=\($1.1.lowerBound):end_frame=\($1.1.upperBound),setpts=PTS-STARTPTS[p\($0)]" }
    let graph = filters.joined(separator: ";") + ";" + cuts.indices.map { "[p\($0)]" }.joined() + "concat=n=\(cuts.count)"
    let reference = try MediaTool.frameHashes(["-i", a.path, "-i", b.path, "-filter_complex", graph])
    let listing = try CompositionListing(movie)
    let lines = try listing.lines(order: .linear)
    #expect(lines.map(\.md5) == reference)
    for name in ["out.mkv", "out.nut", "out.avi", "out.mov"] {
      let (path, result) = try render(movie, name, folder)
      #expect(result.frameCount == 88 && result.duration == time(88) && result.codec == "ffv1")
      #expect(try MediaTool.frameHashes(["-i", path]) == reference, "\(name)")
      let own = try FrameListing(path: path)
      let found = try own.lines(order: .shuffle)
      #expect(found.map(\.md5) == reference, "\(name)")
      let begin = found.first?.pts ?? 0
      #expect(found.enumerated().allSatisfy { number, line in
        MediaTime(ticks: (line.pts ?? 0) - begin, in: own.timeBase) == time(Int64(number))
      }, "\(name)")
    }
  }

  @Test func framesOfDifferentLengthsKeepTheirTimes() throws {
    let a = try Self.sample("render-a.mp4"), ntsc = try Self.sample("render-ntsc.mp4", rate: "30000/1001")
    var movie = Composition()
    try movie.append(TimeRange(start: time(1, 50), end: time(61, 50)), of: a)
    try movie.append(TimeRange(start: time(1001, 30000), end: time(21021, 30000)), of: ntsc)
    movie.scale(TimeRange(start: time(1, 2), end: time(1)), to: time(40))
    let folder = try TemporaryFolder()
    let listing = try CompositionListing(movie)
    let lines = try listing.lines(order: .linear)
    let (path, _) = try render(movie, "out.nut", folder)
    let own = try FrameListing(path: path)
    let found = try own.lines(order: .linear)
    #expect(found.map(\.md5) == lines.map(\.md5))
    #expect(found.compactMap { $0.pts.map { MediaTime(ticks: $0, in: own.timeBase) } }
      == lines.compactMap { $0.pts.map { MediaTime(ticks: $0, in: listing.timeBase) } })
    // B-frames and MPEG-4's coarse ticks change no time either.
    for codec in ["h264", "mpeg4"] where codec == "mpeg4" || hasEncoder("libx264") {
      let (path, result) = try render(movie, "\(codec).mp4", folder) { $0.codec = codec }
      #expect(result.frameCount == lines.count)
      let own = try FrameListing(path: path)
      #expect(try own.lines(order: .linear).compactMap { $0.pts.map { MediaTime(ticks: $0, in: own.timeBase) } }
        == lines.compactMap { $0.pts.map { MediaTime(ticks: $0, in: listing.timeBase) } }, "\(codec)")
    }
  }

  private func hasEncoder(_ name: String) -> Bool {
    let list = (try? MediaTool.run("ffmpeg", ["-v", "error", "-encoders"])).map { String(decoding: $0, as: UTF8.self) } ?? ""
    return list.contains(" \(name) ")
  }

  // MARK: - Text

  private func line(_ text: String) -> CompositionOverlay.Content { .text([SubtitleLine([SubtitleSpan(text)])], SubtitlePlacement()) }

  /// Returns the text over the frames at each of some times.
  private func read(at times: [MediaTime], _ text: (MediaTime) -> [SubtitleCue]) -> [String] {
    times.map { text($0).map(\.text).sorted().joined(separator: "|") }
  }

  @Test(arguments: ["mkv", "mp4", "mov", "webm"]) func textIsATrackThatIsSeenWithTheSameFrames(ending: String) async throws {
    if ending == "webm", !hasEncoder("libvpx") { return }
    let a = try Self.sample("render-a.mp4"), ntsc = try Self.sample("render-ntsc.mp4", rate: "30000/1001")
    // A movie within the movie, backwards, and again cut off amid its text.
    var inner = Composition()
    try inner.append(range(0..<50), of: a)
    inner.videoComposition.overlays = [
      CompositionOverlay(line("inner {text}"), timeRange: range(7..<20), fadeIn: time(5), fadeOut: time(5)),
      CompositionOverlay(line("more"), timeRange: range(15..<40)),
    ]
    let within = Asset(composition: inner)
    var movie = Composition()
    try movie.append(TimeRange(start: time(1001, 30000), end: time(61061, 30000)), of: ntsc)
    try movie.append(range(0..<50), of: within)
    movie.scale(TimeRange(start: time(2002, 1000), end: time(2002, 1000) + time(50)), to: time(30), isReversed: true)
    try movie.append(range(10..<30), of: within)
    movie.videoComposition.overlays = [
      CompositionOverlay(line("outer"), timeRange: TimeRange(start: time(1, 3), end: time(2) + time(2002, 1000))),
      CompositionOverlay(line("late"), timeRange: TimeRange(start: time(7, 3), end: time(100))),
    ]
    let folder = try TemporaryFolder()
    let codec = ending == "webm" ? "vp8" : ending == "mkv" ? "ffv1" : "mpeg4"
    let (path, result) = try render(movie, "out.\(ending)", folder) { $0.codec = codec }
    #expect(!result.lacksText)
    let listing = try CompositionListing(movie)
    let times = try listing.lines(order: .linear).compactMap { $0.pts.map { MediaTime(ticks: $0, in: listing.timeBase) } }
    let shown = Asset(composition: movie)
    _ = try await shown.load(.facts)
    let media = try #require(shown.composition)
    let wanted = read(at: times) { media.text(at: $0) }
    #expect(Set(wanted).isSuperset(of: ["", "outer", "inner {text}|late", "inner {text}|late|more"]), "\(Set(wanted))")
    let made = Asset(path: path)
    let facts = try await made.load(.facts)
    let track = try #require(facts.tracks.first { $0.characteristic == .legible })
    #expect(track.isDefault)
    let subtitles = try await made.subtitles(of: track, startTime: facts.startTime).load()
    let own = try FrameListing(path: path)
    let begin = facts.startTime
    let found = try own.lines(order: .linear).compactMap { $0.pts.map { MediaTime(ticks: $0, in: own.timeBase) - begin } }
    #expect(found.count == times.count && result.frameCount == times.count)
    let seen = read(at: found) { time in
      // One at a time is what QuickTime's text is.
      subtitles.cues(at: time).flatMap { $0.text.split(separator: "\n").map { cue(String($0)) } }
    }
    #expect(seen == wanted)
  }

  private func cue(_ text: String) -> SubtitleCue { SubtitleCue(timeRange: range(0..<1), lines: [SubtitleLine([SubtitleSpan(text)])]) }

  /// Text that players and libavcodec would take for markup, in containers that code text in different ways.
  @Test(arguments: ["mkv", "mp4", "webm"]) func textIsNeverMarkup(ending: String) async throws {
    if ending == "webm", !hasEncoder("libvpx") { return }
    let a = try Self.sample("render-a.mp4")
    let texts = ["a {", "b}", "{x}", "C:\\n\u{303}\\N\\h", "<i>&amp;", "{\u{301}secret}", "end\\", "-->"]
    var movie = Composition()
    try movie.append(range(0..<50), of: a)
    let lines = texts.map { SubtitleLine([SubtitleSpan($0)]) }
    movie.videoComposition.overlays = [
      CompositionOverlay(.text(lines, SubtitlePlacement()), timeRange: range(0..<25), fadeIn: MediaTime(value: 1 << 41, timescale: 1)),
      CompositionOverlay(.text(lines.reversed(), SubtitlePlacement()), timeRange: range(30..<40)),
    ]
    let folder = try TemporaryFolder()
    let (path, _) = try render(movie, "out.\(ending)", folder) { $0.codec = ending == "webm" ? "vp8" : "mpeg4" }
    let made = Asset(path: path)
    let facts = try await made.load(.facts)
    let track = try #require(facts.tracks.first { $0.characteristic == .legible })
    let cues = try await made.subtitles(of: track, startTime: .zero).load().cues
    func shown(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value).filter { $0 != 0x2060 } }
    let expected = [texts.map(shown), texts.reversed().map(shown)]
    #expect(cues.map { $0.lines.map { shown($0.text) } } == expected)
  }

  /// The file rounds its frames' times to milliseconds, one of them up to where the text ends.
  @Test(arguments: [501, 500, 467]) func theLastFrameKeepsItsText(milliseconds: Int64) async throws {
    let ntsc = try Self.sample("render-ntsc.mp4", rate: "30000/1001")
    var movie = Composition()
    try movie.append(TimeRange(start: .zero, end: time(30030, 30000)), of: ntsc)
    movie.videoComposition.overlays = [CompositionOverlay(line("x"), timeRange: TimeRange(start: time(1, 30), end: time(milliseconds, 1000)))]
    let folder = try TemporaryFolder()
    let (path, _) = try render(movie, "out.mkv", folder)
    let made = Asset(path: path)
    let facts = try await made.load(.facts)
    let track = try #require(facts.tracks.first { $0.characteristic == .legible })
    let cues = try await made.subtitles(of: track, startTime: .zero).load()
    let own = try FrameListing(path: path)
    let seen = try own.lines(order: .linear).map { line in
      !cues.cues(at: MediaTime(ticks: line.pts ?? 0, in: own.timeBase)).isEmpty
    }
    #expect(seen == (0..<30).map { time(1001 * Int64($0), 30000) >= time(1, 30) && time(1001 * Int64($0), 30000) < time(milliseconds, 1000) })
  }

  /// Two that begin together stay in their order, and a fade that is longer than the text ends where that does.
  @Test func textKeepsItsOrderAndItsFade() async throws {
    let a = try Self.sample("render-a.mp4")
    var movie = Composition()
    try movie.append(range(0..<50), of: a)
    movie.videoComposition.overlays = [
      CompositionOverlay(line("Title"), timeRange: range(0..<40)), CompositionOverlay(line("Subtitle"), timeRange: range(0..<25)),
      CompositionOverlay(line("Short"), timeRange: range(25..<50), fadeIn: time(25), fadeOut: time(50)),
    ]
    (movie.title, movie.chapters) = ("A film", [(0, 20), (20, 50)].map { Chapter(timeRange: range($0.0..<$0.1), title: "from \($0.0)") })
    let folder = try TemporaryFolder()
    let (path, _) = try render(movie, "out.mkv", folder)
    let made = Asset(path: path)
    let facts = try await made.load(.facts)
    let track = try #require(facts.tracks.first { $0.characteristic == .legible })
    #expect(try await made.subtitles(of: track, startTime: .zero).load().cues.map(\.text) == ["Title", "Subtitle", "Short"])
    let script = String(decoding: try MediaTool.run("ffmpeg", ["-v", "error", "-i", path, "-map", "0:s", "-f", "ass", "-"]), as: UTF8.self)
    #expect(script.contains("{\\fade(255,170,255,0,333,333,1000)}Short"), "\(script)")
    #expect(facts.title == "A film" && facts.chapters.map(\.title) == ["from 0", "from 20"])
    #expect(facts.chapters.map(\.timeRange) == movie.chapters.map(\.timeRange))
    // One text follows another in MP4 without anything between.
    let (other, _) = try render(movie, "out.mp4", folder) { $0.codec = "mpeg4" }
    let durations = try MediaTool.probe(other, stream: "s:0", entries: "packet=duration_time")
    #expect(durations.count >= 3 && durations.allSatisfy { (Double($0) ?? 0) > 0 }, "\(durations)")
  }

  @Test(arguments: ["png", "mjpeg", "huffyuv", "ffvhuff", "utvideo"]) func matroskaHoldsThemAll(codec: String) throws {
    let a = try Self.sample("render-a.mp4")
    var movie = Composition()
    try movie.append(range(0..<5), of: a)
    let folder = try TemporaryFolder()
    #expect(try render(movie, "out.mkv", folder) { $0.codec = codec }.result.frameCount == 5)
  }

  /// Some containers take what nobody can read from them.
  @Test(arguments: [("ts", nil), ("mpg", nil), ("wtv", nil), ("yuv", nil), ("mpg", true), ("mkv", nil), ("ts", false)] as [(String, Bool?)])
  func whatCannotBeReadBackIsNoSuccess(ending: String, copies: Bool?) throws {
    let clip = try Self.sample("readback.mp4", ["-c:v", "libx264", "-preset", "veryfast", "-g", "10", "-bf", "0"]).path
    let folder = try TemporaryFolder()
    var options = VideoRenderer.Options()
    options.copiesPackets = copies == true
    if copies == false { options.codec = "mpeg2video" }
    let renderer = VideoRenderer(asset: Asset(path: clip), options: options)
    if ending == "mkv" || copies == false {
      #expect(try renderer.render(to: folder.path("out.\(ending)")).frameCount == 100)
    } else {
      let error = #expect(throws: PlaybackError.self) { try renderer.render(to: folder.path("out.\(ending)")) }
      #expect(error?.reason == .unknownCodec && error?.file == nil, "\(error as Any)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
  }

  @Test func errorsNameTheFileThatTheyConcern() throws {
    let folder = try TemporaryFolder()
    func line(_ input: String, _ output: String, codec: String? = nil) throws -> String? {
      var options = VideoRenderer.Options()
      options.codec = codec
      let renderer = VideoRenderer(asset: Asset(path: input), options: options)
      return #expect(throws: PlaybackError.self) { try renderer.render(to: output) }?.message(naming: output)
    }
    try Data("no clip".utf8).write(to: URL(fileURLWithPath: folder.path("a.mp4")))
    let clip = try Self.sample("readback.mp4", ["-c:v", "libx264", "-preset", "veryfast", "-g", "10", "-bf", "0"]).path
    #expect(try line(folder.path("a.mp4"), "/out.mkv")?.hasPrefix("\(folder.path("a.mp4")): ") == true)
    #expect(try line(clip, "/nowhere/out.mkv") == "/nowhere/out.mkv: cannot be written: no such file or directory")
    #expect(try line(clip, folder.path("out.mkv"), codec: "nothing") == "\(folder.path("out.mkv")): no such encoder: nothing")
  }

  @Test func containersWithoutTextSayWhatIsMissing() throws {
    let a = try Self.sample("render-a.mp4")
    var movie = Composition()
    try movie.append(range(0..<25), of: a)
    let folder = try TemporaryFolder()
    #expect(try !render(movie, "none.avi", folder).result.lacksText)
    movie.videoComposition.overlays = [CompositionOverlay(line("x"), timeRange: range(5..<10))]
    for name in ["out.avi", "out.nut"] { #expect(try render(movie, name, folder).result.lacksText, "\(name)") }
    #expect(try !render(movie, "out.mkv", folder).result.lacksText)
  }

  @Test func aRateMakesAllFramesEquallyLong() throws {
    let a = try Self.sample("render-a.mp4")
    var movie = Composition()
    try movie.append(range(10..<60), of: a)
    let folder = try TemporaryFolder()
    let (path, result) = try render(movie, "out.mov", folder) { $0.frameRate = Ratio(30000, 1001) }
    let expected = (0..<60).map { 10 + $0 * 1001 * 25 / 30000 }
    #expect(result.frameCount == 60)
    let clip = try FrameListing(path: a.path).lines(order: .linear)
    let own = try FrameListing(path: path)
    let found = try own.lines(order: .linear)
    #expect(found.map(\.md5) == expected.map { clip[$0].md5 })
    #expect(found.enumerated().allSatisfy { MediaTime(ticks: $1.pts ?? -1, in: own.timeBase) == time(Int64($0) * 1001, 30000) })
  }

  @Test func whatIsMixedIsThatOfTheComposition() throws {
    let a = try Self.sample("render-a.mp4"), b = try Self.sample("render-b.mkv", ["-c:v", "mpeg4", "-g", "12", "-bf", "2"])
    var movie = Composition()
    try movie.append(range(0..<30), of: a)
    try movie.insertEmpty(TimeRange(start: .zero, end: time(20)), track: 1)
    try movie.append(range(40..<70), of: b, track: 1)
    movie.videoComposition.instructions = [
      VideoCompositionInstruction(timeRange: range(20..<30), transition: .crossDissolve, from: 0, to: 1)
    ]
    // RGB, in which what is mixed is kept as it is.
    movie.videoComposition.pixelFormat = "bgr0"
    let folder = try TemporaryFolder()
    let (path, _) = try render(movie, "out.mkv", folder)
    let lines = try CompositionListing(movie).lines(order: .linear)
    let found = try MediaTool.frameHashes(["-i", path, "-pix_fmt", "rgb24"])
    #expect(found.count == lines.count && found[20..<30].elementsEqual(lines[20..<30].map(\.md5)))
    #expect(try MediaTool.probe(path, entries: "stream=pix_fmt,color_range,color_space") == ["bgr0,pc,gbr"])
  }

  @Test func piecesOfOtherSizesAndFormatsStandOnBlack() async throws {
    let a = try Self.sample("render-a.mp4")
    let wide = try Self.sample("render-wide.mkv", width: 320, height: 90, ["-c:v", "ffv1", "-pix_fmt", "yuv444p"])
    let bright = try Self.sample("render-full.mp4", ["-vf", "scale=out_range=pc:out_color_matrix=bt709", "-color_range", "pc", "-colorspace", "bt709", "-c:v", "libx264", "-qp", "0"])
    let turned = try SampleClip.rotated90.path()
    var movie = Composition()
    for asset in [a, wide, bright, Asset(path: turned), a] { try movie.append(range(30..<35), of: asset) }
    let folder = try TemporaryFolder()
    let (path, _) = try render(movie, "out.mkv", folder)
    let clip = try FrameListing(path: a.path).lines(order: .linear)
    let found = try FrameListing(path: path).lines(order: .linear)
    #expect(found.count == 26)
    #expect(found.prefix(5).map(\.md5) == clip[30..<35].map(\.md5) && found.suffix(5).map(\.md5) == clip[30..<35].map(\.md5))
    // What the composition itself shows, within what 4:2:0 loses: chroma begins at each second row only.
    let asset = Asset(composition: movie)
    let maker = ImageGenerator(asset: asset)
    maker.requestedTimeToleranceBefore = .zero
    maker.requestedTimeToleranceAfter = .zero
    for number in [7, 12, 17] {
      let shown = try await maker.image(at: time(Int64(number))).image
      let written = try await image(path, number)
      #expect(written.size == shown.size)
      let difference = written.withBytes { x in
        shown.withBytes { y in zip(x, y).reduce(0.0) { $0 + abs(Double($1.0) - Double($1.1)) } / Double(x.count) }
      }
      #expect(difference < 7, "frame \(number)")
    }
    let letterboxed = try await image(path, 7)
    #expect(letterboxed[80, 4].red < 3 && letterboxed[80, 86].blue < 3)
  }

  @Test func pixelsThatAreNotSquareAndColorsStayAsTheyAre() throws {
    for clip in [SampleClip.anamorphic, .hdrPQ, .fullRange, .interlacedTopFirst, .h264TenBit422, .oddSize, .jpeg] {
      let path = try clip.path()
      let folder = try TemporaryFolder()
      let out = folder.path("out.mkv")
      _ = try VideoRenderer(asset: Asset(path: path)).render(to: out)
      #expect(try FrameListing(path: out).lines(order: .linear).map(\.md5) == FrameListing(path: path).lines(order: .linear).map(\.md5), "\(clip)")
      let facts = try Asset(path: path).wait(for: .facts), made = try Asset(path: out).wait(for: .facts)
      let track = try #require(facts.preferredVideoTrack), own = try #require(made.preferredVideoTrack)
      #expect(own.presentationSize == track.presentationSize && own.codedSize == track.codedSize, "\(clip)")
      for name in [\AssetTrack.colorSpace, \.colorTransfer, \.colorPrimaries] where track[keyPath: name] != "unknown" {
        #expect(own[keyPath: name] == track[keyPath: name], "\(clip)")
      }
    }
  }

  // MARK: - Copying

  /// The coding of copied clips: groups of 20 frames, whose first ones depend on the group before in open groups.
  enum Coding: String, CaseIterable {
    case h264, h264Open, hevc, hevcOpen, mpeg2, mpeg2Open, vp9

    var isOpen: Bool { [.h264Open, .hevcOpen, .mpeg2Open].contains(self) }

    /// Files that hold it.
    var names: [String] { ["out.mp4", "out.mkv"] + [self == .vp9 ? "out.webm" : "out.ts"] }

    var options: [String] {
      let gop = "open-gop=\(isOpen ? 1 : 0):keyint=20:min-keyint=20:scenecut=0"
      return switch self {
      case .h264, .h264Open: ["-c:v", "libx264", "-bf", "2", "-x264-params", gop]
      case .hevc, .hevcOpen: ["-c:v", "libx265", "-x265-params", "log-level=error:bframes=2:\(gop)"]
      case .mpeg2: ["-c:v", "mpeg2video", "-g", "20", "-bf", "2", "-flags", "+cgop", "-sc_threshold", "1000000000"]
      case .mpeg2Open: ["-c:v", "mpeg2video", "-g", "20", "-bf", "2"]
      // With frames that are decoded and not shown.
      case .vp9: ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "5", "-g", "20", "-auto-alt-ref", "1", "-lag-in-frames", "12"]
      }
    }
  }

  @Test(arguments: Coding.allCases) func packetsAreCopiedFromRandomAccessPoints(coding: Coding) throws {
    let isOpen = coding.isOpen
    let a = try Self.sample("copy-\(coding)-a.mp4", coding.options), b = try Self.sample("copy-\(coding)-b.mkv", coding.options)
    var movie = Composition()
    let cuts: [(Asset, Range<Int64>)] = [(a, 20..<40), (b, 47..<61), (a, 0..<9), (b, 9..<60), (b, 60..<80), (a, 80..<100)]
    for (asset, frames) in cuts { try movie.append(range(frames), of: asset) }
    let folder = try TemporaryFolder()
    for name in coding.names {
      let (path, result) = try render(movie, name, folder) { $0.copiesPackets = true }
      // What it says: frames from the places at which each piece begins and ends now.
      var expected: [String] = []
      for (number, (asset, frames)) in cuts.enumerated() {
        let clip = try FrameListing(path: asset.path).lines(order: .linear).map(\.md5)
        var (from, to) = (Int(frames.lowerBound), Int(frames.upperBound))
        for cut in result.movedCuts where cut.piece == number {
          let frames = Int((cut.distance.seconds * 25).rounded())
          #expect(frames > 0)
          if cut.edge == .start { from -= frames } else { to += frames }
        }
        expected += clip[from..<to]
      }
      #expect(result.frameCount == expected.count)
      let decoded = try MediaTool.run("ffmpeg", ["-v", "warning", "-xerror", "-i", path, "-f", "null", "-"])
      #expect(decoded.isEmpty)
      let own = try FrameListing(path: path)
      let found = try own.lines(order: .linear)
      #expect(found.map(\.md5) == expected, "\(name)")
      let first = found.first?.pts ?? 0
      if name == "out.mp4" {
        #expect(found.enumerated().allSatisfy { MediaTime(ticks: ($1.pts ?? 0) - first, in: own.timeBase) == time(Int64($0)) })
      }
      // This encoder puts its first groups elsewhere.
      if !isOpen, coding != .mpeg2 {
        #expect(!result.movedCuts.contains { [0, 4, 5].contains($0.piece) }, "\(result.movedCuts)")
        #expect(result.movedCuts.contains { $0.piece == 1 && $0.edge == .start && $0.distance == time(7) })
      }
    }
  }

  @Test func whatCannotBeCopiedIsRefused() throws {
    let a = try Self.sample("render-a.mp4"), b = try Self.sample("render-b.mkv", ["-c:v", "mpeg4", "-g", "12", "-bf", "2"])
    let folder = try TemporaryFolder()
    func refusal(_ movie: Composition) -> String? {
      do { _ = try render(movie, "out.mkv", folder) { $0.copiesPackets = true } } catch let error as PlaybackError {
        return error.reason == .invalidEdit ? error.message : nil
      } catch {}
      return nil
    }
    var both = Composition()
    for asset in [a, b] { try both.append(range(0..<25), of: asset) }
    #expect(refusal(both) == "cannot copy: piece 2 is encoded differently from the first")
    var slow = Composition()
    try slow.append(range(0..<25), of: a)
    slow.scale(range(0..<25), to: time(50))
    #expect(refusal(slow) == "cannot copy: piece 1 does not play forwards at normal speed")
    var empty = Composition()
    try empty.append(range(0..<25), of: a)
    try empty.insertEmpty(range(0..<5))
    #expect(refusal(empty) == "cannot copy: piece 1 is empty")
    var sized = Composition()
    try sized.append(range(0..<25), of: a)
    sized.videoComposition.renderSize = PixelSize(width: 64, height: 64)
    #expect(refusal(sized) != nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  // MARK: - What does not work

  @Test func refusalsLeaveNothing() throws {
    let a = try Self.sample("render-a.mp4")
    let folder = try TemporaryFolder()
    var movie = Composition()
    try movie.append(range(0..<25), of: a)
    func reason(_ movie: Composition, _ path: String, _ change: (inout VideoRenderer.Options) -> Void = { _ in }) -> PlaybackError.Reason? {
      var options = VideoRenderer.Options()
      change(&options)
      do { _ = try VideoRenderer(asset: Asset(composition: movie), options: options).render(to: path) } catch { return (error as? PlaybackError)?.reason }
      return nil
    }
    #expect(reason(movie, folder.path("out")) == .unknownFormat)
    #expect(reason(movie, folder.path("out.png")) == .unknownFormat)
    #expect(reason(movie, folder.path("out.mp4")) == .unknownCodec)
    #expect(reason(movie, folder.path("out.mkv")) { $0.codec = "nothing" } == .unknownCodec)
    #expect(reason(movie, folder.path("out.mkv")) { $0.codec = "aac" } == .unknownCodec)
    #expect(reason(movie, a.path) == .system)
    let other = folder.path("link.mkv")
    try FileManager.default.linkItem(atPath: a.path, toPath: other)
    #expect(reason(movie, other) == .system)
    try FileManager.default.removeItem(atPath: other)
    var missing = movie
    try missing.append(range(0..<5), of: Asset(path: "/nowhere/else.mp4"))
    #expect(reason(missing, folder.path("out.mkv")) == .notFound)
    var named = movie
    try named.insertMissing("gone.mp4", reason: "is gone", duration: time(25), at: time(25))
    #expect(reason(named, folder.path("out.mkv")) == .notFound)
    #expect(reason(Composition(), folder.path("out.mkv")) == .noVideo)
    try FileManager.default.createSymbolicLink(atPath: folder.path("full.mkv"), withDestinationPath: "/dev/full")
    #expect(reason(movie, folder.path("full.mkv")) == .system)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["full.mkv"])
  }

  @Test func clipsOfAMovieWithinThatIsNotMadeYetAreSpared() throws {
    let folder = try TemporaryFolder()
    let clip = folder.path("clip.mp4")
    try FileManager.default.copyItem(atPath: Self.sample("render-a.mp4").path, toPath: clip)
    let before = try Data(contentsOf: URL(fileURLWithPath: clip))
    let part = range(0..<10)
    let inner = Asset(path: folder.path("inner.yaml")) {
      var movie = Composition()
      try movie.append(part, of: Asset(path: clip))
      return movie
    }
    // The first clip alone tells what the movie looks like.
    var movie = Composition()
    try movie.append(range(0..<10), of: Self.sample("render-a.mp4"))
    for frames: Range<Int64> in [0..<5, 5..<10] { try movie.append(range(frames), of: inner) }
    var options = VideoRenderer.Options()
    options.codec = "mpeg4"
    let renderer = VideoRenderer(asset: Asset(composition: movie), options: options)
    #expect { try renderer.render(to: clip) } throws: { ($0 as? PlaybackError)?.reason == .system }
    #expect(try Data(contentsOf: URL(fileURLWithPath: clip)) == before)
  }

  @Test func aTaskRendersAndIsTold() async throws {
    let folder = try TemporaryFolder()
    let progress = Recorder<Int>()
    let result = try await VideoRenderer(asset: Asset(path: SampleClip.tracksAndChapters.path())).render(to: folder.path("out.mkv")) {
      progress.append($0.completed)
    }
    #expect(result.frameCount > 0 && progress.all == Array(1...result.frameCount))
    #expect(!result.lacksSound && result.soundCodec == "flac" && result.lacksSubtitles && !result.lacksText)
    let silent = try await VideoRenderer(asset: Self.sample("render-a.mp4")).render(to: folder.path("silent.mkv"))
    #expect(!silent.lacksSound && silent.soundCodec == nil && !silent.lacksSubtitles)
    let path = folder.path("none.mkv")
    let asset = try Self.sample("render-a.mp4")
    let task = Task { try await VideoRenderer(asset: asset).render(to: path) }
    task.cancel()
    let error = await #expect(throws: PlaybackError.self) { try await task.value }
    #expect(error?.reason == .cancelled)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func cancellingEndsItAndLeavesWhatWasThere() throws {
    let a = try Self.sample("render-a.mp4")
    let folder = try TemporaryFolder()
    let path = folder.path("out.mkv")
    try Data("old".utf8).write(to: URL(fileURLWithPath: path))
    for copies in [false, true] {
      var options = VideoRenderer.Options()
      options.copiesPackets = copies
      let renderer = VideoRenderer(asset: a, options: options)
      var seen = 0
      #expect {
        _ = try renderer.render(to: path) { progress in
          seen = progress.completed
          #expect(progress.total == 100)
          if progress.completed == 10 { renderer.cancel() }
        }
      } throws: { ($0 as? PlaybackError)?.reason == .cancelled }
      #expect(seen == 10)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["out.mkv"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("old".utf8))
  }
}
