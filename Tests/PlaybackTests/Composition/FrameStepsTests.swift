import Pixels
import TestSupport
import Testing

@testable import Playback

/// Transitions and fades over clips that are slowed down or stand: they go on at a frame rate of their own.
@Suite(.timeLimit(.minutes(20))) struct FrameStepsTests {
  private static let size = PixelSize(width: 16, height: 9)

  private static func time(_ seconds: Int64) -> MediaTime { MediaTime(value: seconds, timescale: 1) }

  /// The contents of one frame: its time, the progress of a transition, and the clips' frames.
  private struct Shown: Equatable {
    var pts: MediaTime
    var progress: Double?
    var clips: [MediaTime?]
    var opacities: [Double]

    init(_ frame: any SourceFrame) {
      pts = frame.timing.pts
      let composed = frame as? CompositedFrame
      switch composed?.base {
      case .frame(let layer): clips = [layer.frame.timing.pts]
      case .transition(_, let progress, let from, let to):
        self.progress = progress
        clips = [from?.frame.timing.pts, to?.frame.timing.pts]
      default: clips = []
      }
      opacities = composed?.overlays.map(\.opacity) ?? []
    }
  }

  /// Returns all frames of a movie, in order.
  private static func decodeAll(_ source: CompositionSource) throws -> [any SourceFrame] {
    var frames: [any SourceFrame] = []
    try source.rewind()
    for _ in 0..<100_000 {
      switch try source.decodeNext(discard: .nothing) {
      case .progress: continue
      case .frame(let frame): frames.append(frame)
      case .endOfStream: return frames
      }
    }
    Issue.record("it does not end")
    return frames
  }

  /// The frames of a movie of scripted clips, named by their assets' paths, which are what the timeline tells and what is gone to
  /// anywhere.
  private static func frames(
    _ movie: Composition, _ scripts: [String: FrameScript], step: MediaTime, tolerance: MediaTime = .zero
  ) throws -> [Shown] {
    var plan = CompositionPlan(movie)
    plan.step = step
    var timeline = CompositionTimeline(plan)
    for clip in timeline.sources {
      let script = try #require(scripts[clip.asset.path])
      timeline.add(script.timeline(), rate: script.nominalFrameRate, tolerance: tolerance, of: clip)
    }
    let source = CompositionSource(plan, index: nil, size: size, frameRate: 25, failures: CompositionFailures()) { clip, _ in
      OpenedClip(source: ScriptedSource(scripts[clip.asset.path]!), tolerance: tolerance)
    }
    let decoded = try decodeAll(source)
    let shown = decoded.map { Shown($0) }
    let known = try #require(timeline.known)
    #expect(shown.map(\.pts) == (0..<known.frameCount).compactMap { known.time(ofFrame: $0) })
    for (frame, next) in zip(decoded, decoded.dropFirst()) {
      #expect(frame.timing.pts < next.timing.pts && frame.timing.duration > .zero)
      #expect(frame.timing.end == next.timing.pts || (next.timing.pts - frame.timing.pts).hasBeenRounded && !frame.timing.endIsExact)
    }
    #expect(decoded.last.map { $0.timing.end == movie.duration || !$0.timing.endIsExact } != false)
    // Backwards, and from one end to the other.
    let finder = ImageFinder(SourceBox(source))
    let numbers = Array(decoded.indices)
    let apart = numbers.map { $0.isMultiple(of: 2) ? $0 : numbers.count - $0 }
    for number in Array(numbers.reversed()) + apart {
      let timing = decoded[number].timing
      for time in [timing.pts, max(timing.pts, timing.end - MediaTime(value: 1, timescale: 1_000_000))] {
        var found: (any SourceFrame)?
        for _ in 0..<10_000 where found == nil { found = try finder.step(.time(TimeTarget(time: time))) }
        #expect(found.map { Shown($0) } == shown[number], "\(number) at \(time)")
      }
    }
    return shown
  }

  /// The first 10 frames of two clips, a tenth as fast, the last second of one over the first of the other.
  private static func slowDissolve(isReversed: Bool = false) throws -> Composition {
    var movie = Composition()
    let range = TimeRange(start: .zero, duration: MediaTime(value: 10, timescale: 25))
    try movie.append(range, of: Asset(path: "a"))
    movie.scale(range, to: time(4), isReversed: isReversed)
    try movie.insert(range, of: Asset(path: "b"), at: time(3), track: 1)
    movie.scale(TimeRange(start: time(3), duration: range.duration), to: time(4), isReversed: isReversed, track: 1)
    movie.videoComposition.instructions = [
      VideoCompositionInstruction(timeRange: TimeRange(start: time(3), end: time(4)), transition: .crossDissolve, from: 0, to: 1)
    ]
    return movie
  }

  @Test(arguments: [false, true]) func aDissolveOfSlowPiecesGoesOnAtItsOwnFrameRate(isReversed: Bool) throws {
    let script = FrameScript.constant(count: 100)
    let shown = try Self.frames(
      Self.slowDissolve(isReversed: isReversed), ["a": script, "b": script], step: MediaTime(value: 1, timescale: 25))
    let inside = shown.filter { $0.progress != nil }
    #expect(inside.map(\.pts) == (75..<100).map { MediaTime(value: $0, timescale: 25) })
    #expect(inside.map(\.progress) == (0..<25).map { Double($0) / 25 })
    // The clips' frames come when they come: each is there for 10 twenty-fifths of a second.
    let own: [[MediaTime?]] = (75..<100).map { n in
      [n / 10, (n - 75) / 10].map { script.frames[isReversed ? 9 - $0 : $0].pts }
    }
    #expect(inside.map(\.clips) == own)
    // Outside of it they are what they were.
    #expect(shown.count == 8 + 25 + 8)
  }

  /// Two held frames are no clips that move.
  @Test func aDissolveOfHeldFrames() throws {
    var movie = Composition()
    try movie.insertFreeze(at: .zero, of: Asset(path: "a"), duration: Self.time(2), at: .zero)
    try movie.insertFreeze(at: .zero, of: Asset(path: "b"), duration: Self.time(2), at: Self.time(1), track: 1)
    movie.videoComposition.instructions = [
      VideoCompositionInstruction(
        timeRange: TimeRange(start: Self.time(1), end: Self.time(2)), transition: .crossDissolve, from: 0, to: 1)
    ]
    let script = FrameScript.constant(count: 100)
    let step = MediaTime(value: 1001, timescale: 30000)
    let shown = try Self.frames(movie, ["a": script, "b": script], step: step)
    let inside = (0..<30).map { Self.time(1) + step * $0 }
    #expect(shown.map(\.pts) == [MediaTime.zero] + inside + [Self.time(2)])
  }

  /// Clips that are about as fast as the steps keep their frames, also where these are stamped in milliseconds.
  @Test(arguments: [20, 24, 25, 30, 50]) func piecesThatAreAsFastKeepTheirFrames(rate: Int) throws {
    let stamps = (0..<rate * 4).map { Int64((Double($0) * 1000 / Double(rate)).rounded()) }
    var script = FrameScript.variable(stamps, end: 4000, keyEvery: 12)
    script.nominalFrameRate = Double(rate)
    var movie = Composition()
    let range = TimeRange(start: .zero, end: Self.time(2))
    try movie.append(range, of: Asset(path: "a"))
    try movie.insert(range, of: Asset(path: "b"), at: Self.time(1), track: 1)
    movie.videoComposition.instructions = [
      VideoCompositionInstruction(
        timeRange: TimeRange(start: Self.time(1), end: Self.time(2)), transition: .crossDissolve, from: 0, to: 1)
    ]
    let tick = MediaTime(value: 1, timescale: 1000)
    let shown = try Self.frames(movie, ["a": script, "b": script], step: MediaTime(value: 1, timescale: 25), tolerance: tick)
    #expect(shown.map(\.pts) == stamps.prefix(rate * 3).map { MediaTime(value: $0, timescale: 1000) })
  }

  /// Whatever is slowed down and fades: no image that changes stays longer than one and a half steps, and the clips' frames begin
  /// where they do without.
  @Test(arguments: TestSeeds.first(30)) func anythingThatFadesGoesOn(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var variable = FrameScript.variable([0, 41, 50, 133, 200, 201, 480, 700, 950], end: 1100, scale: 1000, keyEvery: 3)
    variable.nominalFrameRate = 10
    let scripts: [String: FrameScript] = [
      "25": .constant(count: 100, keyEvery: 12), "ntsc": .constant(count: 90, unit: 1001, scale: 30000, keyEvery: 30),
      "variable": variable,
    ]
    let assets = scripts.keys.sorted().map { Asset(path: $0) }
    var movie = Composition()
    for number in 0..<Int.random(in: 2...5, using: &random) {
      let asset = assets.randomElement(using: &random)!
      let length = MediaTime(value: Int64.random(in: 30...100, using: &random), timescale: 100)
      let shown = length.multiplied(by: Int32.random(in: 1...12, using: &random), dividedBy: Int32.random(in: 1...3, using: &random))
      let overlap = number == 0 ? .zero : MediaTime(value: Int64.random(in: 0...3, using: &random), timescale: 40)
      let start = movie.duration - overlap
      let track = number % 2
      if Int.random(in: 0..<5, using: &random) == 0 {
        try movie.insertFreeze(at: length.multiplied(by: 1, dividedBy: 2), of: asset, duration: shown, at: start, track: track)
      } else {
        try movie.insert(TimeRange(start: .zero, duration: length), of: asset, at: start, track: track)
        movie.scale(TimeRange(start: start, duration: length), to: shown, isReversed: Bool.random(using: &random), track: track)
      }
      if overlap > .zero {
        movie.videoComposition.instructions.append(
          VideoCompositionInstruction(
            timeRange: TimeRange(start: start, duration: overlap), transition: .push(angle: 0), from: 1 - track, to: track))
      }
    }
    let (third, end) = (movie.duration.multiplied(by: 1, dividedBy: 3), movie.duration)
    movie.videoComposition.overlays = [
      CompositionOverlay(
        .image(assets[0]), timeRange: TimeRange(start: third, end: end), fadeIn: third.multiplied(by: 1, dividedBy: 2),
        fadeOut: third.multiplied(by: 1, dividedBy: 4))
    ]
    let step = [MediaTime(value: 1, timescale: 25), MediaTime(value: 1001, timescale: 24000)].randomElement(using: &random)!
    let shown = try Self.frames(movie, scripts, step: step)
    let coarse = try Self.frames(movie, scripts, step: Self.time(1000))
    #expect(coarse.allSatisfy { frame in shown.contains(frame) })
    let plan = CompositionPlan(movie)
    for (frame, next) in zip(shown, shown.dropFirst()) {
      let span = plan.spans[try #require(plan.spanNumber(at: frame.pts))]
      let length = next.pts - frame.pts
      #expect(!span.isAnimated || length + length <= step * 3)
    }
  }

  /// Times whose sums no timescale holds: each frame begins after the one before it, and playing comes to the end.
  @Test(arguments: TestSeeds.first(200)) func roundedTimesAdvance(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let scripts: [String: FrameScript] = [
      "25": .constant(count: 100, keyEvery: 12), "ntsc": .constant(count: 90, unit: 1001, scale: 30000, keyEvery: 30),
      "still": .constant(count: 1),
    ]
    let assets = scripts.keys.sorted().map { Asset(path: $0) }
    func time(_ seconds: ClosedRange<Double>) -> MediaTime {
      // Primes near the largest timescale, and the usual ones.
      let scale = [Int32.max, 2_147_483_629, 1_000_000_007, 1_000_000_000, 90_000, 24_000, 25].randomElement(using: &random)!
      let value = Int64(Double.random(in: seconds, using: &random) * Double(scale))
      return MediaTime(value: max(1, Bool.random(using: &random) ? value : Int64.random(in: 1...1000, using: &random)), timescale: scale)
    }
    var movie = Composition()
    for number in 0..<Int.random(in: 1...4, using: &random) {
      let asset = assets.randomElement(using: &random)!
      let overlap = number == 0 ? .zero : min(movie.duration, time(0...0.2))
      let start = movie.duration - overlap
      let length = overlap + time(0.05...0.5)
      let track = number % 2
      let end = movie.duration
      if Bool.random(using: &random) {
        try movie.insert(TimeRange(start: time(0...1), duration: length), of: asset, at: start, track: track)
        movie.scale(TimeRange(start: start, duration: length), to: time(0.1...1), isReversed: Bool.random(using: &random), track: track)
      } else {
        try movie.insertFreeze(at: time(0...1), of: asset, duration: length, at: start, track: track)
      }
      if number > 0 {
        movie.videoComposition.instructions.append(
          VideoCompositionInstruction(timeRange: TimeRange(start: start, end: end), transition: .crossDissolve, from: 1 - track, to: track))
      }
    }
    if Bool.random(using: &random) {
      movie.scale(TimeRange(start: time(0...1), duration: time(0...1)), to: time(0.1...1), isReversed: Bool.random(using: &random))
    }
    for track in movie.tracks {
      #expect(zip(track.segments, track.segments.dropFirst()).allSatisfy { $0.timeRange.end == $1.timeRange.start })
    }
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      let range = TimeRange(start: time(0...1), duration: time(0...0.5))
      movie.videoComposition.overlays.append(
        CompositionOverlay(.image(assets.randomElement(using: &random)!), timeRange: range, fadeIn: time(0...0.1), fadeOut: time(0...0.1)))
    }
    _ = try Self.frames(movie, scripts, step: MediaTime(value: 1, timescale: 25))
  }

  /// The first piece tells the rate, and its own frames are what it tells, not how slowly they are shown.
  @Test func theFirstPieceTellsTheRate() throws {
    let clip = Asset(
      path: try SampleMedia.clip(
        name: "steps-ntsc.mkv",
        arguments: SampleMedia.numbered(width: 96, height: 54, rate: "30000/1001", seconds: 2) + ["-c:v", "mpeg4", "-g", "12"]))
    var movie = Composition()
    let range = TimeRange(start: .zero, duration: MediaTime(value: 1, timescale: 2))
    try movie.append(range, of: clip)
    movie.scale(range, to: Self.time(5))
    try movie.insertFreeze(at: Self.time(1), of: clip, duration: Self.time(2), at: Self.time(4), track: 1)
    movie.videoComposition.instructions = [
      VideoCompositionInstruction(
        timeRange: TimeRange(start: Self.time(4), end: Self.time(5)), transition: .crossDissolve, from: 0, to: 1)
    ]
    let listing = try CompositionListing(movie)
    let lines = try listing.lines(order: .linear)
    for order in [FrameListing.Order.reverse, .shuffle] {
      let other = try listing.lines(order: order)
      #expect(other.map(\.md5) == lines.map(\.md5) && other.map(\.pts) == lines.map(\.pts), "\(order)")
    }
    let inside = lines.filter { line in
      let time = line.pts.map { MediaTime(ticks: $0, in: listing.timeBase) } ?? .zero
      return time >= Self.time(4) && time < Self.time(5)
    }
    #expect((28...32).contains(inside.count) && Set(inside.map(\.md5)).count == inside.count, "\(inside.count)")
    let lengths = inside.compactMap(\.duration).map { MediaTime(ticks: $0, in: listing.timeBase) }
    let frame = MediaTime(value: 1001, timescale: 30000)
    #expect(lengths.count { $0 == frame } > 20 && lengths.allSatisfy { $0 + $0 <= frame * 3 }, "\(lengths)")
  }
}
