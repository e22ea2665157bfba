import DecodePool
import Playback

extension Asset {
  /// Loads a property and waits for it, for commands that have nothing else to do meanwhile.
  ///
  /// - Throws: `PlaybackError`.
  func wait<Value: Sendable>(for property: AssetProperty<Value>) throws -> Value {
    let monitor = Monitor<Result<Value, any Error>?>(nil)
    load(property) { result in
      monitor.withLock { $0 = result }
      monitor.signal()
    }
    // Loading ends with the asset.
    return try withExtendedLifetime(self) { try monitor.wait { $0 }.get() }
  }
}

/// Begins something that calls back once, and waits until it has.
func waitUntilDone(_ begin: (_ done: @escaping @Sendable () -> Void) -> Void) {
  let isDone = Monitor(false)
  begin {
    isDone.withLock { $0 = true }
    isDone.signal()
  }
  _ = isDone.wait { $0 ? true : nil }
}
