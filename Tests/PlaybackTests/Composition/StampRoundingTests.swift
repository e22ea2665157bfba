import Pixels
import TestSupport
import Testing

@testable import Playback

/// Clips whose stamps are whole milliseconds, cut at whole frames: nothing is a frame that only rounding has made.
@Suite(.timeLimit(.minutes(20))) struct StampRoundingTests {
  /// Frames of a 24th of a second, as Matroska stamps them.
  private static let script: FrameScript = {
    var script = FrameScript.variable(
      (0..<120).map { Int64((Double($0) * 1000 / 24).rounded()) }, end: 5000, keyEvery: 12)
    script.nominalFrameRate = 24
    return script
  }()

  private static func frames(_ count: Int) -> MediaTime { MediaTime(value: Int64(count), timescale: 24) }

  private static func range(_ first: Int, _ count: Int) -> TimeRange {
    TimeRange(start: frames(first), duration: frames(count))
  }

  /// Which frames of the clips are seen; of what lies over them nothing.
  private static func numbers(_ frame: any SourceFrame) -> [Int?] {
    func number(_ layer: CompositedFrame.Layer?) -> Int? {
      layer.flatMap { layer in script.frames.firstIndex { $0.pts == layer.frame.timing.pts } }
    }
    switch (frame as? CompositedFrame)?.base {
    case .frame(let layer): return [number(layer)]
    case .transition(_, _, let from, let to): return [number(from), number(to)]
    default: return []
    }
  }

  /// Compares all frames of a movie, which are 24 a second, and those that are gone to, with what they are to be.
  private static func expect(_ movie: Composition, shows expected: [[Int]], sourceLocation: SourceLocation = #_sourceLocation) throws {
    let plan = CompositionPlan(movie)
    let tick = MediaTime(value: 1, timescale: 1000)
    var timeline = CompositionTimeline(plan)
    for clip in timeline.sources { timeline.add(script.timeline(), rate: 24, tolerance: tick, of: clip) }
    let source = CompositionSource(
      plan, index: nil, size: PixelSize(width: 16, height: 9), frameRate: 24, failures: CompositionFailures()
    ) { _, _ in OpenedClip(source: ScriptedSource(script), tolerance: tick) }
    var decoded: [any SourceFrame] = []
    while true {
      switch try source.decodeNext(discard: .nothing) {
      case .progress: continue
      case .frame(let frame):
        decoded.append(frame)
        continue
      case .endOfStream: break
      }
      break
    }
    #expect(decoded.map { numbers($0) } == expected.map { $0.map(Optional.some) }, sourceLocation: sourceLocation)
    for (number, frame) in decoded.enumerated() {
      let off = frame.timing.pts - frames(number)
      #expect(max(off, .zero - off) <= tick, "\(number) \(frame.timing)", sourceLocation: sourceLocation)
    }
    let known = try #require(timeline.known)
    #expect(decoded.map(\.timing.pts) == (0..<known.frameCount).compactMap { known.time(ofFrame: $0) }, sourceLocation: sourceLocation)

    let finder = ImageFinder(SourceBox(source))
    for number in stride(from: 0, to: decoded.count, by: 7).reversed() + Array(decoded.indices) {
      let timing = decoded[number].timing
      // Also where a stamp may lie that is not the frame's own.
      for time in [timing.pts, timing.end - MediaTime(value: 1, timescale: 10_000)] {
        var found: (any SourceFrame)?
        while found == nil { found = try finder.step(.time(TimeTarget(time: time))) }
        #expect(found.map { numbers($0) } == expected[number].map(Optional.some), "\(number) at \(time)", sourceLocation: sourceLocation)
        #expect(found?.timing.pts == timing.pts, "\(number) at \(time)", sourceLocation: sourceLocation)
      }
    }
  }

  /// Two pieces of 48 frames that overlap by 12.
  private static func dissolve(_ a: Int, _ b: Int, isReversed: Bool = false) throws -> Composition {
    var movie = Composition()
    try movie.append(range(a, 48), of: Asset(path: "a"))
    try movie.insert(range(b, 48), of: Asset(path: "b"), at: frames(36), track: 1)
    if isReversed {
      movie.scale(range(0, 48), to: frames(48), isReversed: true, track: 0)
      movie.scale(range(36, 48), to: frames(48), isReversed: true, track: 1)
    }
    movie.videoComposition.instructions = [
      VideoCompositionInstruction(timeRange: range(36, 12), transition: .crossDissolve, from: 0, to: 1)
    ]
    return movie
  }

  @Test(arguments: [10, 11, 12], [30, 31, 32]) func aDissolveHasTheFramesOfItsClips(a: Int, b: Int) throws {
    let expected = (0..<84).map { n in (n < 48 ? [a + n] : []) + (n >= 36 ? [b + n - 36] : []) }
    try Self.expect(Self.dissolve(a, b), shows: expected)
  }

  @Test(arguments: [10, 11, 12], [30, 31, 32]) func alsoBackwards(a: Int, b: Int) throws {
    let expected = (0..<84).map { n in (n < 48 ? [a + 47 - n] : []) + (n >= 36 ? [b + 47 - (n - 36)] : []) }
    try Self.expect(Self.dissolve(a, b, isReversed: true), shows: expected)
  }

  @Test(arguments: [10, 11, 12]) func anOverlayComesAndGoesWithFrames(first: Int) throws {
    var movie = Composition()
    try movie.append(Self.range(first, 48), of: Asset(path: "a"))
    movie.videoComposition.overlays = [
      CompositionOverlay(.image(Asset(path: "sign")), timeRange: Self.range(7, 20), fadeIn: Self.frames(4), fadeOut: Self.frames(3))
    ]
    try Self.expect(movie, shows: (0..<48).map { [first + $0] })
  }

  /// Where frames lie on a grid of their own, each shows the clip's own one, none of them twice.
  @Test(arguments: [10, 11, 12], [false, true]) func aRateThatIsTheClipsOwn(first: Int, isReversed: Bool) throws {
    var movie = Composition()
    try movie.append(Self.range(first, 48), of: Asset(path: "a"))
    if isReversed { movie.scale(Self.range(0, 48), to: Self.frames(48), isReversed: true) }
    movie.videoComposition.frameDuration = Self.frames(1)
    try Self.expect(movie, shows: (0..<48).map { [isReversed ? first + 47 - $0 : first + $0] })
  }
}
