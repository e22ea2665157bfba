import Pixels

extension CellGrid {
  /// Returns what a terminal shows whose cells have this size in pixels, as far as blocks, sextants and octants are concerned:
  /// other glyphs leave their cell empty.
  package func image(cellSize: PixelSize) -> PixelImage {
    let table = ShapeTable.shared
    var inks: [Int: [Bool]] = [:]
    func ink(_ index: Int) -> [Bool] {
      if let known = inks[index] { return known }
      let shape = CellShape(index: UInt8(index))
      // A pixel is where its middle is.
      let made = (0..<cellSize.height).flatMap { y in
        (0..<cellSize.width).map { x in
          shape.hasInk(
            column: (2 * x + 1) * CellShape.columns / (2 * cellSize.width),
            row: (2 * y + 1) * CellShape.rows / (2 * cellSize.height))
        }
      }
      inks[index] = made
      return made
    }
    return PixelImage(size: PixelSize(width: columns * cellSize.width, height: rows * cellSize.height)) { bytes in
      for row in 0..<rows {
        for column in 0..<columns {
          let cell = self[column: column, row: row]
          let ink = ink(table.shape(of: cell.glyph) ?? 0)
          let colors = (
            XtermPalette.components(cell.background, default: XtermPalette.defaultBackground),
            XtermPalette.components(cell.foreground, default: XtermPalette.defaultForeground)
          )
          for y in 0..<cellSize.height {
            var place = 3 * ((row * cellSize.height + y) * columns * cellSize.width + column * cellSize.width)
            for x in 0..<cellSize.width {
              let color = ink[y * cellSize.width + x] ? colors.1 : colors.0
              bytes[place] = UInt8(truncatingIfNeeded: color >> 16)
              bytes[place + 1] = UInt8(truncatingIfNeeded: color >> 8)
              bytes[place + 2] = UInt8(truncatingIfNeeded: color)
              place += 3
            }
          }
        }
      }
    }
  }
}
