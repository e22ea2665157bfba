import CellGraphics
import Foundation
import Pixels

/// Images for the encoder's tests.
extension TestRandom {
  /// Soft shapes that move with time, with some grain.
  mutating func softImage(_ columns: Int, _ rows: Int, at time: Double, grain: Int) -> PixelImage {
    PixelImage(size: PixelSize(width: columns, height: 2 * rows)) { bytes in
      for y in 0..<(2 * rows) {
        for x in 0..<columns {
          let (u, v) = (Double(x) / Double(columns), Double(y) / Double(2 * rows))
          let base = [
            128 + 100 * sin(6 * u + time), 128 + 100 * sin(5 * v - 2 * time), 128 + 100 * sin(4 * (u + v) + time),
          ]
          for c in 0..<3 {
            let noise = grain > 0 ? Int.random(in: -grain...grain, using: &self) : 0
            bytes[3 * (y * columns + x) + c] = UInt8(max(0, min(255, Int(base[c]) + noise)))
          }
        }
      }
    }
  }
}

/// Colours of pixels, two to a cell, as a terminal shows them.
struct SeenPixels {
  let width: Int
  private(set) var values: [SIMD3<Double>]
  var height: Int { values.count / width }

  init(_ image: PixelImage) {
    width = image.width
    values = (0..<image.height).flatMap { y in
      (0..<image.width).map { x in
        let color = image[x, y]
        return SIMD3(Double(color.red), Double(color.green), Double(color.blue))
      }
    }
  }

  init(_ grid: CellGrid) {
    width = grid.columns
    values = (0..<2 * grid.rows).flatMap { y in
      (0..<grid.columns).map { x in
        let half = halves(of: grid[column: x, row: y / 2])[y % 2]
        return SIMD3(Double(half[0]), Double(half[1]), Double(half[2]))
      }
    }
  }

  /// Each pixel the mean of 3×3, as an eye sees it from far away.
  var blurred: SeenPixels {
    var result = self
    for y in 0..<height {
      for x in 0..<width {
        var sum = SIMD3<Double>.zero
        var count = 0.0
        for v in max(0, y - 1)...min(height - 1, y + 1) {
          for u in max(0, x - 1)...min(width - 1, x + 1) {
            sum += values[v * width + u]
            count += 1
          }
        }
        result.values[y * width + x] = sum / count
      }
    }
    return result
  }

  /// The root of the mean square of the differences of some rows, 0–255.
  func error(from other: SeenPixels, rows: Range<Int>? = nil) -> Double {
    let rows = rows ?? 0..<height
    let range = (rows.lowerBound * width)..<(rows.upperBound * width)
    let sum = range.reduce(0.0) {
      let difference = values[$1] - other.values[$1]
      return $0 + (difference * difference).sum()
    }
    return (sum / Double(3 * range.count)).squareRoot()
  }
}
