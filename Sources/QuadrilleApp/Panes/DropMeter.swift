/// The recent rate of dropped frames, per second.
struct DropMeter {
  /// Over the last second or so.
  private(set) var perSecond = 0
  private var total = 0

  /// Takes a reading.
  ///
  /// - Parameters:
  ///   - total: Frames dropped since the start.
  ///   - seconds: Seconds since the last reading, at least 1.
  /// - Returns: True if the rate has changed.
  mutating func update(total: Int, after seconds: Double) -> Bool {
    let recent = Int((Double(total - self.total) / seconds).rounded())
    self.total = total
    defer { perSecond = recent }
    return recent != perSecond
  }
}
