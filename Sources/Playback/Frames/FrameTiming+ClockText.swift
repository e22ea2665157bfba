extension FrameTiming {
  /// Returns the frame's start as clock text that leads back to the frame: "0:03.367".
  ///
  /// `MediaTime(clockText:)` turns the text into a time at which this frame is on display, so that an exact seek shows it.
  /// To ensure that, the start is rounded up, and a very short frame gets more decimals, up to 9.
  ///
  /// - Parameter fractionDigits: minimum number of decimals of a second, 0 to 9.
  public func clockText(fractionDigits: Int = 3) -> String {
    let least = min(max(fractionDigits, 0), 9)
    for digits in least..<9 {
      let text = pts.clockText(fractionDigits: digits, rounding: .towardPositiveInfinity)
      if let time = MediaTime(clockText: text), time >= pts, time < end { return text }
    }
    return pts.clockText(fractionDigits: 9, rounding: .towardPositiveInfinity)
  }
}
