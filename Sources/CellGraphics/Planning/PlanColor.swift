/// A pen colour, as the planner models it.
///
/// A colour set in the row becomes the mean of everything drawn with it; others are fixed.
struct PlanColor {
  /// Red, green and blue, 0–255 each; the last lane is 0.
  var components: SIMD4<Float>
  /// The total weight of what is drawn with it so far.
  var weight: Float

  /// The weight of a fixed colour.
  static let fixed: Float = 1e30
  /// An unknown colour, never close to any other.
  static let unknown = PlanColor(components: SIMD4(repeating: 1e6), weight: fixed)

  /// Returns the loss if content of a mean and weight is also drawn with it.
  @inline(__always)
  func loss(_ mean: SIMD4<Float>, _ more: Float) -> Float {
    PlanDistance.between(components, mean) * (more * (weight / (weight + more)))
  }

  /// Adds content drawn with it.
  @inline(__always)
  mutating func add(_ mean: SIMD4<Float>, _ more: Float) {
    guard weight < Self.fixed else { return }
    components += (mean - components) * (more / (weight + more))
    weight += more
  }

  @inline(__always)
  static func components(_ rgb: UInt32) -> SIMD4<Float> {
    SIMD4(Float(rgb >> 16 & 0xFF), Float(rgb >> 8 & 0xFF), Float(rgb & 0xFF), 0)
  }
}

/// The perceptual distance between two colours: squared differences, with green counting twice as much as blue.
///
/// Uses integers, so that sums over many pixels are exact; a tenth of the weighted sum is close to the plain sum of
/// squares.
enum PlanDistance {
  static let red: Int32 = 9
  static let green: Int32 = 14
  static let blue: Int32 = 7
  static let sum = red + green + blue
  static let weights = SIMD4<Float>(9, 14, 7, 0)

  /// Returns the weighted square of one pixel.
  @inline(__always)
  static func square(_ r: Int32, _ g: Int32, _ b: Int32) -> Int32 {
    red &* r &* r &+ green &* g &* g &+ blue &* b &* b
  }

  @inline(__always)
  static func between(_ a: SIMD4<Float>, _ b: SIMD4<Float>) -> Float {
    let d = a - b
    return (d * d * weights).sum()
  }

  @inline(__always)
  static func between(_ a: UInt32, _ b: UInt32) -> Int32 {
    square(
      Int32(a >> 16 & 0xFF) - Int32(b >> 16 & 0xFF), Int32(a >> 8 & 0xFF) - Int32(b >> 8 & 0xFF),
      Int32(a & 0xFF) - Int32(b & 0xFF))
  }
}

/// The colours that a plan may use.
enum PlanColors {
  /// 24-bit colours.
  case direct
  /// 24-bit colours, and palette entries 16–255 with xterm's values.
  case directAndPalette
  /// The palette entries that images use at a depth.
  case palette(ColorDepth)
  /// The two default colours.
  case mono

  init(_ profile: EncoderProfile) {
    self =
      switch profile.colorDepth {
      case .trueColor: profile.hasStandardPalette ? .directAndPalette : .direct
      case .palette256, .ansi16, .ansi8: .palette(profile.colorDepth)
      case .mono: .mono
      }
  }

  /// The palette entry for each colour (`NearestEntry`); empty if there is none.
  var nearest: [UInt8] {
    switch self {
    case .direct, .mono: []
    case .directAndPalette: NearestEntry.palette256
    case .palette(let depth):
      switch depth {
      case .ansi8: NearestEntry.ansi8
      case .ansi16: NearestEntry.ansi16
      case .palette256, .trueColor, .mono: NearestEntry.palette256
      }
    }
  }

  /// True if cells have colours of 24 bits.
  var isDirect: Bool {
    switch self {
    case .direct, .directAndPalette: true
    case .palette, .mono: false
    }
  }

  /// Raw values of the colours that may be approximated: no two of them look the same. Empty at `mono`, where glyphs alone
  /// form the image.
  /// make the image.
  var usable: Range<UInt32> {
    switch self {
    case .direct, .directAndPalette: CellColor.rgbKind..<CellColor.rgbKind + (1 << 24)
    case .palette(.palette256): CellColor.indexedKind | 16..<CellColor.indexedKind + 256
    case .palette: CellColor.indexedKind..<CellColor.indexedKind + 256
    case .mono: 0..<0
    }
  }

  /// The minimum number of bytes of an SGR that sets a colour.
  var minSGR: Float {
    switch self {
    case .direct: 13
    case .directAndPalette, .palette(.palette256): 9
    case .palette: 5
    case .mono: .infinity
    }
  }
}

/// The palette entry nearest to every colour, with five bits per component.
enum NearestEntry {
  /// Of the 240 entries that users do not redefine.
  static let palette256 = table(.palette256)
  static let ansi16 = table(.ansi16)
  static let ansi8 = table(.ansi8)

  private static func table(_ depth: ColorDepth) -> [UInt8] {
    func middle(_ value: Int) -> Int { (value & 31) << 3 | 4 }
    return (0..<(1 << 15)).map { key in
      XtermPalette.nearestIndex(red: middle(key >> 10), green: middle(key >> 5), blue: middle(key), depth: depth)
    }
  }

  @inline(__always)
  static func key(_ rgb: UInt32) -> Int {
    let red = rgb >> 9 & 0x7C00
    let green = rgb >> 6 & 0x3E0
    return Int(red | green | rgb >> 3 & 0x1F)
  }
}
