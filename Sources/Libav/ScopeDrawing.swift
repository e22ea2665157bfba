import Pixels

/// Draws counted values.
enum ScopeDrawing {
  /// Draws one histogram in white, or three in red, green and blue.
  ///
  /// - Parameter counts: one number per value; the lists are of equal length.
  static func histogram(_ counts: [[UInt32]], size: PixelSize) -> PixelImage {
    let heights = counts.map { counts in
      let columns = (0..<size.width).map { x -> Double in
        let first = x * counts.count / size.width
        let end = max(first + 1, (x + 1) * counts.count / size.width)
        return counts[first..<end].reduce(0) { $0 + Double($1) } / Double(end - first)
      }
      let most = columns.max() ?? 0
      return columns.map { count in
        // What is there at all shows.
        count > 0 ? max(1, Int(((count / most).squareRoot() * Double(size.height)).rounded())) : 0
      }
    }
    return PixelImage(size: size) { pixels in
      for (component, heights) in heights.enumerated() {
        for (x, height) in heights.enumerated() {
          for y in size.height - height..<size.height {
            let i = 3 * (y * size.width + x)
            if counts.count == 1 {
              for c in 0..<3 { pixels[i + c] = 255 }
            } else {
              pixels[i + component] = 255
            }
          }
        }
      }
    }
  }

  /// Draws the number of values at each pixel as its brightness.
  ///
  /// - Parameter color: the colour at full brightness; `y` counts from the bottom.
  static func density(
    _ counts: [UInt32], size: PixelSize, color: (_ x: Int, _ y: Int) -> (Float, Float, Float)
  ) -> PixelImage {
    let most = Float(max(1, counts.max() ?? 1))
    return PixelImage(size: size) { pixels in
      for (i, count) in counts.enumerated() where count > 0 {
        // A single value shows, too.
        let share = 0.2 + 0.8 * (Float(count) / most).squareRoot()
        let (red, green, blue) = color(i % size.width, size.height - 1 - i / size.width)
        (pixels[3 * i], pixels[3 * i + 1], pixels[3 * i + 2]) = (
          UInt8(red * share), UInt8(green * share), UInt8(blue * share)
        )
      }
    }
  }

  /// Returns a bright colour of BT.709's chroma values, −0.5…0.5.
  static func hue(cb: Float, cr: Float) -> (Float, Float, Float) {
    let red = 1.5748 * cr, green = -0.1873 * cb - 0.4681 * cr, blue = 1.8556 * cb
    let largest = max(red, green, blue)
    func value(_ component: Float) -> Float { 255 * min(1, max(0, 1 + component - largest)) }
    return (value(red), value(green), value(blue))
  }
}
