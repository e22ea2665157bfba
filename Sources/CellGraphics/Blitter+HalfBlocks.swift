extension Blitter {
  private static let upperHalf: UInt32 = 0x2580
  private static let lowerHalf: UInt32 = 0x2584
  private static let fullBlock: UInt32 = 0x2588

  /// Makes the one cell that stands for two pixels: an upper half block, or a space when both are equal.
  ///
  /// One form for one pair keeps differences stable. The encoder may send another that looks the same.
  @inline(__always)
  private static func cell(top: UInt32, bottom: UInt32) -> Cell {
    let equal = top == bottom
    return Cell(
      glyph: equal ? 0x20 : upperHalf, foreground: CellColor(rawValue: equal ? 0 : top),
      background: CellColor(rawValue: bottom), isImage: true)
  }

  static func paintHalfBlocks(
    _ block: BlockRow, palette: Palette, cells: UnsafeMutablePointer<Cell>
  ) {
    let top = block.pixels
    let bottom = block.pixels + block.stride
    switch palette.depth {
    case .trueColor:
      for n in 0..<block.columns {
        cells[n] = cell(top: CellColor.rgbKind | top[n], bottom: CellColor.rgbKind | bottom[n])
      }
    case .mono:
      palette.withThresholdRow(2 * block.row) { upper in
        palette.withThresholdRow(2 * block.row + 1) { lower in
          for n in 0..<block.columns {
            let x = (block.column + n) & (DitherMatrix.side - 1)
            let isUpper = isWhite(top[n], upper[x])
            let isLower = isWhite(bottom[n], lower[x])
            let glyph =
              isUpper ? (isLower ? fullBlock : upperHalf) : (isLower ? lowerHalf : 0x20)
            cells[n] = Cell(glyph: glyph, isImage: true)
          }
        }
      }
    case .ansi8, .ansi16, .palette256:
      palette.withDitherer { ditherer in
        let upper = ditherer.thresholdRow(2 * block.row)
        let lower = ditherer.thresholdRow(2 * block.row + 1)
        for n in 0..<block.columns {
          let x = (block.column + n) & (DitherMatrix.side - 1)
          cells[n] = cell(
            top: CellColor.indexedKind | ditherer.index(top[n], upper[x]),
            bottom: CellColor.indexedKind | ditherer.index(bottom[n], lower[x]))
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
