extension Blitter {
  /// Characters from empty to dense.
  static let shades = Array(" .:-=+*#%@".utf8)

  /// Without colours, the character's density follows the mean brightness. With colours, the character follows the greatest
  /// component and the colour is the mean at full brightness, so that eight colours can distinguish hues.
  /// greatest component and the colour is the mean at full brightness, so that eight colours tell hues apart.
  static func paintASCIIShades(
    _ block: BlockRow, palette: Palette, cells: UnsafeMutablePointer<Cell>
  ) {
    shades.withUnsafeBufferPointer { shades in
      let steps = UInt32(shades.count - 1)
      for n in 0..<block.columns {
        let mean = average(block.pixels[n], block.pixels[block.stride + n])
        let level = palette.depth == .mono ? Palette.luma(mean) : brightest(mean)
        let shade = UInt32(shades[Int((level * steps + 127) / 255)])
        let hasColor = palette.depth != .mono && shade != 0x20
        let color = hasColor ? CellColor.rgbKind | atFullBrightness(mean) : 0
        cells[n] = Cell(glyph: shade, foreground: CellColor(rawValue: color), isImage: true)
      }
    }
    guard palette.depth != .mono, palette.depth != .trueColor else { return }
    palette.withDitherer { ditherer in
      let thresholds = ditherer.thresholdRow(block.row)
      for n in 0..<block.columns where cells[n].glyph != 0x20 {
        let x = (block.column + n) & (DitherMatrix.side - 1)
        let index = ditherer.index(cells[n].foreground.rawValue, thresholds[x])
        cells[n].foreground = CellColor(rawValue: CellColor.indexedKind | index)
      }
    }
  }

  @inline(__always)
  private static func average(_ a: UInt32, _ b: UInt32) -> UInt32 {
    // Each component rounded down: the bits both have, and half of those one has, without carries.
    (a & b) + (((a ^ b) & 0xFEFEFE) >> 1)
  }

  @inline(__always)
  private static func brightest(_ pixel: UInt32) -> UInt32 {
    max(pixel >> 16 & 0xFF, max(pixel >> 8 & 0xFF, pixel & 0xFF))
  }

  @inline(__always)
  private static func atFullBrightness(_ pixel: UInt32) -> UInt32 {
    let most = max(1, brightest(pixel))
    let red = (pixel >> 16 & 0xFF) * 255 / most
    let green = (pixel >> 8 & 0xFF) * 255 / most
    let blue = (pixel & 0xFF) * 255 / most
    return red << 16 | green << 8 | blue
  }
}
