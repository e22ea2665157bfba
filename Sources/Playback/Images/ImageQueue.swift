import DecodePool
import DequeModule
import Pixels
import Synchronization

/// The unanswered requests of an image generator, and the lane that processes them.
///
/// Safe from any thread. Only the lane's steps answer, one after another, so answers keep their order and
/// come once. It outlives the generator until everything has been answered.
final class ImageQueue: Sendable {
  struct Request: Sendable {
    let batch: Int
    let time: MediaTime
    let target: ExactSearch.Target
    let maximumSize: PixelSize
    let answer: @Sendable (GeneratedImage) -> Void
    var isCancelled = false
  }

  private enum Phase {
    case unopened
    case opening
    case open(ImageFinder)
    case failed(PlaybackError)
  }

  /// The state of the preparation for exact seeking.
  private enum Preparation { case none, underWay, done }

  private struct State {
    var requests: Deque<Request> = []
    var phase = Phase.unopened
    var preparation = Preparation.none
    var isClosed = false
    var nextBatch = 0
    var lane: Lane?
    var pool: DecodePool?
  }

  private enum Work {
    case nothing
    case leave
    case open
    case prepare(ImageFinder)
    case answer(Request, GeneratedImage.Outcome)
    case find(ImageFinder, Request)
  }

  private let item: PlayerItem
  private let threads: Int
  /// The time in nanoseconds after which a step is due: long for work that waits behind everything else.
  private let patience: UInt64
  private let state: Mutex<State>

  init(item: PlayerItem, pool: DecodePool, threads: Int, patience: UInt64) {
    self.item = item
    self.threads = threads
    self.patience = patience
    state = Mutex(State(pool: pool))
  }

  private var deadline: UInt64 { monotonicNanoseconds() &+ patience }

  // MARK: - Asking

  func newBatch() -> Int {
    state.withLock { state in
      state.nextBatch += 1
      return state.nextBatch
    }
  }

  func add(_ requests: [Request]) {
    let lane = state.withLock { state in
      state.requests.append(contentsOf: requests)
      if state.lane == nil { state.lane = state.pool?.makeLane({ [self] in step() }, whenUnserved: { [self] in fail($0) }) }
      return state.lane
    }
    lane?.wake(deadline: deadline)
  }

  /// Cancels unanswered requests of one batch or all; the lane then answers them.
  func cancel(batch: Int? = nil) {
    let lane = state.withLock { state in
      for i in state.requests.indices where batch == nil || state.requests[i].batch == batch {
        state.requests[i].isCancelled = true
      }
      return state.lane
    }
    lane?.wake(deadline: monotonicNanoseconds())
  }

  /// Cancels everything; no further requests are accepted.
  func close() {
    let lane = state.withLock { state in
      state.isClosed = true
      return state.lane
    }
    item.interrupt()
    lane?.wake(deadline: monotonicNanoseconds())
  }

  // MARK: - The lane

  private func step() -> DecodePool.Next {
    switch takeWork() {
    case .nothing:
      return .idle
    case .leave:
      leave()
      return .idle
    case .open:
      item.open(threads: threads) { [self] in didOpen($0) }
      return .idle
    case .prepare(let finder):
      guard let index = finder.source.index else {
        didPrepare()
        return .idle
      }
      index.readPackets { [self] in didPrepare() }
      return .idle
    case .answer(let request, let outcome):
      request.answer(GeneratedImage(requestedTime: request.time, outcome: outcome))
    case .find(let finder, let request):
      find(finder, request)
    }
    return .again(deadline: deadline)
  }

  private func takeWork() -> Work {
    state.withLock { state in
      guard let first = state.requests.first else { return state.isClosed ? .leave : .nothing }
      if first.isCancelled || state.isClosed { return .answer(state.requests.removeFirst(), .cancelled) }
      switch state.phase {
      case .unopened:
        state.phase = .opening
        return .open
      case .opening:
        return .nothing
      case .failed(let error):
        return .answer(state.requests.removeFirst(), .failed(error))
      case .open(let finder):
        guard first.target.isExact, state.preparation != .done else { return .find(finder, first) }
        guard state.preparation == .none else { return .nothing }
        state.preparation = .underWay
        return .prepare(finder)
      }
    }
  }

  private func find(_ finder: ImageFinder, _ request: Request) {
    let outcome: GeneratedImage.Outcome
    do {
      guard let frame = try finder.step(request.target) else { return }
      outcome = .succeeded(try frame.still(maximumSize: request.maximumSize))
    } catch {
      outcome = .failed(PlaybackError(error))
    }
    // It may have been cancelled meanwhile; nobody else removes it.
    let isOff = state.withLock { state in state.requests.removeFirst().isCancelled || state.isClosed }
    request.answer(GeneratedImage(requestedTime: request.time, outcome: isOff ? .cancelled : outcome))
  }

  private func didOpen(_ opening: PlayerItem.Opening) {
    let lane = state.withLock { state in
      switch opening {
      case .success(let box): state.phase = .open(ImageFinder(box))
      case .failure(let error): state.phase = .failed(error)
      }
      return state.lane
    }
    item.session?.observeWaits { [weak lane] in lane?.setBlocked($0) }
    lane?.wake(deadline: deadline)
  }

  /// Answers all waiting requests with the reason, since no worker runs the lane's steps.
  private func fail(_ error: ThreadError) {
    let pool = state.withLock { state in
      state.phase = .failed(PlaybackError(error))
      return state.pool
    }
    while pool?.runNextStep() == true {}
  }

  private func didPrepare() {
    let lane = state.withLock { state in
      state.preparation = .done
      return state.lane
    }
    lane?.wake(deadline: deadline)
  }

  /// Releases the lane, which holds this queue, the pool and the source.
  private func leave() {
    let held = state.withLock { state in
      defer { (state.lane, state.pool, state.phase) = (nil, nil, .failed(.cancelled)) }
      return (state.lane, state.pool, state.phase)
    }
    held.0?.close()
  }
}
