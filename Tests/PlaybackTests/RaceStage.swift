import DecodePool
import Foundation
import Pixels
import Playback
import TestSupport
import Testing

/// Players that many threads call at once while another displays, with their requests, the answers, and the frames seen.
///
/// Built on pthreads alone, which a thread sanitizer sees through.
final class RaceStage: Sendable {
  /// The outcome of a seek: its caller, its number among that thread's seeks on that player, and its result.
  struct Answer: Equatable, Sendable {
    var player: Int
    var caller: Int
    var number: Int
    var result: SeekResult
  }

  private struct State {
    /// Seeks asked for, by player and caller.
    var asked: [[Int]]
    var answers: [Answer] = []
    var items: [ObjectIdentifier: Int] = [:]
    var scripts: [FrameScript] = []
    /// The frame indexes of the items' sources, and how far they have come.
    var indexes: [(index: FrameIndex?, known: Int, isLast: Bool)] = []
    var turns = 0
    var isClosed = false
    /// The frame taken last from each player.
    var taken: [RenderedFrame?]
    var faults: [String] = []
    var living = 0
    var busy = 0
  }

  let clock = ManualClock()
  let callers: Int
  private let state: Monitor<State>
  private let stage: Monitor<Stage?>

  /// The objects freed at the end.
  struct Stage: Sendable {
    var pool: DecodePool
    var bus: TimeObserverBus
    var players: [Player]
    var outputs: [VideoOutput]
  }

  /// Nanoseconds after which no answer will come any more.
  private static let patience: UInt64 = 120_000_000_000

  init(players count: Int, callers: Int, threads: Int) {
    self.callers = callers
    state = Monitor(
      State(
        asked: Array(repeating: Array(repeating: 0, count: callers + 1), count: count),
        taken: Array(repeating: nil, count: count)))
    let pool = DecodePool(threads: threads)
    let bus = TimeObserverBus(clock: clock)
    let players = (0..<count).map { _ in Player(context: PlaybackContext(pool: pool, bus: bus)) }
    stage = Monitor(Stage(pool: pool, bus: bus, players: players, outputs: players.map { VideoOutput($0) }))
  }

  var players: [Player] { stage.withLock { $0?.players ?? [] } }
  /// The outputs that display them, in the same order.
  var outputs: [VideoOutput] { stage.withLock { $0?.outputs ?? [] } }
  var answers: [Answer] { state.withLock { $0.answers } }
  var asked: [[Int]] { state.withLock { $0.asked } }
  /// Everything seen that must not be.
  var faults: [String] { state.withLock { $0.faults } }

  // MARK: - Items

  /// An item whose frames carry its own number as well as theirs.
  func makeItem(_ script: FrameScript, faults: ScriptedSource.Faults, index: IndexScript) -> PlayerItem {
    let scripted = ScriptedSource(script, faults: faults, index: index)
    let id = state.withLock { state in
      state.scripts.append(script)
      state.indexes.append((scripted.index, 0, false))
      state.living += 1
      return state.scripts.count - 1
    }
    let source = TracedSource(scripted, id: id) { [state] overlapped in
      state.withLock { state in
        state.living -= 1
        if overlapped { state.faults.append("two threads in source \(id) at once") }
      }
      state.broadcast()
    }
    let item = PlayerItem { source }
    state.withLock { $0.items[ObjectIdentifier(item)] = id }
    return item
  }

  /// Extends the index of an item's source: by `count` frames, or, if its order was refuted, with a decoded timeline.
  func moveIndex(of id: Int, by count: Int) {
    let finish: (index: FrameIndex, timeline: PresentationTimeline?)? = state.withLock { state in
      guard let index = state.indexes[id].index, !index.hasEnded else { return nil }
      let script = state.scripts[id]
      if index.orderIsUnreliable { return (index, script.timeline(origin: .decode)) }
      guard !state.indexes[id].isLast else { return nil }
      state.indexes[id].known = min(state.indexes[id].known + count, script.frames.count)
      let known = state.indexes[id].known
      if known == script.frames.count {
        state.indexes[id].isLast = true
        return (index, script.timeline())
      }
      // With the lock held, so that no thread brings less than another has brought.
      index.publish(script.timeline(first: known), progress: Double(known) / Double(script.frames.count))
      return nil
    }
    if let finish { finish.index.finish(finish.timeline) }
  }

  var itemCount: Int { state.withLock { $0.scripts.count } }

  func id(of item: PlayerItem) -> Int? { state.withLock { $0.items[ObjectIdentifier(item)] } }
  func script(of id: Int) -> FrameScript { state.withLock { $0.scripts[id] } }

  // MARK: - Calls

  /// Seeks, and notes the answer; `caller` is the number of the calling thread.
  func seek(_ player: Player, _ index: Int, caller: Int, to time: MediaTime, _ before: MediaTime, _ after: MediaTime) {
    let number = state.withLock { state in
      defer { state.asked[index][caller] += 1 }
      return state.asked[index][caller]
    }
    player.seek(to: time, toleranceBefore: before, toleranceAfter: after) { [state] result in
      state.withLock {
        $0.answers.append(Answer(player: index, caller: caller, number: number, result: result))
      }
      state.broadcast()
    }
  }

