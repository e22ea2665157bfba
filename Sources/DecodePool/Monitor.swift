import Glibc

/// A mutex with a condition variable, which `Synchronization` lacks.
///
/// Owns both pthread objects on the heap, so that their addresses are stable. The protected value is accessible only inside
/// `withLock` and `wait`.
public final class Monitor<Value>: @unchecked Sendable {
  // `@unchecked Sendable`: `value` is read and written only while `mutex` is held; the pointers never change.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var value: Value

  public init(_ value: sending Value) {
    self.value = value
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Calls `body` with the lock held; `body` must not call out.
  public func withLock<R>(_ body: (inout Value) throws -> R) rethrows -> R {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }

  /// Calls `body` with the lock held, and again after every signal, until it returns a value.
  public func wait<R>(for body: (inout Value) -> R?) -> R {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&value) { return result }
      pthread_cond_wait(condition, mutex)
    }
  }

  /// Waits like `wait(for:)`, but no longer than until a time of the monotonic clock; returns nil on timeout.
  public func wait<R>(until nanoseconds: UInt64, for body: (inout Value) -> R?) -> R? {
    var time = timespec(
      tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&value) { return result }
      if pthread_cond_timedwait(condition, mutex, &time) == ETIMEDOUT { return body(&value) }
    }
  }

  /// Wakes one waiter.
  public func signal() { pthread_cond_signal(condition) }

  /// Wakes all waiters.
  public func broadcast() { pthread_cond_broadcast(condition) }
}

/// Calls `begin`, which must answer once, from any thread, and waits for the answer.
package func waitForAnswer<Answer: Sendable>(_ begin: (_ answer: @escaping @Sendable (Answer) -> Void) -> Void) -> Answer {
  let monitor = Monitor<Answer?>(nil)
  begin { answer in
    monitor.withLock { $0 = answer }
    monitor.signal()
  }
  return monitor.wait { $0 }
}
