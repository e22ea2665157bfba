extension Blitter {
  static func paintHalfBlocks(
    _ block: BlockRow, palette: Palette, cells: UnsafeMutablePointer<Cell>
  ) {
    let top = block.pixels
    let bottom = block.pixels + block.stride
    switch palette.depth {
    case .trueColor:
      for n in 0..<block.columns {
        cells[n] = Cell(
          upper: CellColor(rawValue: CellColor.rgbKind | top[n]), lower: CellColor(rawValue: CellColor.rgbKind | bottom[n]))
      }
    case .mono:
      palette.withThresholdRow(2 * block.row) { upper in
        palette.withThresholdRow(2 * block.row + 1) { lower in
          for n in 0..<block.columns {
            let x = (block.column + n) & (DitherMatrix.side - 1)
            cells[n] = Cell(isUpperWhite: isWhite(top[n], upper[x]), isLowerWhite: isWhite(bottom[n], lower[x]))
          }
        }
      }
    case .ansi8, .ansi16, .palette256:
      palette.withDitherer { ditherer in
        let upper = ditherer.thresholdRow(2 * block.row)
        let lower = ditherer.thresholdRow(2 * block.row + 1)
        for n in 0..<block.columns {
          let x = (block.column + n) & (DitherMatrix.side - 1)
          cells[n] = Cell(
            upper: CellColor(rawValue: CellColor.indexedKind | ditherer.index(top[n], upper[x])),
            lower: CellColor(rawValue: CellColor.indexedKind | ditherer.index(bottom[n], lower[x])))
        }
      }
    }
  }

  /// Luma 0 is never white and 255 always.
  @inline(__always)
  private static func isWhite(_ pixel: UInt32, _ threshold: UInt16) -> Bool {
    let luma = Palette.luma(pixel)
    return (luma * 1024 + 127) / 255 > UInt32(threshold)
  }
}
