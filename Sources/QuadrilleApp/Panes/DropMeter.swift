/// How many frames a second were dropped lately.
struct DropMeter {
  /// In the last second or so.
  private(set) var perSecond = 0
  private var total = 0

  /// Takes a reading.
  ///
  /// - Parameters:
  ///   - total: frames dropped since the beginning.
  ///   - seconds: since the last reading, at least 1.
  /// - Returns: whether the rate has changed.
  mutating func update(total: Int, after seconds: Double) -> Bool {
    let recent = Int((Double(total - self.total) / seconds).rounded())
    self.total = total
    defer { perSecond = recent }
    return recent != perSecond
  }
}
