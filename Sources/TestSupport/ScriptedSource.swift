import DecodePool
import Pixels
import Playback

/// A source of numbered frames that does what a test tells it, and records every call.
///
/// Its faults can be changed at any time, from any thread.
public final class ScriptedSource: FrameSource, Sendable {
  public enum Call: Hashable, Sendable {
    case seek(MediaTime)
    case rewind
    case decode(DiscardLevel)
    /// The number of the frame that was rendered.
    case render(Int)
  }

  /// A moment inside a step of the lane at which the lane holds no lock and a test may call the player.
  public enum Moment: Hashable, Sendable {
    /// The step has decided what to do, and is about to do it.
    case before(Call)
    /// The step has done it, but not reported it yet.
    case after(Call)
    /// The step has begun but done nothing yet, or has reported all that it did.
    case between
  }

  public struct Fault: Error, Hashable {
    public let name: String
    public init(_ name: String) { self.name = name }
  }

  /// The faults of a source.
  public struct Faults: Sendable {
    /// Number of `.progress` steps before each frame.
    public var progressPerFrame = 0
    /// Number of frames by which each seek lands after its keyframe; it may miss the target.
    public var landsBehindBy = 0
    /// Number of frames before the target for which each seek is made without an index.
    public var guessesEarlierBy = 0
    /// True if nothing comes after a seek (not a rewind).
    public var landsNowhere = false
    public var seekThrows = false
    /// True if frames after a seek are uncertain and wrong, unless certain ones were asked for.
    public var isUncertain = false
    /// True if decoders wait where seeks leave them, `bytesPerDecoder` each.
    public var decodersWait = false
    /// Number of frames between the one fed to the decoder and the one that comes out: discarding takes effect that much later.
    public var holdsBack = 0
    /// True if numbers of frames are reported as guesses.
    public var numbersAreGuesses = false
    /// True if the source can only go on, like a pipe.
    public var cannotSeek = false
    public var rewindThrows = false
    /// Number of the frame whose decoding throws.
    public var decodeThrowsAt: Int?
    public var renderThrows = false
    /// Number of the frame before which the data ends.
    public var endsBefore: Int?
    /// True if the data is cut off at its end.
    public var isCutOff = false

    public init() {}
  }

  public let script: FrameScript
  /// The index of all the source's frames.
  public let index: FrameIndex?

  /// Decoding from a keyframe on.
  private struct Run: Sendable {
    var key = 0
    /// Number of the frame that is decoded next.
    var next = 0
    /// Number of the frame that is fed next, and the discarded ones before it that are still to come.
    var fed = 0
    var discarded: Set<Int> = []
    var sinceLeftOut = Int.max

    init(key: Int = 0, next: Int = 0) {
      (self.key, self.next) = (key, next)
      fed = next
    }
  }

  /// Size of one waiting decoder.
  public static let bytesPerDecoder = 4000

  private struct State: Sendable {
    var faults = Faults()
    var calls: [Call] = []
    var isNowhere = false
    var isCertain = true
    var run = Run()
    /// The decoders left behind, the most recent one at the end.
    var waiting: [Run] = []
    var waitingLimit = 0
    var progress = 0
    /// The frame times known at the last seek.
    var timeline: PresentationTimeline?
    /// Number of calls in progress, and whether there were ever two.
    var inside = 0
    var wasEntered = false
    var isHeld = false
    var duringDecode: (@Sendable () -> Void)?
    var hook: (@Sendable (Moment) -> Void)?
  }

  private let state = Monitor(State())

  public init(_ script: FrameScript, faults: Faults = Faults(), index: IndexScript = .none) {
    self.script = script
    self.index = index.makeIndex(of: script)
    state.withLock { $0.faults = faults }
  }

  /// Publishes a timeline of the first `count` frames.
  public func publishIndex(first count: Int) {
    index?.publish(script.timeline(first: count), progress: Double(count) / Double(max(1, script.frames.count)))
  }

  /// Publishes the right timeline of all frames, as the last one.
  public func finishIndex(origin: PresentationTimeline.Origin = .packets) {
    index?.finish(script.timeline(origin: origin))
  }

  public var faults: Faults {
    get { state.withLock { $0.faults } }
    set { state.withLock { $0.faults = newValue } }
  }

  public var calls: [Call] { state.withLock { $0.calls } }

  /// Returns the calls since the last time, and forgets them.
  public func takeCalls() -> [Call] {
    state.withLock { state in
      defer { state.calls = [] }
      return state.calls
    }
  }

  /// True if two calls ever overlapped.
  public var hadOverlappingCalls: Bool { state.withLock { $0.wasEntered } }
  /// True if a call is in progress.
  public var isBusy: Bool { state.withLock { $0.inside > 0 } }

