import Pixels

extension Blitter {
  /// Fits cells of two colours to samples.
  static func shapesPainter(_ shapes: CellShapes) -> @Sendable (BlockRow, Palette, UnsafeMutablePointer<Cell>) -> Void {
    { block, palette, cells in
      withUnsafeTemporaryAllocation(of: FittedCell.self, capacity: block.columns) { fitted in
        FittedCells.fit(block.pixels, stride: block.stride, shapes, into: fitted)
        paint(UnsafeBufferPointer(fitted), column: block.column, row: block.row, palette: palette, cells: cells)
      }
    }
  }

  /// Paints cells that are already fitted; `column` and `row` are the first one's place on the grid.
  static func paint(
    _ fitted: UnsafeBufferPointer<FittedCell>, column: Int, row: Int, palette: Palette, cells: UnsafeMutablePointer<Cell>
  ) {
    let table = ShapeTable.shared
    guard palette.depth != .trueColor else {
      for (n, cell) in fitted.enumerated() {
        cells[n] = Cell(
          cell.shape, ink: CellColor(rawValue: CellColor.rgbKind | cell.foreground),
          rest: CellColor(rawValue: CellColor.rgbKind | cell.background), table)
      }
      return
    }
    palette.withDitherer { ditherer in
      // Each colour has a threshold of its own, so that neither is far from the mean over a few cells.
      let (inks, rests) = (ditherer.thresholdRow(2 * row), ditherer.thresholdRow(2 * row + 1))
      for (n, cell) in fitted.enumerated() {
        let x = (column + n) & (DitherMatrix.side - 1)
        let rest = CellColor(rawValue: CellColor.indexedKind | ditherer.index(cell.background, rests[x]))
        let ink = CellColor(rawValue: CellColor.indexedKind | ditherer.index(cell.foreground, inks[x]))
        cells[n] = Cell(cell.shape, ink: ink, rest: rest, table)
      }
    }
  }

  /// Paints an image whose cells are fitted and lie on those of the grid. Returns false if it has none, or they do not.
  func paintFitted(_ layer: FrameLayer, _ part: CellRect, gridColumns: Int, palette: Palette, cells: UnsafeMutablePointer<Cell>) -> Bool {
    guard let shapes, let image = layer.image.cells, image.shapes == shapes, layer.imageRect.size == layer.image.size,
      layer.backdrop == .rgb(0, 0, 0)
    else { return false }
    let (left, top) = (layer.imageRect.x - image.x, layer.imageRect.y - image.y)
    guard left % blockWidth == 0, top % blockHeight == 0 else { return false }
    let place = CellRect(
      x: layer.cells.x + left / blockWidth, y: layer.cells.y + top / blockHeight, width: image.columns, height: image.rows)
    let covered = place.intersection(part)
    let black = Cell(glyph: 0x20, background: palette.depth == .trueColor ? layer.backdrop : .indexed(palette.depth == .palette256 ? 16 : 0), isImage: true)
    for row in part.y..<part.maxY {
      let line = cells + row * gridColumns
      guard covered.y..<covered.maxY ~= row, !covered.isEmpty else {
        (line + part.x).update(repeating: black, count: part.width)
        continue
      }
      (line + part.x).update(repeating: black, count: covered.x - part.x)
      (line + covered.maxX).update(repeating: black, count: part.maxX - covered.maxX)
      let first = (row - place.y) * image.columns + covered.x - place.x
      image.cells.withUnsafeBufferPointer {
        Self.paint(
          UnsafeBufferPointer(rebasing: $0[first..<first + covered.width]), column: covered.x, row: row, palette: palette,
          cells: line + covered.x)
      }
    }
    return true
  }
}
