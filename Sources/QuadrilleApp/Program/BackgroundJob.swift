import DecodePool

/// A computation on its own thread, because a disk may hang. Safe from any thread.
final class BackgroundJob<Value: Sendable>: Sendable {
  private let answer = Monitor<Value?>(nil)

  /// - Parameters:
  ///   - wake: Called from any thread when the result is available.
  ///   - refused: Makes the result if no thread can be started, from the reason.
  ///   - body: Computes the result.
  init(wake: @escaping @Sendable () -> Void, refused: (String) -> Value, body: @escaping @Sendable () -> Value) {
    do throws(ThreadError) {
      try detachThread { [answer] in
        let value = body()
        answer.withLock { $0 = value }
        answer.broadcast()
        wake()
      }
    } catch {
      let value = refused(error.reason)
      answer.withLock { $0 = value }
      wake()
    }
  }

  /// The result; nil until available.
  var value: Value? { answer.withLock { $0 } }

  /// Waits for the result until a deadline in nanoseconds of the monotonic clock.
  func wait(until deadline: UInt64) -> Value? { answer.wait(until: deadline) { $0 } }
}
