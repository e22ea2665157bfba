extension FrameTiming {
  /// The frame's start as a clock shows it, in words that lead back to the frame: "0:03.367".
  ///
  /// Read with `MediaTime(clockText:)` it is a time at which this frame is on display, so that an exact seek to it shows
  /// the frame. For that the start is rounded up, not cut, and a frame so short that it is over by then gets more
  /// decimals, 9 at the most.
  ///
  /// - Parameter fractionDigits: decimals of a second at the least, 0 to 9.
  public func clockText(fractionDigits: Int = 3) -> String {
    let least = min(max(fractionDigits, 0), 9)
    for digits in least..<9 {
      let text = pts.clockText(fractionDigits: digits, rounding: .towardPositiveInfinity)
      if let time = MediaTime(clockText: text), time >= pts, time < end { return text }
    }
    return pts.clockText(fractionDigits: 9, rounding: .towardPositiveInfinity)
  }
}
