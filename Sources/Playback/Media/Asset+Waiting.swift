import DecodePool

extension Asset {
  /// Loads a property and waits for it, for commands that have nothing else to do.
  ///
  /// - Throws: `PlaybackError`.
  package func wait<Value: Sendable>(for property: AssetProperty<Value>) throws -> Value {
    // Loading ends with the asset.
    try withExtendedLifetime(self) { try waitForAnswer { load(property, completion: $0) }.get() }
  }

  /// Indexes a video track and waits for the result.
  ///
  /// - Parameter videoTrack: index among the asset's tracks; nil for the preferred one.
  /// - Returns: nil if it cannot be indexed.
  package func waitForTimeline(ofVideoTrack videoTrack: Int? = nil) -> PresentationTimeline? {
    let monitor = Monitor<FrameIndex??>(.none)
    prepareIndex(of: videoTrack) { found in
      guard let index = found?.index else {
        monitor.withLock { $0 = .some(nil) }
        return monitor.signal()
      }
      index.begin()
      index.whenEnded {
        monitor.withLock { $0 = .some(index) }
        monitor.signal()
      }
    }
    return withExtendedLifetime(self) { monitor.wait { $0 } }?.timeline
  }
}
