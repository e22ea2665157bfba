/// xterm's palette colours, and the nearest index to a colour.
///
/// Distances weight red, green and blue 2 : 4 : 3, a usual approximation of perception.
enum XtermPalette {
  /// 0xRRGGBB for indices 0–255. Source: XTerm-col.ad and 256colres.h of xterm.
  static let rgb: [UInt32] = {
    var table: [UInt32] = [
      0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
      0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
    ]
    for red in cubeLevels {
      for green in cubeLevels {
        for blue in cubeLevels {
          table.append(UInt32(red << 16 | green << 8 | blue))
        }
      }
    }
    for step in 0..<24 { table.append(UInt32((8 + 10 * step) * 0x010101)) }
    return table
  }()

  static let cubeLevels = [0, 95, 135, 175, 215, 255]

  /// Values for the default colours where a number is needed.
  static let defaultForeground: UInt32 = 0xE5E5E5
  static let defaultBackground: UInt32 = 0x000000

  /// Returns the index nearest to a colour among those that an image may use at `depth` (8, 16 or 16–255).
  ///
  /// Components may lie outside 0–255, as error terms do.
  static func nearestIndex(red: Int, green: Int, blue: Int, depth: ColorDepth) -> UInt8 {
    switch depth {
    case .ansi8: nearestOfFirst(8, red, green, blue)
    case .ansi16: nearestOfFirst(16, red, green, blue)
    case .mono, .palette256, .trueColor: nearestOfCubeAndGreys(red, green, blue)
    }
  }

  /// Returns the colour's components as 0xRRGGBB; `fallback` for the default colour.
  @inline(__always)
  static func components(
    _ color: CellColor, default fallback: UInt32, table: UnsafePointer<UInt32>
  ) -> UInt32 {
    let raw = color.rawValue
    if raw >= CellColor.rgbKind { return raw & 0xFFFFFF }
    return raw == 0 ? fallback : table[Int(raw & 0xFF)]
  }

  /// As the other form, for single colours.
  static func components(_ color: CellColor, default fallback: UInt32) -> UInt32 {
    rgb.withUnsafeBufferPointer { table in
      guard let base = table.baseAddress else { return fallback }
      return components(color, default: fallback, table: base)
    }
  }

  /// Returns the nearest colour that `depth` can express; the default colour is unchanged.
  static func nearest(to color: CellColor, depth: ColorDepth) -> CellColor {
    if color.rawValue & depth.inexpressibleBits == 0 { return color }
    if depth == .mono { return .default }
    if depth == .ansi8, case .indexed(let index) = color.kind, (8..<16).contains(index) {
      // Bright colours keep their hue; bright black must differ from black.
      return .indexed(index == 8 ? 7 : index - 8)
    }
    let value = Int(components(color, default: defaultForeground))
    return .indexed(
      nearestIndex(
        red: value >> 16, green: value >> 8 & 0xFF, blue: value & 0xFF, depth: depth))
  }

  private static func nearestOfFirst(_ count: Int, _ red: Int, _ green: Int, _ blue: Int) -> UInt8 {
    rgb.withUnsafeBufferPointer { table in
      var best = 0
      var bestDistance = Int.max
      for index in 0..<count {
        let value = Int(table[index])
        let r = red - (value >> 16)
        let g = green - (value >> 8 & 0xFF)
        let b = blue - (value & 0xFF)
        let distance = 2 * r * r + 4 * g * g + 3 * b * b
        if distance < bestDistance { (best, bestDistance) = (index, distance) }
      }
      return UInt8(best)
    }
  }

  /// Returns the nearest index among cube and greys. The distance is separable, so the cube's best is the best of each
  /// axis, and the best grey is the one nearest to the weighted mean.
  private static func nearestOfCubeAndGreys(_ red: Int, _ green: Int, _ blue: Int) -> UInt8 {
    let r = nearestCubeStep(red)
    let g = nearestCubeStep(green)
    let b = nearestCubeStep(blue)
    let mean = (2 * red + 4 * green + 3 * blue) / 9
    let grey = max(0, min(23, (mean - 3) / 10))
    let level = 8 + 10 * grey
    let dr = red - cubeLevel(r)
    let dg = green - cubeLevel(g)
    let db = blue - cubeLevel(b)
    let er = red - level
    let eg = green - level
    let eb = blue - level
    if 2 * er * er + 4 * eg * eg + 3 * eb * eb < 2 * dr * dr + 4 * dg * dg + 3 * db * db {
      return UInt8(232 + grey)
    }
    return UInt8(16 + 36 * r + 6 * g + b)
  }

  @inline(__always)
  private static func cubeLevel(_ step: Int) -> Int { step == 0 ? 0 : 55 + 40 * step }

  @inline(__always)
  private static func nearestCubeStep(_ value: Int) -> Int {
    value < 48 ? 0 : value < 115 ? 1 : min(5, (value - 35) / 40)
  }
}
