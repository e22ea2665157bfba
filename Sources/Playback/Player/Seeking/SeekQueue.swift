/// A requested seek.
struct SeekRequest: Sendable {
  var target: MediaTime
  /// The frame may be on display anywhere from target − before to target + after.
  var before: MediaTime = .zero
  var after: MediaTime = .zero
  var askedAt: HostTime
  /// True if playback itself requested the seek, as when a loop repeats, so that no viewer can cancel it.
  var isOwn = false
  var completion: (@Sendable (SeekResult) -> Void)?

  var isExact: Bool { before == .zero && after == .zero }
}

/// One seek in flight, and the newest target, which waits for it (Apple's QA1820); and steps that wait for their frames.
///
/// Each completion is handed out once, in the order of the requests.
struct SeekQueue {
  /// The seek in flight, which the decoder is on its way to.
  private(set) var active: SeekRequest?
  /// The waiting seek, replaced by every newer one; starts when `active` has landed.
  private(set) var waiting: SeekRequest?
  /// A seek by playback itself that a viewer's target has replaced; it waits again if that is cancelled.
  private var replaced: SeekRequest?
  /// Completions of replaced targets, which follow that of the seek in flight.
  private var superseded: [@Sendable (SeekResult) -> Void] = []
  /// Waiting steps: forward if positive, backward if negative.
  private(set) var pendingSteps = 0
  /// The host time of the newest request.
  private var askedAt: HostTime = .min
  /// True if the seek came soon after another.
  private var isRepeated = false

  /// Requests less than this far apart, in nanoseconds, are one movement.
  static let movingPause: HostTime = 300_000_000
  /// The maximum number of waiting steps: more than any clip has frames.
  private static let maxSteps = Int(Int32.max)

  var isUnderWay: Bool { active != nil || waiting != nil }
  var newestTarget: MediaTime? { waiting?.target ?? active?.target }

  /// True if the newest target came soon after another.
  var isMoving: Bool { isRepeated }

  /// Returns true if the target is moving, so that a frame near it is better than none.
  func isScrubbing(at host: HostTime) -> Bool { isRepeated && host - askedAt < Self.movingPause }

  // MARK: - Targets

  /// Notes that the viewer requests a seek.
  mutating func noteAsk(at host: HostTime) {
    pendingSteps = 0
    isRepeated = isUnderWay || host - Self.movingPause < askedAt
    askedAt = host
  }

  /// Replaces the waiting seek.
  mutating func enqueue(_ request: SeekRequest) -> [SeekCompletion] {
    if request.isOwn { replaced = nil } else if let waiting, waiting.isOwn { replaced = waiting }
    defer { waiting = request }
    return supersedeWaiting()
  }

  /// Answers a seek when there is nothing to seek in.
  func refuse(_ request: SeekRequest) -> [SeekCompletion] {
    request.completion.map { [SeekCompletion(call: $0, result: .superseded)] } ?? []
  }

  /// Cancels the waiting seek. A seek by playback itself that it had replaced waits again, and is returned too.
  mutating func takeBackWaiting() -> (completions: [SeekCompletion], restored: SeekRequest?) {
    let completions = supersedeWaiting()
    defer { replaced = nil }
    waiting = replaced
    return (completions, replaced)
  }

  /// Removes the waiting seek; its completion follows that of the seek in flight.
  mutating func supersedeWaiting() -> [SeekCompletion] {
    defer { waiting = nil }
    guard let completion = waiting?.completion else { return [] }
    guard active != nil else { return [SeekCompletion(call: completion, result: .superseded)] }
    superseded.append(completion)
    return []
  }

  /// Changes the target of the waiting seek.
  mutating func moveWaiting(to target: MediaTime) { waiting?.target = target }

  /// Starts and returns the waiting seek, if none is in flight.
  mutating func begin() -> SeekRequest? {
    guard active == nil, let request = waiting else { return nil }
    (waiting, replaced) = (nil, nil)
    active = request
    return request
  }

  /// Replaces the seek in flight by the waiting one, on the same search; returns it.
  mutating func chase() -> (request: SeekRequest, completions: [SeekCompletion])? {
    guard let request = waiting else { return nil }
    let completions = abandonActive()
    (waiting, replaced) = (nil, nil)
    active = request
    return (request, completions)
  }

  /// Abandons the seek in flight for the waiting one.
  mutating func abandonActive() -> [SeekCompletion] { end(.superseded) }

  /// Completes the seek in flight, whose frame has come.
  mutating func land() -> [SeekCompletion] { end(.finished) }

  private mutating func end(_ result: SeekResult) -> [SeekCompletion] {
    var completions = active?.completion.map { [SeekCompletion(call: $0, result: result)] } ?? []
    active = nil
    completions += superseded.map { SeekCompletion(call: $0, result: .superseded) }
    superseded = []
    return completions
  }

  /// Lands the newest target without a frame; returns it.
  mutating func landWithoutFrame() -> (request: SeekRequest, completions: [SeekCompletion])? {
    guard let newest = waiting ?? active else { return nil }
    replaced = nil
    var completions: [SeekCompletion] = []
    if waiting != nil {
      // Superseded seeks were requested after the seek in flight and before the waiting one.
      completions = abandonActive()
      active = waiting
      waiting = nil
    }
    completions += land()
    return (newest, completions)
  }

  /// Cancels everything.
  mutating func cancelAll() -> [SeekCompletion] {
    var completions = abandonActive()
    completions += supersedeWaiting()
    self = SeekQueue()
    return completions
  }

  // MARK: - Steps

  mutating func addSteps(_ count: Int) {
    let max = Self.maxSteps
    pendingSteps = Swift.min(Swift.max(pendingSteps + Swift.min(Swift.max(count, -max), max), -max), max)
  }

  /// Notes that one of the waiting steps is done.
  mutating func didStep() { pendingSteps -= pendingSteps.signum() }

  mutating func dropSteps() { pendingSteps = 0 }
}
