/// The number of colours a terminal can show, in ascending order.
///
/// Raw values are the names used on the command line.
public enum ColorDepth: String, CaseIterable, Sendable, Comparable {
  /// No colours: only the default ones, and attributes.
  case mono = "mono"
  /// Palette colours 0–7.
  case ansi8 = "8"
  /// Palette colours 0–15.
  case ansi16 = "16"
  /// Palette colours 0–255. Images use only 16–255, since users redefine 0–15.
  case palette256 = "256"
  /// 24-bit RGB.
  case trueColor = "24bit"

  private var rank: Int {
    switch self {
    case .mono: 0
    case .ansi8: 1
    case .ansi16: 2
    case .palette256: 3
    case .trueColor: 4
    }
  }

  public static func < (a: ColorDepth, b: ColorDepth) -> Bool { a.rank < b.rank }
}

extension ColorDepth {
  /// Bits of a `CellColor` that must be 0 for the depth to express it exactly.
  var inexpressibleBits: UInt32 {
    switch self {
    case .mono: ~0
    case .ansi8: ~(CellColor.indexedKind | 7)
    case .ansi16: ~(CellColor.indexedKind | 15)
    case .palette256: ~(CellColor.indexedKind | 255)
    case .trueColor: 0
    }
  }
}