  /// Sets a block to call in every decoding call, in which a test lets time pass.
  public func setDuringDecode(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.duringDecode = body } }

  /// Sets a block that the lane's worker calls at every moment of a step at which the player may be called.
  public func setHook(_ body: (@Sendable (Moment) -> Void)?) { state.withLock { $0.hook = body } }

  /// Lets every decoding call hang until `release()`.
  public func hold() { state.withLock { $0.isHeld = true } }

  public func release() {
    state.withLock { $0.isHeld = false }
    state.broadcast()
  }

  /// Waits until a call hangs, for tests with real threads; returns false if none does for long.
  public func waitUntilBusy() -> Bool { state.becomes { $0.inside > 0 } }

  // MARK: - FrameSource

  public var info: SourceInfo {
    SourceInfo(
      presentationSize: script.size, duration: script.announcedDuration, nominalFrameRate: script.nominalFrameRate,
      codec: "script", canSeek: !faults.cannotSeek, canSkipNonReference: true)
  }

  public func seek(to time: MediaTime, options: SeekOptions) throws -> SeekLanding {
    try entering(.seek(time)) { state -> SeekLanding in
      if state.faults.seekThrows { throw Fault("seek") }
      let target = script.number(at: time)
      forget(&state)
      let guess = state.timeline == nil ? max(0, target - state.faults.guessesEarlierBy) : target
      let key = (0...guess).last { script.frames[$0].isKey } ?? 0
      state.isNowhere = state.faults.landsNowhere
      state.isCertain = options.contains(.mustBeCertain) || !state.faults.isUncertain
      if state.waitingLimit > 0, !options.contains(.withFreshDecoder), goOn(&state, key: key, target: target) {
        let lacksFrames = state.run.sinceLeftOut < Self.leavesOutFor || !state.run.discarded.isEmpty
        return SeekLanding(lacksFrames: lacksFrames)
      }
      leave(&state)
      state.run = Run(key: key, next: min(key + state.faults.landsBehindBy, script.frames.count))
      return SeekLanding()
    }
  }

  /// Number of frames that come out after one that was left out until none is missing any more.
  private static let leavesOutFor = 4

  private func goOn(_ state: inout State, key: Int, target: Int) -> Bool {
    let runs = [state.run] + state.waiting
    let best = runs.filter { $0.key <= key && key <= $0.next && $0.next <= target }.max { $0.next < $1.next }
    guard let best else { return false }
    if best.key == state.run.key, best.next == state.run.next { return true }
    state.waiting.removeAll { $0.key == best.key }
    leave(&state)
    state.run = best
    return true
  }

  private func leave(_ state: inout State) {
    state.waiting.removeAll { $0.key == state.run.key }
    state.waiting.append(state.run)
    trim(&state)
  }

  private func trim(_ state: inout State) {
    let most = state.waitingLimit / Self.bytesPerDecoder
    if state.waiting.count > most { state.waiting.removeFirst(state.waiting.count - most) }
  }

  public func retainDecoders(within bytes: Int) -> Int {
    state.withLock { $0.hook }?(.between)
    return state.withLock { state in
      state.waitingLimit = state.faults.decodersWait ? bytes : 0
      trim(&state)
      return state.waiting.count * Self.bytesPerDecoder
    }
  }

  /// Number of decoders that wait.
  public var waitingCount: Int { state.withLock { $0.waiting.count } }

  public func rewind() throws {
    try entering(.rewind) { state in
      if state.faults.rewindThrows { throw Fault("rewind") }
      leave(&state)
      state.run = Run()
      state.isNowhere = false
      state.isCertain = true
      forget(&state)
    }
  }

  private func forget(_ state: inout State) {
    state.progress = 0
    state.timeline = index?.timeline
  }

  public func decodeNext(discard: DiscardLevel) throws -> DecodeStep {
    state.withLock { $0.duringDecode }?()
    let step = try entering(.decode(discard)) { state -> Step in
      feed(&state, discard)
      while state.run.discarded.remove(state.run.next) != nil {
        state.run.next += 1
        state.run.sinceLeftOut = 0
        feed(&state, discard)
      }
      let number = state.run.next
      guard !state.isNowhere, number < script.frames.count, number < state.faults.endsBefore ?? .max else {
        return .endOfStream(isCutOff: state.faults.isCutOff)
      }
      if state.faults.decodeThrowsAt == number { throw Fault("decode") }
      if state.progress < state.faults.progressPerFrame {
        state.progress += 1
        return .progress
      }
      state.progress = 0
      state.run.next += 1
      if state.run.sinceLeftOut < Self.leavesOutFor { state.run.sinceLeftOut += 1 }
      var timing = timing(number)
      timing.isCertain = state.isCertain
      timing.numberIsExact = !state.faults.numbersAreGuesses
      let known = state.timeline?.timing(at: timing.pts)
      timing.endIsExact = known.map { $0.pts == timing.pts && $0.end == timing.end } ?? false
      guard let timeline = state.timeline, timing.pts < timeline.end, timeline.time(ofFrame: number) != timing.pts
      else { return .frame(timing) }
      state.timeline = nil
      return .misplacedFrame(timing)
    }
    switch step {
    case .progress: return .progress
    case .endOfStream(let isCutOff): return .endOfStream(isCutOff: isCutOff)
    case .frame(let timing): return .frame(ScriptedFrame(timing, self))
    case .misplacedFrame(let timing):
      index?.markOrderUnreliable()
      return .frame(ScriptedFrame(timing, self))
    }
  }

  private enum Step: Sendable {
    case frame(FrameTiming)
    /// A frame that the index has elsewhere.
    case misplacedFrame(FrameTiming)
    case progress
    case endOfStream(isCutOff: Bool)
  }

  /// Feeds the decoder with what it needs to give the next frame.
  private func feed(_ state: inout State, _ discard: DiscardLevel) {
    let end = min(state.run.next + state.faults.holdsBack + 1, script.frames.count)
    while state.run.fed < end {
      if isDiscarded(script.frames[state.run.fed], discard) { state.run.discarded.insert(state.run.fed) }
      state.run.fed += 1
    }
  }

  private func isDiscarded(_ frame: FrameScript.Frame, _ level: DiscardLevel) -> Bool {
    level == .nonKey && !frame.isKey || level == .nonReference && !frame.isReference
  }

  /// Returns the timing of a frame by its number.
  public func timing(_ number: Int) -> FrameTiming {
    let frame = script.frames[number]
    return FrameTiming(pts: frame.pts, duration: frame.duration, number: number)
  }

  /// Renders the frame of a timing.
  fileprivate func render(_ timing: FrameTiming, for request: RenderRequest) throws -> RenderedFrame {
    try entering(.render(timing.number)) { if $0.faults.renderThrows { throw Fault("render") } }
    let geometry = request.geometry(ofFrame: script.size)
    let number = timing.isCertain ? timing.number : Self.wrong + timing.number
    return RenderedFrame(
      image: Self.image(number, size: geometry.imageSize), rect: geometry.imageRect, request: request, timing: timing)
  }

  /// Makes a call: records it, counts it, and holds it while the test asks for that.
  private func entering<R: Sendable>(_ call: Call, _ body: @Sendable (inout State) throws -> R) throws -> R {
    let hook = state.withLock { state in
      state.calls.append(call)
      if state.inside > 0 { state.wasEntered = true }
      state.inside += 1
      return state.hook
    }
    state.broadcast()
    defer { state.withLock { $0.inside -= 1 } }
    hook?(.before(call))
    defer { hook?(.after(call)) }
    if case .decode = call { state.wait { $0.isHeld ? nil : () } }
    return try state.withLock { try body(&$0) }
  }

  // MARK: - Numbers in frames

  /// Added to the numbers of wrong frames.
  public static let wrong = 100_000

  /// Returns a frame whose every pixel is its number.
  public static func image(_ number: Int, size: PixelSize) -> PixelImage {
    PixelImage(size: size) { bytes in
      for i in 0..<size.area {
        bytes[3 * i] = UInt8(truncatingIfNeeded: number >> 16)
        bytes[3 * i + 1] = UInt8(truncatingIfNeeded: number >> 8)
        bytes[3 * i + 2] = UInt8(truncatingIfNeeded: number)
      }
    }
  }

  /// Returns the number with which `image` was made.
  public static func number(in image: PixelImage) -> Int {
    let (high, middle, low) = image[image.width - 1, image.height - 1]
    return Int(high) << 16 | Int(middle) << 8 | Int(low)
  }
}

/// A frame of a `ScriptedSource`.
private final class ScriptedFrame: SourceFrame {
  let timing: FrameTiming
  private let source: ScriptedSource

  init(_ timing: FrameTiming, _ source: ScriptedSource) {
    self.timing = timing
    self.source = source
  }

  func render(for request: RenderRequest) throws -> RenderedFrame { try source.render(timing, for: request) }

  func still(maximumSize: PixelSize) throws -> Still {
    let size = Still.size(of: source.info.presentationSize, maximum: maximumSize)
    return Still(image: try render(for: RenderRequest(box: size)).image, timing: timing)
  }
}
