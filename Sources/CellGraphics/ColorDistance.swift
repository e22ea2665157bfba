/// The distance between two colours, with equal weights for all components.
enum ColorDistance {
  /// Returns squared differences, summed over red, green and blue of 0x..RRGGBB; the top byte is ignored.
  @inline(__always)
  static func squares(_ a: UInt32, _ b: UInt32) -> Int32 {
    let red = Int32(a >> 16 & 0xFF) &- Int32(b >> 16 & 0xFF)
    let green = Int32(a >> 8 & 0xFF) &- Int32(b >> 8 & 0xFF)
    let blue = Int32(a & 0xFF) &- Int32(b & 0xFF)
    return red &* red &+ green &* green &+ blue &* blue
  }
}
