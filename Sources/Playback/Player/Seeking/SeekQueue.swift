/// A seek that was asked for.
struct SeekRequest: Sendable {
  var target: MediaTime
  /// The frame may be on display anywhere in target − before … target + after.
  var before: MediaTime = .zero
  var after: MediaTime = .zero
  var askedAt: HostTime
  /// True if playing itself goes there, as at a loop's turn: nobody has asked for it, and nobody takes it back.
  var isOwn = false
  var completion: (@Sendable (SeekResult) -> Void)?

  var isExact: Bool { before == .zero && after == .zero }
}

/// Chase time: one seek in flight, and the newest target that waits for it (Apple's QA1820); and steps by frames that
/// wait for their frames.
///
/// Each completion is handed out once, in the order of asking.
struct SeekQueue {
  /// In flight: the decoder is on its way there.
  private(set) var active: SeekRequest?
  /// Replaced by every newer one; begins when `active` has landed.
  private(set) var waiting: SeekRequest?
  /// One that playing itself asked for and a viewer's target has replaced: it waits again where that is taken back.
  private var replaced: SeekRequest?
  /// Completions of targets that newer ones replaced, which follow that of the one in flight.
  private var superseded: [@Sendable (SeekResult) -> Void] = []
  /// Steps forward above, backward below 0.
  private(set) var pendingSteps = 0
  /// Host time of the newest ask.
  private var askedAt: HostTime = .min
  /// True if the seek came soon after another.
  private var isRepeated = false

  /// Asks that come within so many nanoseconds of each other are one movement.
  static let movingPause: HostTime = 300_000_000
  /// Steps that wait at the most: more than any clip has frames.
  private static let maxSteps = Int(Int32.max)

  var isUnderWay: Bool { active != nil || waiting != nil }
  var newestTarget: MediaTime? { waiting?.target ?? active?.target }

  /// True if the newest target came soon after another.
  var isMoving: Bool { isRepeated }

  /// Returns true if the target is moving, so that a frame near it is better than none.
  func isScrubbing(at host: HostTime) -> Bool { isRepeated && host - askedAt < Self.movingPause }

  // MARK: - Targets

  /// A viewer asks for another place.
  mutating func noteAsk(at host: HostTime) {
    pendingSteps = 0
    isRepeated = isUnderWay || host - Self.movingPause < askedAt
    askedAt = host
  }

  /// Lets a target wait, in the place of the one that waits.
  mutating func enqueue(_ request: SeekRequest) -> [SeekCompletion] {
    if request.isOwn { replaced = nil } else if let waiting, waiting.isOwn { replaced = waiting }
    defer { waiting = request }
    return supersedeWaiting()
  }

  /// Answers a seek that there is nothing to seek in for.
  func refuse(_ request: SeekRequest) -> [SeekCompletion] {
    request.completion.map { [SeekCompletion(call: $0, result: .superseded)] } ?? []
  }

  /// Takes back the target that waits. What playing itself asked for before that waits again, and is returned, too.
  mutating func takeBackWaiting() -> (completions: [SeekCompletion], restored: SeekRequest?) {
    let completions = supersedeWaiting()
    defer { replaced = nil }
    waiting = replaced
    return (completions, replaced)
  }

  /// Takes away the target that waits; its completion follows that of the one in flight.
  mutating func supersedeWaiting() -> [SeekCompletion] {
    defer { waiting = nil }
    guard let completion = waiting?.completion else { return [] }
    guard active != nil else { return [SeekCompletion(call: completion, result: .superseded)] }
    superseded.append(completion)
    return []
  }

  /// Lets the target that waits be another one.
  mutating func moveWaiting(to target: MediaTime) { waiting?.target = target }

  /// Sends the target that waits on its way, if none is; returns it.
  mutating func begin() -> SeekRequest? {
    guard active == nil, let request = waiting else { return nil }
    (waiting, replaced) = (nil, nil)
    active = request
    return request
  }

  /// Lets the target that waits take the place of the one in flight, on the same way; returns it.
  mutating func chase() -> (request: SeekRequest, completions: [SeekCompletion])? {
    guard let request = waiting else { return nil }
    let completions = abandonActive()
    (waiting, replaced) = (nil, nil)
    active = request
    return (request, completions)
  }

  /// Gives up the one in flight for the one that waits.
  mutating func abandonActive() -> [SeekCompletion] { end(.superseded) }

  /// The one in flight has its frame.
  mutating func land() -> [SeekCompletion] { end(.finished) }

  private mutating func end(_ result: SeekResult) -> [SeekCompletion] {
    var completions = active?.completion.map { [SeekCompletion(call: $0, result: result)] } ?? []
    active = nil
    completions += superseded.map { SeekCompletion(call: $0, result: .superseded) }
    superseded = []
    return completions
  }

  /// Lets the newest target land without a frame; returns it.
  mutating func landWithoutFrame() -> (request: SeekRequest, completions: [SeekCompletion])? {
    guard let newest = waiting ?? active else { return nil }
    replaced = nil
    var completions: [SeekCompletion] = []
    if waiting != nil {
      // Those that were superseded were asked for after the one in flight and before the one that waits.
      completions = abandonActive()
      active = waiting
      waiting = nil
    }
    completions += land()
    return (newest, completions)
  }

  /// Ends everything.
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

  /// One of the steps that wait is done.
  mutating func didStep() { pendingSteps -= pendingSteps.signum() }

  mutating func dropSteps() { pendingSteps = 0 }
}
