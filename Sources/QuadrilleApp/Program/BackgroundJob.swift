import DecodePool

/// Something that is found out on a thread of its own, because a disk may hang. Safe from any thread.
final class BackgroundJob<Value: Sendable>: Sendable {
  private let answer = Monitor<Value?>(nil)

  /// - Parameters:
  ///   - wake: called from any thread when the answer is there.
  ///   - refused: the answer where there can be no thread, of the reason.
  ///   - body: finds the answer.
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

  /// The answer; nil while it is being found.
  var value: Value? { answer.withLock { $0 } }

  /// Waits for the answer, at most until a time of the monotonic clock in nanoseconds.
  func wait(until deadline: UInt64) -> Value? { answer.wait(until: deadline) { $0 } }
}
