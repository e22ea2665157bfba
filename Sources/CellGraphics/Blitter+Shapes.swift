import Pixels

/// Images as cells of two colours.
extension Blitter {
  /// Draws a moving image of fitted cells, keeping cells that are close to the ones last drawn in their place.
  ///
  /// - Parameters:
  ///   - memory: the cells drawn last; must have the grid's size.
  ///   - holds: whether to keep cells; if false, all are drawn as they are, and remembered.
  public func blit(
    _ layer: FrameLayer, into grid: inout CellGrid, palette: Palette, memory: inout FittedMemory, holds: Bool
  ) {
    guard let shapes else { return blit(layer, into: &grid, palette: palette) }
    blit(layer, shapes, into: &grid, palette: palette) { cells, column, row in
      memory.apply(to: cells, column: column, row: row, holds: holds)
    }
  }

  /// - Parameter turn: may change a row of cells before it is drawn; receives the first one's column and row on the grid.
  func blit(
    _ layer: FrameLayer, _ shapes: CellShapes, into grid: inout CellGrid, palette: Palette,
    turn: (UnsafeMutableBufferPointer<FittedCell>, Int, Int) -> Void
  ) {
    // Plans in 24 bits mix colours; others use what the cells have.
    let isPlanned = palette.depth == .trueColor
    if isPlanned, grid.fitted.isEmpty { grid.fitted = Array(repeating: .black, count: grid.columns * grid.rows) }
    var kept: [FittedCell] = []
    swap(&kept, &grid.fitted)
    defer { swap(&kept, &grid.fitted) }
    let columns = grid.columns
    func keep(_ cells: UnsafeMutableBufferPointer<FittedCell>, _ column: Int, _ row: Int) {
      guard isPlanned else { return }
      for n in 0..<cells.count { kept[row * columns + column + n] = cells[n] }
    }
    func change(_ cells: UnsafeMutableBufferPointer<FittedCell>, _ column: Int, _ row: Int) {
      turn(cells, column, row)
      keep(cells, column, row)
    }
    if blitFitted(layer, shapes, into: &grid, palette: palette, change: change) { return }
    blitRows(layer, into: &grid) { _, _, _, _ in } paint: { block, cells in
      withUnsafeTemporaryAllocation(of: FittedCell.self, capacity: block.columns) { fitted in
        FittedCells.fit(block.pixels, stride: block.stride, shapes, into: fitted)
        change(fitted, block.column, block.row)
        paint(UnsafeBufferPointer(fitted), column: block.column, row: block.row, palette: palette, cells: cells)
      }
    }
  }

  /// Draws an image whose cells are fitted and lie on those of the grid. Returns false if it has none, or they do not.
  private func blitFitted(
    _ layer: FrameLayer, _ shapes: CellShapes, into grid: inout CellGrid, palette: Palette,
    change: (UnsafeMutableBufferPointer<FittedCell>, Int, Int) -> Void
  ) -> Bool {
    guard let image = layer.image.cells, image.shapes == shapes, layer.imageRect.size == layer.image.size,
      layer.backdrop == .rgb(0, 0, 0)
    else { return false }
    let (left, top) = (layer.imageRect.x - image.x, layer.imageRect.y - image.y)
    guard left % blockWidth == 0, top % blockHeight == 0 else { return false }
    let place = CellRect(
      x: layer.cells.x + left / blockWidth, y: layer.cells.y + top / blockHeight, width: image.columns, height: image.rows)
    let part = layer.cells.intersection(grid.bounds)
    let covered = place.intersection(part)
    let columns = grid.columns
    let black: [FittedCell] = Array(repeating: .black, count: part.width)
    grid.withMutableCells { cells in
      guard let cells = cells.baseAddress, !part.isEmpty else { return }
      withUnsafeTemporaryAllocation(of: FittedCell.self, capacity: part.width) { line in
        for row in part.y..<part.maxY {
          _ = line.initialize(from: black)
          if covered.y..<covered.maxY ~= row, !covered.isEmpty {
            let first = (row - place.y) * image.columns + covered.x - place.x
            for n in 0..<covered.width { line[covered.x - part.x + n] = image.cells[first + n] }
          }
          change(line, part.x, row)
          paint(
            UnsafeBufferPointer(line), column: part.x, row: row, palette: palette, cells: cells + row * columns + part.x)
        }
      }
    }
    return true
  }

  /// Paints a row of cells; `column` and `row` are the first one's place on the grid.
  private func paint(
    _ fitted: UnsafeBufferPointer<FittedCell>, column: Int, row: Int, palette: Palette, cells: UnsafeMutablePointer<Cell>
  ) {
    let table = ShapeTable.shared
    guard palette.depth != .trueColor else {
      for n in 0..<fitted.count {
        cells[n] = Cell(
          fitted[n].shape, ink: CellColor(rawValue: CellColor.rgbKind | fitted[n].foreground),
          rest: CellColor(rawValue: CellColor.rgbKind | fitted[n].background), table)
      }
      return
    }
    palette.withDitherer { ditherer in
      // Each colour has a threshold of its own, so that neither is far from the mean over a few cells.
      let (inks, rests) = (ditherer.thresholdRow(2 * row), ditherer.thresholdRow(2 * row + 1))
      for n in 0..<fitted.count {
        let x = (column + n) & (DitherMatrix.side - 1)
        let rest = CellColor(rawValue: CellColor.indexedKind | ditherer.index(fitted[n].background, rests[x]))
        let ink = CellColor(rawValue: CellColor.indexedKind | ditherer.index(fitted[n].foreground, inks[x]))
        cells[n] = Cell(fitted[n].shape, ink: ink, rest: rest, table)
      }
    }
  }
}
