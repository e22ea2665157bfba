import Foundation
import Pixels
import TestSupport
import Testing

@testable import Playback

/// Compositions of real clips: their frames are the clips' own, to the bit, in any order.
@Suite(.timeLimit(.minutes(20))) struct CompositionListingTests {
  /// A clip, and all its frames.
  private struct Clip {
    var asset: Asset
    var frames: [(pts: MediaTime, md5: String)]

    init(_ path: String) throws {
      asset = Asset(path: path)
      let facts = try asset.wait(for: .facts)
      let listing = try FrameListing(path: path)
      frames = try listing.lines(order: .linear).compactMap { line in
        line.pts.map { (MediaTime(ticks: $0, in: listing.timeBase) - facts.startTime, line.md5) }
      }
    }

    /// The hashes of the frames that are on display in a range.
    func md5s(_ range: TimeRange) -> [String] {
      let first = max(0, (frames.firstIndex { $0.pts > range.start } ?? frames.count) - 1)
      let end = frames.firstIndex { $0.pts >= range.end } ?? frames.count
      return frames[first..<end].map(\.md5)
    }
  }

  private static func sample(_ name: String, width: Int = 160, rate: String, _ coding: [String]) throws -> String {
    try SampleMedia.clip(
      name: name, arguments: SampleMedia.numbered(width: width, height: 90, rate: rate, seconds: 4) + coding)
  }

  /// They differ in size, shape, rate, codec, colour, and in when they begin.
  private static func clips() throws -> [Clip] {
    try [
      Clip(sample("pieces-25.mp4", rate: "25", ["-c:v", "libx264", "-preset", "veryfast", "-g", "50", "-bf", "2"])),
      Clip(sample("pieces-ntsc.mp4", rate: "30000/1001", ["-c:v", "libx264", "-preset", "veryfast", "-g", "30"])),
      Clip(sample("pieces.mkv", rate: "24", ["-c:v", "mpeg4", "-g", "12"])),
      // Its first frame is stamped with some seconds.
      Clip(
        sample(
          "pieces.ts", width: 96, rate: "50",
          ["-pix_fmt", "yuv422p", "-colorspace", "bt709", "-c:v", "mpeg2video", "-g", "15", "-bf", "2", "-output_ts_offset", "5"])),
    ]
  }

  /// A placeholder is no frame: not in a listing, and not as an image.
  @Test func missingMediaIsAnError() async throws {
    let clip = try Self.sample("pieces.mkv", rate: "24", ["-c:v", "mpeg4", "-g", "12"])
    let second = MediaTime(value: 1, timescale: 1)
    let gone = PlaybackError(.notFound, "/gone.mkv: no such file")
    var stated = Composition(), found = Composition(), covered = Composition()
    for movie in [0, 1, 2] {
      var made = Composition()
      try made.append(TimeRange(start: .zero, duration: second), of: Asset(path: clip))
      switch movie {
      case 0:
        try made.insertMissing("/gone.mkv", reason: "no such file", duration: second, at: second)
        stated = made
      case 1:
        try made.append(TimeRange(start: .zero, duration: second), of: Asset(path: "/gone.mkv"))
        found = made
      default:
        try made.append(TimeRange(start: .zero, duration: second), of: Asset(path: clip))
        made.missingOverlays = [.init(name: "/gone.mkv", reason: "no such file", timeRange: TimeRange(start: second, duration: second))]
        covered = made
      }
    }
    var outer = Composition()
    try outer.append(TimeRange(start: .zero, duration: second * 2), of: Asset(composition: found))
    for movie in [stated, found, covered, outer] {
      #expect(throws: gone) { try CompositionListing(movie).lines(order: .linear) }
      let generator = ImageGenerator(asset: Asset(composition: movie))
      generator.requestedTimeToleranceBefore = .zero
      generator.requestedTimeToleranceAfter = .zero
      _ = try await generator.image(at: MediaTime(value: 1, timescale: 2))
      await #expect(throws: gone) { try await generator.image(at: MediaTime(value: 3, timescale: 2)) }
    }
    #expect(Asset(composition: outer).missingMedia == [gone] && Asset(path: clip).missingMedia.isEmpty)
  }

  @Test(arguments: TestSeeds.first(6)) func framesAreThoseOfTheClipsInAnyOrder(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let clips = try Self.clips()
    #expect(try clips[3].asset.wait(for: .facts).startTime > MediaTime(value: 5, timescale: 1))
    var movie = Composition()
    var expected: [String] = []
    for _ in 0..<Int.random(in: 2...10, using: &random) {
      let clip = clips.randomElement(using: &random)!
      let first = Int.random(in: 0..<clip.frames.count - 30, using: &random)
      let count = Int.random(in: 1...25, using: &random)
      let range = TimeRange(start: clip.frames[first].pts, end: clip.frames[first + count].pts)
      let place = movie.duration
      try movie.append(range, of: clip.asset)
      let isReversed = Int.random(in: 0..<4, using: &random) == 0
      if isReversed {
        movie.scale(TimeRange(start: place, duration: range.duration), to: range.duration, isReversed: true)
      }
      let own = clip.md5s(range)
      expected += isReversed ? own.reversed() : own
    }
    let listing = try CompositionListing(movie)
    for order in FrameListing.Order.allCases {
      let lines = try listing.lines(order: order, seed: seed)
      #expect(lines.map(\.md5) == expected, "\(order)")
      #expect(zip(lines, lines.dropFirst()).allSatisfy { ($0.pts ?? 0) + ($0.duration ?? 0) == $1.pts })
    }
  }

  @Test func fewOfManyClipsAreOpenAtOnce() throws {
    let folder = try TemporaryFolder()
    let clip = try Self.sample("pieces.mkv", rate: "24", ["-c:v", "mpeg4", "-g", "12"])
    var movie = Composition()
    for number in 0..<12 {
      let path = folder.path("clip-\(number).mkv")
      try FileManager.default.copyItem(atPath: clip, toPath: path)
      try movie.append(TimeRange(start: .zero, duration: MediaTime(value: 1, timescale: 12)), of: Asset(path: path))
    }
    let listing = try CompositionListing(movie)
    #expect(try OpenFiles.count(beginningWith: folder.path("clip-")) <= 3)
    #expect(try listing.lines(order: .linear).count == 24)
    #expect(try OpenFiles.count(beginningWith: folder.path("clip-")) <= 3)
  }

  /// Decodes a composition from its beginning to its end, and then some of its frames in any order.
  ///
  /// - Returns: how many frames there were, and how often files were open at one time at the most.
  private func decode(_ movie: Composition, lookingAt prefix: String) throws -> (frames: Int, mostOpen: Int) {
    let asset = Asset(composition: movie)
    let facts = try asset.wait(for: .facts)
    var mostOpen = 0
    func look() throws { mostOpen = max(mostOpen, try OpenFiles.count(beginningWith: prefix)) }
    try look()
    let source = try asset.openSource(
      of: #require(facts.preferredVideoTrack), facts, session: InputSession(asset.input), threads: 1, keepsAlpha: false)
    let timeline = try #require(asset.waitForTimeline())
    try look()
    try source.rewind()
    var frames = 0
    decoding: while true {
      let step = try source.decodeNext(discard: .nothing)
      try look()
      switch step {
      case .frame: frames += 1
      case .progress: continue
      case .endOfStream: break decoding
      }
    }
    let finder = ImageFinder(SourceBox(source))
    var random = SeededGenerator(seed: 1)
    for _ in 0..<100 {
      let time = try #require(timeline.time(ofFrame: Int.random(in: 0..<timeline.frameCount, using: &random)))
      while try finder.step(.time(TimeTarget(time: time))) == nil { try look() }
      try look()
    }
    return (frames, mostOpen)
  }

  /// While they are decoded: a file in a thousand places, two by turns, and two hundred files.
  @Test(arguments: [(1, 1000), (2, 500), (200, 400)]) func filesOpenWhileDecodingAreFew(files: Int, pieces: Int) throws {
    let folder = try TemporaryFolder()
    let clip = try Self.sample("pieces.mkv", rate: "24", ["-c:v", "mpeg4", "-g", "12"])
    let assets = try (0..<files).map { number in
      let path = folder.path("clip-\(number).mkv")
      try FileManager.default.copyItem(atPath: clip, toPath: path)
      return Asset(path: path)
    }
    var movie = Composition()
    for number in 0..<pieces {
      // Forwards and back.
      let start = MediaTime(value: Int64(number * 37 % 90), timescale: 24)
      try movie.append(TimeRange(start: start, duration: MediaTime(value: 2, timescale: 24)), of: assets[number % files])
    }
    let (frames, mostOpen) = try decode(movie, lookingAt: folder.path("clip-"))
    #expect(frames == 2 * pieces)
    #expect((1...4).contains(mostOpen), "\(mostOpen) were open")
  }

  /// Frames of 1 and 2 ticks: the one that begins one tick after a piece's start is not its first.
  @Test func piecesOfFramesThatAreHardlyLongerThanATick() throws {
    let clip = try Clip(
      SampleMedia.clip(
        name: "600.mkv",
        arguments: SampleMedia.numbered(width: 160, height: 90, rate: "600", seconds: 1) + ["-c:v", "libx264", "-preset", "veryfast"]))
    var movie = Composition()
    var expected: [String] = []
    for first in [7, 100, 50, 333] {
      let range = TimeRange(start: clip.frames[first].pts, end: clip.frames[first + 9].pts)
      try movie.append(range, of: clip.asset)
      expected += clip.frames[first..<first + 9].map(\.md5)
    }
    #expect(try CompositionListing(movie).lines(order: .linear).map(\.md5) == expected)
  }

  @Test func aMissingClipIsNamedAndTheRestPlays() async throws {
    let clip = try Self.clips()[0]
    var movie = Composition()
    let second = TimeRange(start: .zero, duration: MediaTime(value: 1, timescale: 1))
    try movie.append(second, of: clip.asset)
    try movie.append(second, of: Asset(path: "/nowhere/gone.mp4"))
    try movie.append(second, of: clip.asset)
    let asset = Asset(composition: movie)
    let generator = ImageGenerator(asset: asset)
    generator.requestedTimeToleranceBefore = .zero
    generator.requestedTimeToleranceAfter = .zero
    let first = try await generator.image(at: MediaTime(value: 1, timescale: 2))
    let last = try await generator.image(at: MediaTime(value: 5, timescale: 2))
    #expect(FrameNumber.read(first.image) == 12 && FrameNumber.read(last.image) == 12)
    await #expect(throws: PlaybackError(.notFound, "/nowhere/gone.mp4: no such file")) {
      try await generator.image(at: MediaTime(value: 3, timescale: 2))
    }
    #expect(asset.missingClips.map(\.path) == ["/nowhere/gone.mp4"])
    #expect(asset.missingClips.first?.error.reason == .notFound)
  }

  @Test func whatWasCalledOffIsNotMissing() {
    let clip = CompositionPlan.Clip(
      number: 1, clip: CompositionClip(asset: Asset(path: "a"), timeRange: .zero), timeRange: TimeRange(start: .zero, duration: .zero))
    let failures = CompositionFailures()
    failures.note(clip, PlaybackError.cancelled)
    #expect(!failures.contains(1))
    failures.note(clip, PlaybackError(.notFound, "no such file"))
    #expect(failures.contains(1) && failures.all.count == 1)
  }

  /// Its frames are as the decoder gave them; a fade shows what is below.
  @Test func anOpaqueClipHidesWhatIsBelow() throws {
    let clip = try Self.clips()[0]
    let below = TimeRange(start: clip.frames[10].pts, end: clip.frames[30].pts)
    let above = TimeRange(start: clip.frames[40].pts, end: clip.frames[60].pts)
    var movie = Composition()
    try movie.append(below, of: clip.asset)
    let whole = TimeRange(start: .zero, duration: movie.duration)
    movie.videoComposition.overlays = [CompositionOverlay(.clip(CompositionClip(asset: clip.asset, timeRange: above)), timeRange: whole)]
    #expect(try CompositionListing(movie).lines(order: .linear).map(\.md5) == clip.md5s(above))
    movie.videoComposition.overlays[0].opacity = 0.5
    let mixed = try CompositionListing(movie).lines(order: .linear).map(\.md5)
    #expect(mixed.count == 20 && Set(mixed).isDisjoint(with: clip.md5s(above) + clip.md5s(below)))
  }

  @Test func aCompositionCanBePartOfAnother() throws {
    let clips = try Self.clips()
    let part = TimeRange(start: clips[0].frames[10].pts, end: clips[0].frames[30].pts)
    var inner = Composition()
    try inner.append(part, of: clips[0].asset)
    var outer = Composition()
    try outer.append(TimeRange(start: .zero, duration: inner.duration), of: Asset(composition: inner))
    try outer.append(part, of: clips[0].asset)
    let lines = try CompositionListing(outer).lines(order: .linear)
    #expect(lines.map(\.md5) == clips[0].md5s(part) + clips[0].md5s(part))
  }

  @Test func facts() async throws {
    let clip = try Self.clips()[1]
    var movie = Composition()
    movie.title = "A cut"
    try movie.append(TimeRange(start: .zero, duration: MediaTime(value: 1, timescale: 1)), of: clip.asset)
    let asset = Asset(composition: movie, path: "cut.yaml")
    let facts = try await asset.load(.facts)
    #expect(facts.title == "A cut" && facts.duration == MediaTime(value: 1, timescale: 1))
    let track = try #require(facts.preferredVideoTrack)
    #expect(track.presentationSize == PixelSize(width: 160, height: 90))
    #expect(abs(track.nominalFrameRate - 30000.0 / 1001) < 1e-6)
    #expect(asset.path == "cut.yaml")
  }
}

/// Readings that end with another one.
@Suite(.timeLimit(.minutes(20))) struct InputSessionTests {
  @Test func partsEndWithTheWholeAndAreNotKeptBeyondTheirUse() throws {
    let path = try SampleClip.h264BFrames.path()
    let whole = InputSession(MediaInput(path: path))
    for _ in 0..<100 { whole.add(InputSession(MediaInput(path: path))) }
    #expect(whole.partCount == 0)
    let part = InputSession(MediaInput(path: path))
    whole.add(part)
    #expect(whole.partCount == 1)
    _ = try part.open()
    whole.interrupt()
    #expect(throws: (any Error).self) { try part.open() }
  }
}
