/// A colour as the planner reckons with it: what is sent, and its components.
struct PlanColor {
  /// What is sent; 0, the default colour, is never near to any other.
  var raw: UInt32
  /// Red, green and blue, 0–255 each; the last lane is 0.
  var components: SIMD4<Float>

  /// A colour of which nothing is known.
  static let unknown = PlanColor(raw: 0, components: SIMD4(repeating: 1e6))

  init(raw: UInt32, components: SIMD4<Float>) {
    self.raw = raw
    self.components = components
  }

  init(_ color: CellColor, table: UnsafePointer<UInt32>) {
    raw = color.rawValue
    guard raw != 0 else {
      self = .unknown
      return
    }
    components = Self.components(XtermPalette.components(color, default: 0, table: table))
  }

  @inline(__always)
  static func components(_ rgb: UInt32) -> SIMD4<Float> {
    SIMD4(Float(rgb >> 16 & 0xFF), Float(rgb >> 8 & 0xFF), Float(rgb & 0xFF), 0)
  }
}

/// How far two colours are apart for the eye: squared differences, green counting twice as much as blue.
///
/// Integers, so that sums over many pixels are exact; a tenth of the weighted sum is near the plain sum of squares.
enum PlanDistance {
  static let red: Int32 = 9
  static let green: Int32 = 14
  static let blue: Int32 = 7
  static let sum = red + green + blue
  static let weights = SIMD4<Float>(9, 14, 7, 0)

  /// The weighted square of one pixel.
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

/// The palette's entry nearest to every colour, five bits a component.
///
/// Of the 240 entries whose colours users do not choose.
enum NearestEntry {
  static let table: [UInt8] = (0..<(1 << 15)).map { key in
    func middle(_ value: Int) -> Int { (value & 31) << 3 | 4 }
    return XtermPalette.nearestIndex(
      red: middle(key >> 10), green: middle(key >> 5), blue: middle(key), depth: .palette256)
  }

  @inline(__always)
  static func key(_ rgb: UInt32) -> Int {
    let red = rgb >> 9 & 0x7C00
    let green = rgb >> 6 & 0x3E0
    return Int(red | green | rgb >> 3 & 0x1F)
  }
}
