/// Decides when a request that failed is made again.
public struct RetrySchedule: Sendable {
  /// The consequence of a failure.
  public enum Decision: Hashable, Sendable {
    /// The request is made again at a time in nanoseconds.
    case retry(at: UInt64)
    case giveUp
  }

  /// The pauses before one retry after another, in seconds; later ones are as long as the last.
  public static let pauses = [0.25, 0.5, 1, 2, 4, 8]
  /// The longest pause that a server may ask for, in seconds.
  public static let longestRetryAfter = 30.0

  /// The time in seconds for which a server that has never answered is asked.
  public static let firstPatience = 8.0

  private let limit: Int?
  private var failures = 0
  /// The number of refusals by the server since bytes arrived.
  private var refusals = 0
  private var reachedBefore: Bool
  /// The sum of our own pauses since bytes arrived, in seconds.
  private var paused = 0.0

  /// - Parameters:
  ///   - limit: the number of retries in a row after a server's refusals, as with 503 Service Unavailable; nil for no limit once
  ///     bytes have arrived. Broken links have none then.
  ///   - reachedBefore: true if the server has sent bytes before.
  public init(limit: Int? = nil, reachedBefore: Bool = false) { (self.limit, self.reachedBefore) = (limit, reachedBefore) }

  /// Notes that bytes arrived, so that the next failure is a first one.
  public mutating func didReceive() {
    (failures, refusals, paused) = (0, 0, 0)
    reachedBefore = true
  }

  /// Notes a failure and returns what follows.
  ///
  /// A server that wants to be left alone for longer than `longestRetryAfter` is not asked again.
  ///
  /// - Parameter now: the time in nanoseconds.
  public mutating func didFail(_ error: TransportError, at now: UInt64) -> Decision {
    switch error {
    case .status, .proxyStatus: refusals += 1
    default: break
    }
    guard error.isTransient(reachedBefore: reachedBefore), (reachedBefore ? refusals - 1 : failures) < limit ?? .max else {
      return .giveUp
    }
    var pause = Self.pauses[min(failures, Self.pauses.count - 1)]
    paused += pause
    // Waiting long for an answer is no better than asking often.
    if case .noAnswer(let seconds) = error { paused += seconds }
    guard reachedBefore || paused <= Self.firstPatience else { return .giveUp }
    if let wanted = error.retryAfter {
      guard wanted <= Self.longestRetryAfter else { return .giveUp }
      pause = max(pause, wanted)
    }
    failures += 1
    return .retry(at: now + UInt64(pause * 1e9))
  }
}
