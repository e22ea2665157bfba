import Pixels
import TestSupport
import Testing

@testable import Playback

/// Clips shown together: transitions, overlays, shapes and frame rates.
@Suite(.timeLimit(.minutes(20))) struct VideoCompositionTests {
  /// Frames of one colour each, so that what is mixed can be told.
  private final class Plain: SourceFrame {
    let timing = FrameTiming(pts: .zero, duration: MediaTime(value: 1, timescale: 25))
    let size: PixelSize
    let color: (UInt8, UInt8, UInt8)

    init(_ red: UInt8, _ green: UInt8, _ blue: UInt8, size: PixelSize = PixelSize(width: 64, height: 36)) {
      color = (red, green, blue)
      self.size = size
    }

    func render(for request: RenderRequest) throws -> RenderedFrame {
      RenderedFrame(for: request, size: size, timing: timing) { _, _ in color }
    }
    func still(maximumSize: PixelSize) throws -> Still {
      Still(maximumSize: maximumSize, size: size, timing: timing) { _, _ in color }
    }
    var layer: CompositedFrame.Layer {
      CompositedFrame.Layer(frame: self, aspect: Double(size.width) / Double(size.height))
    }
  }

  private static let size = PixelSize(width: 64, height: 36)
  private let red = Plain(255, 0, 0), blue = Plain(0, 0, 255)

  private func image(
    _ base: CompositedFrame.Base, _ overlays: [CompositedFrame.Overlay] = [],
    _ request: RenderRequest = RenderRequest(box: size), blending: ColorBlending = .coded
  ) throws -> PixelImage {
    let timing = FrameTiming(pts: .zero, duration: MediaTime(value: 1, timescale: 25))
    return try CompositedFrame(base, overlays: overlays, size: Self.size, timing: timing, blending: blending).render(for: request).image
  }

  private func image(
    _ transition: VideoTransition, _ progress: Double, blending: ColorBlending = .coded
  ) throws -> PixelImage {
    try image(.transition(transition, progress: progress, from: red.layer, to: blue.layer), blending: blending)
  }

  private func isRed(_ image: PixelImage, _ x: Int, _ y: Int) -> Bool { image[x, y] == (255, 0, 0) }
  private func isBlue(_ image: PixelImage, _ x: Int, _ y: Int) -> Bool { image[x, y] == (0, 0, 255) }

  @Test(arguments: [
    VideoTransition.crossDissolve, .fade(through: .white), .wipe(angle: 0, softness: 0), .wipe(angle: 37, softness: 0.5),
    .push(angle: 0), .push(angle: 200),
  ]) func endsAreExact(transition: VideoTransition) throws {
    let first = try image(.frame(red.layer)), last = try image(.frame(blue.layer))
    for blending in ColorBlending.allCases {
      #expect(try image(transition, 0, blending: blending) == first)
      #expect(try image(transition, 1, blending: blending) == last)
    }
  }

  /// Half of the light of 255 is the value 188.
  @Test(arguments: [(ColorBlending.coded, UInt8(128)), (.linear, 188)])
  func colorsAreMixedByValueOrByLight(blending: ColorBlending, middle: UInt8) throws {
    let half = try image(.crossDissolve, 0.5, blending: blending)
    #expect(half[10, 10] == (middle, 0, middle))
    let white = try image(.fade(through: .white), 0.25, blending: blending)
    #expect(white[3, 3] == (255, middle, middle))
    #expect(try image(.fade(through: .black), 0.5, blending: blending)[3, 3] == (0, 0, 0))
    let green = CompositedFrame.Overlay(layer: Plain(0, 255, 0).layer, region: .whole, opacity: 0.5)
    #expect(try image(.frame(red.layer), [green], blending: blending)[9, 9] == (middle, middle, 0))
  }

  /// Rows of random values against the definition.
  @Test func mixingMatchesItsDefinition() {
    var generator = SplitMix64(seed: 28)
    let b = (0..<999).map { _ in UInt8.random(in: 0...255, using: &generator) }
    for _ in 0..<20 {
      let a = (0..<999).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let share = Int.random(in: 0...ColorBlending.whole, using: &generator)
      var mixed = a
      mixed.withUnsafeMutableBufferPointer { mixed in b.withUnsafeBufferPointer { ColorBlending.coded.mix(mixed, with: $0, share: share) } }
      let part = Double(share) / Double(ColorBlending.whole)
      for i in a.indices { #expect(abs(Double(mixed[i]) - (Double(a[i]) * (1 - part) + Double(b[i]) * part)) <= 0.5) }
    }
  }

  @Test func wipesUncoverFromTheSideThatTheyComeFrom() throws {
    let right = try image(.wipe(angle: 0, softness: 0), 0.25)
    #expect(isBlue(right, 15, 5) && isRed(right, 16, 5))
    let down = try image(.wipe(angle: 90, softness: 0), 0.5)
    #expect(isBlue(down, 40, 17) && isRed(down, 40, 18))
    let left = try image(.wipe(angle: 180, softness: 0), 0.25)
    #expect(isRed(left, 47, 5) && isBlue(left, 48, 5))
    let soft = try image(.wipe(angle: 0, softness: 0.5), 0.5)
    #expect(isBlue(soft, 0, 0) && isRed(soft, 63, 0))
    #expect((1..<63).contains { soft[$0, 0].red > 20 && soft[$0, 0].blue > 20 })
  }

  /// In a pane that is larger than the movie an edge is as sharp as the pane can show it, and lies between the movie's pixels.
  @Test func transitionsAreWorkedOutAtTheSizeOfTheOutput() throws {
    let large = RenderRequest(box: PixelSize(width: 640, height: 360))
    for transition in [VideoTransition.wipe(angle: 0, softness: 0), .push(angle: 0)] {
      let result = try image(.transition(transition, progress: 0.255, from: red.layer, to: blue.layer), [], large)
      #expect(result.size == large.box)
      // 0.255 of 640 is 163.2; of 64 it is 16.3.
      for y in [0, 200, 359] { #expect(isBlue(result, 162, y) && isRed(result, 163, y), "\(transition)") }
    }
    let half = try image(.transition(.wipe(angle: 0, softness: 1), progress: 0.5, from: red.layer, to: blue.layer), [], large)
    let shades = (0..<640).map { half[$0, 0].blue }
    #expect(Set(shades).count > 150 && zip(shades, shades.dropFirst()).allSatisfy { $0 >= $1 })
  }

  @Test func pushesMoveBothImages() throws {
    let right = try image(.push(angle: 0), 0.25)
    #expect(isBlue(right, 15, 5) && isRed(right, 16, 5))
    let up = try image(.push(angle: 270), 0.5)
    #expect(isRed(up, 5, 17) && isBlue(up, 5, 18))
  }

  @Test func otherShapesStandInTheMiddleOnBlack() throws {
    let tall = Plain(0, 255, 0, size: PixelSize(width: 18, height: 36))
    let framed = try image(.frame(tall.layer))
    #expect(framed[22, 10] == (0, 0, 0) && framed[24, 10] == (0, 255, 0) && framed[40, 10] == (0, 255, 0) && framed[41, 10] == (0, 0, 0))
    // A part of the frame shows the same part of it.
    let right = try image(
      .frame(tall.layer), [],
      RenderRequest(box: Self.size, region: FrameRegion(x: 0.5, y: 0, width: 0.5, height: 0.5)))
    #expect(right[0, 0] == (0, 255, 0) && right[17, 20] == (0, 255, 0) && right[19, 20] == (0, 0, 0))
  }

  @Test func overlaysLieWhereTheyAreToldAndMayBeSeenThrough() throws {
    let green = Plain(0, 255, 0)
    let corner = CompositedFrame.Overlay(
      layer: green.layer, region: FrameRegion(x: 0.5, y: 0.5, width: 0.5, height: 0.5), opacity: 0.5)
    let result = try image(.frame(red.layer), [corner])
    #expect(isRed(result, 31, 30) && isRed(result, 40, 17))
    #expect(result[32, 18] == (128, 128, 0) && result[63, 35] == (128, 128, 0))
  }

  /// A frame with a hole, like a sign that is to lie over others: white, and nothing at all in the right half.
  private static func sign() throws -> Asset {
    var bytes: [UInt8] = []
    for _ in 0..<36 { for x in 0..<64 { bytes += x < 32 ? [255, 255, 255, 255] : [0, 255, 0, 0] } }
    return Asset(path: try RawClip.path("rgba", width: 64, height: 36, bytes: bytes))
  }

  @Test(arguments: [1.0, 0.5]) func whatIsTransparentShowsWhatLiesBelow(opacity: Double) throws {
    let sign = try Self.sign()
    let facts = try sign.wait(for: .facts)
    let track = try #require(facts.preferredVideoTrack)
    let source = try sign.openSource(of: track, facts, session: InputSession(sign.input), threads: 1)
    try source.rewind()
    var frame: (any SourceFrame)?
    while frame == nil { if case .frame(let first) = try source.decodeNext(discard: .nothing) { frame = first } }
    let layer = CompositedFrame.Layer(frame: try #require(frame), aspect: 64.0 / 36)
    let over = try image(.frame(red.layer), [.init(layer: layer, region: .whole, opacity: opacity)])
    #expect(over[10, 10] == (opacity == 1 ? (255, 255, 255) : (255, 128, 128)))
    #expect(isRed(over, 50, 10))
    // Alone it is seen as it is in a pane of its own.
    #expect(try image(.frame(layer))[50, 10].red != 0)
  }

  @Test func fadesOfOverlays() {
    let overlay = CompositionOverlay(
      .text([], SubtitlePlacement()), timeRange: TimeRange(start: time(10), end: time(20)), opacity: 0.5, fadeIn: time(2),
      fadeOut: time(4))
    #expect(overlay.opacity(at: time(10)) == 0 && overlay.opacity(at: time(11)) == 0.25)
    #expect(overlay.opacity(at: time(13)) == 0.5 && overlay.opacity(at: time(18)) == 0.25)
  }

  // MARK: - Frames in time

  private func time(_ seconds: Int64) -> MediaTime { MediaTime(value: seconds, timescale: 1) }

  private struct Shown: Equatable {
    var pts: MediaTime
    var from: Int?
    var to: Int?
  }

  /// Returns the frames and the timeline of two clips with a transition.
  private func frames(
    _ script: (FrameScript, FrameScript), frameDuration: MediaTime? = nil
  ) throws -> (frames: [any SourceFrame], timeline: PresentationTimeline) {
    let a = Asset(path: "a"), b = Asset(path: "b")
    var movie = Composition()
    try movie.append(TimeRange(start: .zero, end: time(2)), of: a)
    try movie.insert(TimeRange(start: .zero, end: time(2)), of: b, at: time(1), track: 1)
    movie.videoComposition.instructions = [
      VideoCompositionInstruction(
        timeRange: TimeRange(start: time(1), end: time(2)), transition: .crossDissolve, from: 0, to: 1)
    ]
    movie.videoComposition.frameDuration = frameDuration
    let plan = CompositionPlan(movie)
    #expect(plan.spans.map { TimeRange(start: $0.start, end: $0.end) } == [0, 1, 2].map { TimeRange(start: time($0), end: time($0 + 1)) })
    let source = CompositionSource(
      plan, index: nil, size: Self.size, frameRate: 25, failures: CompositionFailures()
    ) { clip, _ in
      OpenedClip(source: ScriptedSource(clip.asset === a ? script.0 : script.1), tolerance: .zero)
    }
    var timeline = CompositionTimeline(plan)
    for clip in timeline.sources {
      let script = clip.asset === a ? script.0 : script.1
      timeline.add(script.timeline(), rate: script.nominalFrameRate, tolerance: .zero, of: clip)
    }
    var frames: [any SourceFrame] = []
    while true {
      switch try source.decodeNext(discard: .nothing) {
      case .progress: continue
      case .frame(let frame): frames.append(frame)
      case .endOfStream: return (frames, try #require(timeline.known))
      }
    }
  }

  @Test func framesOfATransitionAreThoseOfTheFasterClip() throws {
    let slow = FrameScript.constant(count: 50, scale: 25), fast = FrameScript.constant(count: 100, scale: 50)
    for scripts in [(slow, fast), (fast, slow)] {
      let (frames, timeline) = try frames(scripts)
      let inside = frames.filter { $0.timing.pts >= time(1) && $0.timing.pts < time(2) }
      #expect(inside.count == 50)
      // The first one is the old clip's alone, and the first one behind it the new clip's.
      let progress = inside.compactMap { frame -> Double? in
        if case .transition(.crossDissolve, let progress, _, _) = (frame as? CompositedFrame)?.base { progress } else { nil }
      }
      #expect(progress == (0..<50).map { Double($0) / 50 })
      let behind = try #require(frames.first { $0.timing.pts >= time(2) } as? CompositedFrame)
      #expect(behind.timing.pts == time(2) && behind.onlyFrame != nil)
      #expect(frames.map(\.timing.pts) == (0..<timeline.frameCount).compactMap { timeline.time(ofFrame: $0) })
    }
  }

  /// A clip of one colour, three seconds long.
  private func plain(_ color: String) throws -> Asset {
    Asset(
      path: try SampleMedia.clip(
        name: "plain-\(color).mkv",
        arguments: ["-f", "lavfi", "-i", "color=0x\(color):size=64x36:rate=25:duration=3", "-c:v", "ffv1", "-pix_fmt", "bgr0"]))
  }

  /// All that is to be seen of a movie, by its time.
  private func images(of movie: Composition) throws -> [MediaTime: PixelImage] {
    let asset = Asset(composition: movie)
    let facts = try asset.wait(for: .facts)
    let track = try #require(facts.preferredVideoTrack)
    let source = try asset.openSource(of: track, facts, session: InputSession(asset.input), threads: 1)
    try source.rewind()
    var images: [MediaTime: PixelImage] = [:]
    while true {
      switch try source.decodeNext(discard: .nothing) {
      case .progress: continue
      case .frame(let frame): images[frame.timing.pts] = try frame.render(for: RenderRequest(box: Self.size)).image
      case .endOfStream: return images
      }
    }
  }

  /// Returns true if all of an image has one colour, as closely as a coded frame keeps it.
  private func isPlain(_ image: PixelImage?, _ color: (UInt8, UInt8, UInt8)) -> Bool {
    guard let image, image.size == Self.size else { return false }
    return (0..<36).allSatisfy { y in (0..<64).allSatisfy { isNear(image[$0, y]) } }
    func isNear(_ pixel: (red: UInt8, green: UInt8, blue: UInt8)) -> Bool {
      [(pixel.red, color.0), (pixel.green, color.1), (pixel.blue, color.2)].allSatisfy { abs(Int($0) - Int($1)) <= 4 }
    }
  }

  /// Without a transition the highest track is seen that has something, a lower one where that is empty.
  @Test func aTrackHidesThoseBelowItWhereItIsNotEmpty() throws {
    var movie = Composition()
    try movie.append(TimeRange(start: .zero, end: time(3)), of: plain("FF0000"))
    let second = TimeRange(start: .zero, end: time(1))
    try movie.insert(second, of: plain("0000FF"), at: time(1), track: 1)
    try movie.insert(second, of: plain("00FF00"), at: MediaTime(value: 3, timescale: 2), track: 2)
    let images = try images(of: movie)
    #expect(images.count == 76)
    for (time, image) in images {
      let half = (time * 2).count(of: self.time(1)) ?? 0
      switch half {
      case 2: #expect(isPlain(image, (0, 0, 255)), "\(time)")
      case 3, 4: #expect(isPlain(image, (0, 255, 0)), "\(time)")
      default: #expect(isPlain(image, (255, 0, 0)), "\(time)")
      }
    }
  }

  /// Nothing is black; what is missing is not.
  @Test func anEmptyEditIsBlack() throws {
    var movie = Composition()
    try movie.append(TimeRange(start: .zero, end: time(1)), of: plain("FF0000"))
    try movie.insertEmpty(TimeRange(start: time(1), duration: time(1)))
    try movie.insertMissing("gone", reason: "is away", duration: time(1), at: time(2))
    let images = try images(of: movie)
    #expect(isPlain(images[.zero], (255, 0, 0)))
    #expect(isPlain(images[time(1)], (0, 0, 0)))
    let missing = try #require(images[time(2)])
    #expect(try missing == image(.missing) && !isPlain(missing, (0, 0, 0)))
    #expect(images.count == 27)
  }

  /// The place of what is missing shows so up to its end, also where it goes over into something else.
  @Test func whatIsMissingIsSeenInTransitionsToo() throws {
    var movie = Composition()
    try movie.insertMissing("gone", reason: "is away", duration: time(2), at: .zero)
    try movie.insert(TimeRange(start: .zero, end: time(2)), of: Asset(path: "b"), at: time(1), track: 1)
    movie.videoComposition.instructions = [
      VideoCompositionInstruction(
        timeRange: TimeRange(start: time(1), end: time(2)), transition: .crossDissolve, from: 0, to: 1)
    ]
    let source = CompositionSource(
      CompositionPlan(movie), index: nil, size: Self.size, frameRate: 25, failures: CompositionFailures()
    ) { _, _ in OpenedClip(source: ScriptedSource(.constant(count: 50)), tolerance: .zero) }
    var images: [MediaTime: PixelImage] = [:]
    decode: while true {
      switch try source.decodeNext(discard: .nothing) {
      case .progress: continue
      case .frame(let frame): images[frame.timing.pts] = try frame.render(for: RenderRequest(box: Self.size)).image
      case .endOfStream: break decode
      }
    }
    let stripes = try image(.missing)
    #expect(images[.zero] == stripes && images[time(1)] == stripes)
    #expect(images.count == 51 && images.values.count { $0 == stripes } == 2)
  }

  @Test func withARateOfItsOwnFramesLieOnItsGrid() throws {
    let slow = FrameScript.constant(count: 50, scale: 25), fast = FrameScript.constant(count: 100, scale: 50)
    let (frames, timeline) = try frames((slow, fast), frameDuration: MediaTime(value: 1, timescale: 30))
    #expect(frames.map(\.timing.pts) == (0..<90).map { MediaTime(value: $0, timescale: 30) })
    #expect(timeline.frameCount == 90)
    let only = frames.prefix(30).compactMap { ($0 as? CompositedFrame)?.onlyFrame?.timing.number }
    #expect(only == (0..<30).map { $0 * 25 / 30 })
  }
}
