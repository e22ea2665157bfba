import DecodePool

extension Monitor {
  /// Waits until `condition`, called with the lock held after every signal, holds.
  ///
  /// - Parameter limit: seconds of real time after which it is given up: long enough for a machine that is busy.
  /// - Returns: false when it did not come to hold within that time.
  public func becomes(within limit: Double = 120, _ condition: (inout Value) -> Bool) -> Bool {
    let end = monotonicNanoseconds() + UInt64(limit * 1e9)
    return wait(until: end) { condition(&$0) ? () : nil } != nil
  }
}