  /// Waits until every seek has been answered; returns false if some are not.
  func waitForAnswers() -> Bool {
    state.wait(until: monotonicNanoseconds() + Self.patience) { state in
      state.answers.count >= state.asked.reduce(0) { $0 + $1.reduce(0, +) } ? () : nil
    } != nil
  }

  // MARK: - Threads

  /// Runs a thread that `waitForThreads` waits for.
  func detach(_ body: @escaping @Sendable () -> Void) {
    state.withLock { $0.busy += 1 }
    Thread.detachNewThread { [state] in
      body()
      state.withLock { $0.busy -= 1 }
      state.broadcast()
    }
  }

  /// Waits until no more than `left` threads are left; returns false if more are.
  func waitForThreads(left: Int) -> Bool {
    state.wait(until: monotonicNanoseconds() + Self.patience) { $0.busy <= left ? () : nil } != nil
  }

  // MARK: - Display

  /// Displays as a screen would, turn by turn, until `close`.
  func display(nanoseconds: HostTime) {
    let outputs = outputs
    let bus = stage.withLock { $0?.bus }
    while !state.withLock({ $0.isClosed }) {
      clock.advance(by: nanoseconds)
      bus?.deliver()
      for (index, output) in outputs.enumerated() {
        if let (frame, due) = output.take(at: clock.now) {
          look(at: frame, index)
          output.didShow(due: due, at: clock.now)
        }
        _ = output.nextTime(after: clock.now)
      }
      state.withLock { $0.turns += 1 }
      state.broadcast()
    }
  }

  private func look(at frame: RenderedFrame, _ index: Int) {
    let (id, number) = TracedSource.identity(of: frame.image)
    state.withLock { state in
      state.taken[index] = frame
      let scripted = state.scripts.indices.contains(id) ? state.scripts[id].frames[number] : nil
      if number != frame.timing.number || scripted?.pts != frame.timing.pts {
        state.faults.append("player \(index): frame \(number) of item \(id) is called \(frame.timing)")
      }
      if frame.image.size != frame.request.box {
        state.faults.append("player \(index): a frame of \(frame.image.size) for \(frame.request)")
      }
    }
  }

  /// Returns the frame that the display took last.
  func taken(_ index: Int) -> RenderedFrame? { state.withLock { $0.taken[index] } }

  /// Waits until the display has had `count` more turns.
  func waitForTurns(_ count: Int) {
    let end = state.withLock { $0.turns } + count
    _ = state.wait(until: monotonicNanoseconds() + Self.patience) { $0.turns >= end || $0.isClosed ? () : nil }
  }

  /// Ends the display.
  func close() {
    state.withLock { $0.isClosed = true }
    state.broadcast()
  }

  /// Lets go of players, bus and pool.
  func free() { stage.withLock { $0 = nil } }

  /// Waits until all sources are gone, and with them the lanes; returns false if some stay.
  func waitForSourcesToGo() -> Bool {
    state.wait(until: monotonicNanoseconds() + Self.patience) { $0.living == 0 ? () : nil } != nil
  }
}

/// A scripted source whose frames identify their item, and which reports when it goes.
final class TracedSource: FrameSource, Sendable {
  private let source: ScriptedSource
  private let id: Int
  private let gone: @Sendable (_ hadOverlappingCalls: Bool) -> Void

  init(_ source: ScriptedSource, id: Int, gone: @escaping @Sendable (Bool) -> Void) {
    self.source = source
    self.id = id
    self.gone = gone
  }

  deinit { gone(source.hadOverlappingCalls) }

  var info: SourceInfo { source.info }
  func seek(to time: MediaTime, options: SeekOptions) throws -> SeekLanding {
    try source.seek(to: time, options: options)
  }
  func rewind() throws { try source.rewind() }
  var index: FrameIndex? { source.index }
  func retainDecoders(within bytes: Int) -> Int { source.retainDecoders(within: bytes) }

  func decodeNext(discard: DiscardLevel) throws -> DecodeStep {
    let step = try source.decodeNext(discard: discard)
    guard case .frame(let frame) = step else { return step }
    return .frame(TracedFrame(frame, id: id))
  }

  /// The item and the number of a frame.
  static func identity(of image: PixelImage) -> (id: Int, number: Int) {
    let both = ScriptedSource.number(in: image)
    return (both >> 12, both & 0xFFF)
  }
}

/// A frame of a `TracedSource`.
private final class TracedFrame: SourceFrame {
  private let frame: any SourceFrame
  private let id: Int

  init(_ frame: any SourceFrame, id: Int) {
    self.frame = frame
    self.id = id
  }

  var timing: FrameTiming { frame.timing }

  func render(for request: RenderRequest) throws -> RenderedFrame {
    var rendered = try frame.render(for: request)
    rendered.image = marked(rendered.image)
    return rendered
  }

  func still(maximumSize: PixelSize) throws -> Still {
    var still = try frame.still(maximumSize: maximumSize)
    still.image = marked(still.image)
    return still
  }

  private func marked(_ image: PixelImage) -> PixelImage {
    ScriptedSource.image(id << 12 | ScriptedSource.number(in: image), size: image.size)
  }
}
