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
