import DecodePool

/// Begins something that calls back once, and waits until it has.
func waitUntilDone(_ begin: (_ done: @escaping @Sendable () -> Void) -> Void) {
  let isDone = Monitor(false)
  begin {
    isDone.withLock { $0 = true }
    isDone.signal()
  }
  _ = isDone.wait { $0 ? true : nil }
}
