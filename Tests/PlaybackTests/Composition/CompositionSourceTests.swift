import Pixels
import TestSupport
import Testing

@testable import Playback

/// Random compositions of scripted clips, against the frames that a plain computation says there are.
@Suite(.timeLimit(.minutes(20))) struct CompositionSourceTests {
  /// A clip, its frames, and how it is opened.
  private struct Clip {
    var asset: Asset
    var script: FrameScript
  }

  private static func clips() -> [Clip] {
    var variable = FrameScript.variable([0, 41, 50, 133, 200, 201, 480, 700, 950], end: 1100, scale: 1000, keyEvery: 3)
    variable.nominalFrameRate = 10
    return [
      Clip(asset: Asset(path: "25"), script: .constant(count: 100, keyEvery: 12)),
      Clip(asset: Asset(path: "ntsc"), script: .constant(count: 90, unit: 1001, scale: 30000, keyEvery: 30)),
      Clip(asset: Asset(path: "variable"), script: variable),
    ]
  }

  /// One frame as it should come out.
  private struct Expected: Equatable, CustomStringConvertible {
    var pts: MediaTime
    var clip: String
    var number: Int
    var description: String { "\(clip)#\(number)@\(pts.seconds)" }
  }

  private static func open(_ clips: [Clip], _ faults: ScriptedSource.Faults = .init(), index: IndexScript = .none)
    -> ClipReaders.Open {
    { wanted, _ in
      let clip = clips.first { $0.asset === wanted.asset }!
      return OpenedClip(source: ScriptedSource(clip.script, faults: faults, index: index), tolerance: .zero)
    }
  }

  private static func random(_ clips: [Clip], _ random: inout SeededGenerator) throws -> Composition {
    var movie = Composition()
    for _ in 0..<Int.random(in: 1...12, using: &random) {
      let clip = clips.randomElement(using: &random)!
      let scale = Int32([25, 30, 1000, 48, 90000].randomElement(using: &random)!)
      func time(_ range: Range<Double>) -> MediaTime {
        MediaTime(seconds: Double.random(in: range, using: &random), preferredTimescale: scale)
      }
      let end = clip.script.end.seconds
      let start = time(0..<end * 0.8)
      let place = movie.duration
      switch Int.random(in: 0..<10, using: &random) {
      case 0: try movie.insertEmpty(TimeRange(start: place, duration: MediaTime(value: 1, timescale: 4)))
      case 1: try movie.insertFreeze(at: start, of: clip.asset, duration: MediaTime(value: 3, timescale: 10), at: place)
      default:
        let length = max(MediaTime(value: 1, timescale: scale), time(0..<min(1.0, end - start.seconds)))
        try movie.append(TimeRange(start: start, duration: length), of: clip.asset)
        let range = TimeRange(start: place, duration: length)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: movie.scale(range, to: length.multiplied(by: 2, dividedBy: 1))
        case 1: movie.scale(range, to: length.multiplied(by: 1, dividedBy: 3))
        case 2: movie.scale(range, to: length, isReversed: true)
        case 3: movie.scale(range, to: length.multiplied(by: 3, dividedBy: 2), isReversed: true)
        default: break
        }
      }
    }
    return movie
  }

  /// The frames of a composition of one track, worked out one by one.
  private static func expected(_ movie: Composition, _ clips: [Clip]) -> [Expected] {
    var result: [Expected] = []
    func add(_ pts: MediaTime, _ clip: String, _ number: Int) {
      // What goes on as the same nothing is one frame.
      if clip == "black", result.last?.clip == "black" { return }
      result.append(Expected(pts: pts, clip: clip, number: number))
    }
    for segment in movie.tracks[0].segments {
      let target = segment.timeRange
      guard case .clip(let clip) = segment.content else {
        add(target.start, "black", 0)
        continue
      }
      let script = clips.first { $0.asset === clip.asset }!.script
      let source = clip.timeRange
      func map(_ time: MediaTime) -> MediaTime { time.mapped(from: source, to: target) }
      switch clip.direction {
      case .freeze: add(target.start, clip.asset.path, script.number(at: source.start))
      case .forward:
        let first = script.number(at: source.start)
        add(target.start, clip.asset.path, first)
        for n in (first + 1)..<max(first + 1, script.frames.count) where script.frames[n].pts < source.end {
          add(map(script.frames[n].pts), clip.asset.path, n)
        }
      case .backward:
        let last = script.frames.lastIndex { $0.pts < source.end }!
        let first = script.number(at: source.start)
        var start = target.start
        for n in (first...max(first, last)).reversed() {
          add(start, clip.asset.path, n)
          start = target.start + (target.end - map(script.frames[n].pts))
        }
      }
    }
    return result
  }

  private static func describe(_ frame: any SourceFrame, _ clips: [Clip]) -> Expected {
    guard let composed = frame as? CompositedFrame, let only = composed.onlyFrame else {
      return Expected(pts: frame.timing.pts, clip: "black", number: 0)
    }
    let size = only.timing
    // Which clip it is of is told by its length and time, which no two of them share.
    let clip = clips.first { clip in
      size.number < clip.script.frames.count && clip.script.frames[size.number].pts == size.pts
        && clip.script.frames[size.number].duration == size.duration
    }
    return Expected(pts: frame.timing.pts, clip: clip?.asset.path ?? "?", number: size.number)
  }

  private static func decodeAll(_ source: CompositionSource, _ clips: [Clip]) throws -> [Expected] {
    var result: [Expected] = []
    for _ in 0..<20_000 {
      switch try source.decodeNext(discard: .nothing) {
      case .progress: continue
      case .endOfStream: return result
      case .frame(let frame):
        result.append(describe(frame, clips))
        #expect(frame.timing.endIsExact && frame.timing.duration > .zero)
      }
    }
    Issue.record("it does not end: \(result)")
    return result
  }

  private static func source(_ movie: Composition, _ open: @escaping ClipReaders.Open) -> CompositionSource {
    CompositionSource(
      CompositionPlan(movie), index: nil, size: PixelSize(width: 16, height: 9), frameRate: 25,
      failures: CompositionFailures(), open: open)
  }

  private static func timeline(_ movie: Composition, _ clips: [Clip]) -> PresentationTimeline? {
    var timeline = CompositionTimeline(CompositionPlan(movie))
    for source in timeline.sources {
      let clip = clips.first { $0.asset === source.asset }!
      timeline.add(
        clip.script.timeline(), rate: clip.script.nominalFrameRate, tolerance: .zero, of: source)
    }
    return timeline.known
  }

  /// A frame is not longer because the one behind it was left out to save time.
  @Test(arguments: [false, true]) func framesEndWhereTheyEndThoughTheNextIsLeftOut(isIndexed: Bool) throws {
    let clips = Self.clips()
    var movie = Composition()
    try movie.append(TimeRange(start: .zero, end: clips[0].script.end), of: clips[0].asset)
    let source = CompositionSource(
      CompositionPlan(movie), index: isIndexed ? Self.timeline(movie, clips).map { FrameIndex(timeline: $0) } : nil,
      size: PixelSize(width: 16, height: 9), frameRate: 25, failures: CompositionFailures(), open: Self.open(clips))
    try source.rewind()
    var numbers: [Int] = []
    decoding: for step in 0..<1000 {
      // Now and then nothing is left out.
      switch try source.decodeNext(discard: step % 40 < 30 ? .nonReference : .nothing) {
      case .progress: continue
      case .endOfStream: break decoding
      case .frame(let frame):
        let number = clips[0].script.number(at: frame.timing.pts)
        numbers.append(number)
        #expect(frame.timing.pts == clips[0].script.frames[number].pts)
        #expect(frame.timing.duration == clips[0].script.frames[number].duration, "#\(number)")
        if isIndexed { #expect(frame.timing.endIsExact && frame.timing.number == number) }
      }
    }
    #expect(numbers.count > 50 && numbers.count < 100 && numbers == numbers.sorted())
  }

  /// Neither a grid of frames nor a change that lasts for ever takes more memory than so many frames.
  @Test func theTimelineIsBounded() throws {
    var movie = Composition()
    let long = TimeRange(start: .zero, duration: MediaTime(value: 1 << 40, timescale: 1))
    try movie.insertEmpty(long)
    movie.videoComposition.frameDuration = MediaTime(value: 1, timescale: 1000)
    #expect(CompositionTimeline(CompositionPlan(movie)).frameCount <= CompositionTimeline.maxFrames)
    movie.videoComposition.frameDuration = nil
    movie.videoComposition.overlays = [CompositionOverlay(.image(Asset(path: "a")), timeRange: long, fadeIn: long.duration)]
    var timeline = CompositionTimeline(CompositionPlan(movie))
    timeline.add(nil, rate: 25, tolerance: .zero, of: timeline.sources[0])
    #expect(timeline.frameCount <= CompositionTimeline.maxFrames && timeline.known?.isComplete != true)
  }

  /// Frames so short that rounding loses them after hours.
  @Test func aFrameDurationThatRoundingLosesIsNone() throws {
    var movie = Composition()
    try movie.append(TimeRange(start: .zero, end: MediaTime(value: 1 << 40, timescale: 1)), of: Asset(path: "a"))
    movie.videoComposition.frameDuration = MediaTime(value: 1, timescale: .max)
    #expect(CompositionPlan(movie).frameDuration == nil)
  }

  @Test(arguments: [MediaTime.zero, MediaTime(value: -1, timescale: 25), .indefinite, .positiveInfinity])
  func aFrameDurationWithoutSenseIsNone(duration: MediaTime) throws {
    var movie = Composition()
    try movie.append(TimeRange(start: .zero, end: MediaTime(value: 1, timescale: 1)), of: Asset(path: "a"))
    movie.videoComposition.frameDuration = duration
    #expect(CompositionPlan(movie).frameDuration == nil)
    let facts = try Asset(composition: movie).wait(for: .facts)
    #expect(facts.preferredVideoTrack?.nominalFrameRate == 25)
  }

  /// A clip that can neither be sought in nor begun anew is missing; the rest plays.
  @Test func aClipThatCannotBeGoneToIsMissing() throws {
    let clips = Self.clips()
    var movie = Composition()
    let second = TimeRange(start: MediaTime(value: 1, timescale: 1), duration: MediaTime(value: 1, timescale: 1))
    try movie.append(second, of: clips[0].asset)
    try movie.append(second, of: clips[1].asset)
    var faults = ScriptedSource.Faults()
    (faults.seekThrows, faults.rewindThrows) = (true, true)
    let failures = CompositionFailures()
    let source = CompositionSource(
      CompositionPlan(movie), index: nil, size: PixelSize(width: 16, height: 9), frameRate: 25, failures: failures
    ) { wanted, _ in
      let clip = clips.first { $0.asset === wanted.asset }!
      let isBroken = clip.asset === clips[0].asset
      return OpenedClip(source: ScriptedSource(clip.script, faults: isBroken ? faults : .init()), tolerance: .zero)
    }
    _ = try source.seek(to: MediaTime(value: 1, timescale: 2), options: [])
    let frames = try Self.decodeAll(source, clips)
    #expect(failures.all.map(\.path) == ["25"])
    #expect(frames.last?.clip == "ntsc" && frames.count > 25)
  }

  /// Who only gets ready to show a movie opens nothing for a piece that comes long after; a piece that comes soon is ready in time.
  @Test(arguments: [8, 20, 31, 60]) func whatComesLaterIsOpenedOncePlayingGoesOn(length: Int) throws {
    let clips = Self.clips()
    var movie = Composition()
    try movie.append(TimeRange(start: .zero, duration: MediaTime(value: Int64(length), timescale: 25)), of: clips[0].asset)
    try movie.append(TimeRange(start: .zero, duration: MediaTime(value: 1, timescale: 1)), of: clips[1].asset)
    var opened: [String] = []
    let open = Self.open(clips)
    let source = Self.source(movie) { clip, count in
      opened.append(clip.asset.path)
      return try open(clip, count)
    }
    try source.rewind()
    var frames = 0
    var openedAt = 0
    while frames < length {
      if case .frame = try source.decodeNext(discard: .nothing) { frames += 1 }
      if opened.count == 2, openedAt == 0 { openedAt = frames }
    }
    #expect(openedAt > 0 && openedAt < length, "\(openedAt)")
    #expect(length <= 2 * PresentationQueue.capacity ? openedAt <= 6 : openedAt > PresentationQueue.capacity, "\(openedAt)")
  }

  /// Returns how often clips are opened while all frames are decoded, which must be those of the pieces.
  private static func openings(of movie: Composition, _ clips: [Clip]) throws -> Int {
    var count = 0
    let open = open(clips, index: .complete)
    let source = source(movie) { clip, openCount in
      count += 1
      return try open(clip, openCount)
    }
    #expect(try decodeAll(source, clips) == expected(movie, clips))
    return count
  }

  /// A file is opened as often as is needed at once: two clips by turns are two readers, one that jumps about is two.
  @Test(arguments: [([0, 1], 2), ([0], 2), ([0, 1, 2], 3), ([0, 0, 1], 3)])
  func filesStayOpen(order: [Int], opened: Int) throws {
    let clips = Self.clips()
    var movie = Composition()
    for number in 0..<24 {
      let start = MediaTime(value: Int64(number * 7 % 20), timescale: 10)
      try movie.append(TimeRange(start: start, duration: MediaTime(value: 4, timescale: 10)), of: clips[order[number % order.count]].asset)
    }
    #expect(try Self.openings(of: movie, clips) == opened)
  }

  /// Who opens a clip learns how many are open, and can do with fewer threads.
  @Test func clipsOpenAtTheSameTimeAreCounted() throws {
    let clips = Self.clips()
    var counts: [Int] = []
    let open = Self.open(clips)
    let readers = ClipReaders { clip, count in
      counts.append(count)
      return try open(clip, count)
    }
    let clip = CompositionClip(asset: clips[0].asset, timeRange: .zero)
    for _ in 0..<5 { _ = try readers.take(for: clip, near: .zero) }
    #expect(counts == [0, 1, 2, 3, 4])
  }

  /// In however many places a file is used, two readers do.
  @Test func aFileInAThousandPlaces() throws {
    let clips = Self.clips()
    var movie = Composition()
    for number in 0..<1000 {
      let start = MediaTime(value: Int64(number * 7 % 8) * 12, timescale: 25)
      try movie.append(TimeRange(start: start, duration: MediaTime(value: 2, timescale: 25)), of: clips[0].asset)
    }
    #expect(try Self.openings(of: movie, clips) == 2)
  }

  @Test(arguments: TestSeeds.first(300)) func framesAreThoseOfThePieces(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let clips = Self.clips()
    let movie = try Self.random(clips, &random)
    let expected = Self.expected(movie, clips)
    var faults = ScriptedSource.Faults()
    faults.progressPerFrame = Int.random(in: 0...2, using: &random)
    faults.guessesEarlierBy = Int.random(in: 0...5, using: &random)
    faults.landsBehindBy = Int.random(in: 0...3, using: &random) == 0 ? 2 : 0
    let index: IndexScript = Bool.random(using: &random) ? .none : .complete
    let source = Self.source(movie, Self.open(clips, faults, index: index))
    let decoded = try Self.decodeAll(source, clips)
    #expect(decoded == expected, "\(decoded.difference(from: expected)) \(movie.tracks[0].segments.map(\.timeRange))")

    let timeline = try #require(Self.timeline(movie, clips))
    #expect(timeline.frameCount == expected.count)
    #expect(zip(0..., expected).allSatisfy { timeline.time(ofFrame: $0) == $1.pts })
    #expect(timeline.duration == movie.duration)

    // Anywhere, exactly, and on from there.
    let finder = ImageFinder(SourceBox(source))
    for _ in 0..<6 {
      let number = expected.indices.randomElement(using: &random)!
      let end = number + 1 < expected.count ? expected[number + 1].pts : movie.duration
      let length = (end - expected[number].pts).seconds * Double.random(in: 0..<0.999, using: &random)
      let time = expected[number].pts + MediaTime(seconds: length, preferredTimescale: 1_000_000)
      var found: (any SourceFrame)?
      for _ in 0..<10_000 where found == nil { found = try finder.step(.time(TimeTarget(time: min(time, end - MediaTime(value: 1, timescale: 1_000_000))))) }
      #expect(found.map { Self.describe($0, clips) } == expected[number])
    }
    try source.rewind()
    #expect(try Self.decodeAll(source, clips) == expected)
  }
}
