import Pixels

/// A way of drawing pixels with cells: its geometry, glyph set and function.
///
/// All blitters are in the table `Blitter.all`; add a new one there.
public struct Blitter: Sendable {
  public let name: String
  /// Width of a cell, in pixels.
  public let blockWidth: Int
  /// Height of a cell, in pixels.
  public let blockHeight: Int
  /// The glyphs that the terminal must be able to show.
  public let glyphSet: GlyphSet
  /// The shapes of cells that are fitted to their pixels; nil if each pixel has its place in the cell.
  public let shapes: CellShapes?
  /// Paints one row of cells from `blockHeight` rows of pixels; nil if cells are fitted, or left to an image in pixels.
  let paint: (@Sendable (BlockRow, Palette, UnsafeMutablePointer<Cell>) -> Void)?

  /// Two square pixels per cell, one above the other, each with its own colour.
  public static let halfBlocks = Blitter(
    name: "half-blocks", blockWidth: 1, blockHeight: 2, glyphSet: .unicode, shapes: nil, paint: paintHalfBlocks)

  /// One character per cell, whose density follows the brightness of two pixels, coloured if the terminal has colours.
  public static let asciiShades = Blitter(
    name: "ascii-shades", blockWidth: 1, blockHeight: 2, glyphSet: .ascii, shapes: nil, paint: paintASCIIShades)

  /// Two colours per cell, in the shape that fits its pixels best.
  public static func fitted(_ shapes: CellShapes) -> Blitter {
    switch shapes {
    case .blocks: blocks
    case .sextants: sextants
    case .octants: octants
    default: allShapes
    }
  }

  private static let blocks = shaped("blocks", .blocks)
  private static let sextants = shaped("sextants", .sextants)
  private static let octants = shaped("octants", .octants)
  private static let allShapes = shaped("all-shapes", .all)

  private static func shaped(_ name: String, _ shapes: CellShapes) -> Blitter {
    Blitter(
      name: name, blockWidth: CellShape.width, blockHeight: CellShape.height, glyphSet: .unicode, shapes: shapes,
      paint: nil)
  }

  /// No cells at all, but room for an image in pixels.
  ///
  /// - Parameter size: the pixels of a cell.
  public static func pixels(_ size: PixelSize) -> Blitter {
    Blitter(
      name: "pixels", blockWidth: max(1, size.width), blockHeight: max(1, size.height), glyphSet: .unicode, shapes: nil, paint: nil)
  }

  /// True if the blitter leaves room for an image in pixels.
  public var isPixels: Bool { paint == nil && shapes == nil }

  /// Makes room for an image in pixels: holes where it is, and the backdrop beside it.
  public func makeRoom(for layer: FrameLayer, in grid: inout CellGrid) {
    grid.fill(layer.cells, with: Cell(background: layer.backdrop))
    grid.fill(layer.imageCells(self).intersection(layer.cells), with: .hole)
  }

  /// Returns what half blocks show of a layer in one row of the grid instead of an image in pixels; nil if it is not there.
  public func halfBlocks(of layer: FrameLayer, inRow row: Int) -> FrameLayer? {
    guard isPixels, layer.cells.y..<layer.cells.maxY ~= row else { return nil }
    let rect = layer.imageRect
    var part = layer
    part.blitter = nil
    part.cells = CellRect(x: layer.cells.x, y: row, width: layer.cells.width, height: 1)
    part.imageRect = PixelRect(
      x: rect.x / blockWidth, y: 2 * rect.y / blockHeight - 2 * (row - layer.cells.y), width: max(1, rect.width / blockWidth),
      height: max(1, 2 * rect.height / blockHeight))
    return part
  }

  /// All blitters that draw cells, best first.
  public static let all: [Blitter] = [allShapes, octants, sextants, blocks, halfBlocks, asciiShades]

  /// Returns the blitter for a terminal that shows `glyphSet`, if nothing is known of its fonts.
  public static func best(for glyphSet: GlyphSet) -> Blitter {
    glyphSet == .unicode ? halfBlocks : asciiShades
  }

  /// Returns the size in pixels of a rectangle of cells.
  public func pixelSize(ofCells size: CellSize) -> PixelSize {
    PixelSize(width: size.width * blockWidth, height: size.height * blockHeight)
  }

  /// Draws an image into its cells, as image cells that the palette's depth can show unchanged.
  ///
  /// The same pixel at the same position of the grid always gives the same cell.
  public func blit(_ layer: FrameLayer, into grid: inout CellGrid, palette: Palette) {
    if let shapes { return blit(layer, shapes, into: &grid, palette: palette) { _, _, _ in } }
    blit(layer, into: &grid, palette: palette) { _, _, _, _ in }
  }

  /// Draws a moving image, keeping pixels that are close to the ones last drawn in their place.
  ///
  /// - Parameters:
  ///   - memory: the pixels drawn last; must have the grid's size and this blitter's geometry.
  ///   - holds: whether to keep pixels; if false, all are drawn as they are, and remembered.
  public func blit(
    _ layer: FrameLayer, into grid: inout CellGrid, palette: Palette, memory: inout PixelMemory, holds: Bool
  ) {
    blit(layer, into: &grid, palette: palette) { line, count, x, y in
      memory.apply(to: line, count: count, x: x, y: y, holds: holds)
    }
  }

  /// - Parameter change: may change a line of pixels before it is drawn; receives the pixels, their number, and the column
  ///   and row of the first on the grid.
  @inline(__always)
  private func blit(
    _ layer: FrameLayer, into grid: inout CellGrid, palette: Palette,
    change: (UnsafeMutablePointer<UInt32>, Int, Int, Int) -> Void
  ) {
    guard let paint else { return }
    blitRows(layer, into: &grid, change: change) { block, cells in paint(block, palette, cells) }
  }

  /// Paints each row of cells from its pixels.
  @inline(__always)
  func blitRows(
    _ layer: FrameLayer, into grid: inout CellGrid, change: (UnsafeMutablePointer<UInt32>, Int, Int, Int) -> Void,
    paint: (BlockRow, UnsafeMutablePointer<Cell>) -> Void
  ) {
    let part = layer.cells.intersection(grid.bounds)
    guard !part.isEmpty else { return }
    let width = part.width * blockWidth
    let left = (part.x - layer.cells.x) * blockWidth
    let backdrop = XtermPalette.components(layer.backdrop, default: XtermPalette.defaultBackground)
    let gridColumns = grid.columns
    grid.withMutableCells { cells in
      layer.image.withBytes { bytes in
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: width * blockHeight) { pixels in
          withUnsafeTemporaryAllocation(of: Int32.self, capacity: width) { sourceX in
            guard let cells = cells.baseAddress, let bytes = bytes.baseAddress,
              let pixels = pixels.baseAddress, let sourceX = sourceX.baseAddress
            else { return }
            for n in 0..<width {
              let position = max(0, min(layer.imageRect.width - 1, left + n - layer.imageRect.x))
              sourceX[n] =
                layer.imageRect.isEmpty
                ? 0
                : Int32(
                  3 * FrameLayer.nearest(position, of: layer.imageRect.width, in: layer.image.width))
            }
            for row in part.y..<part.maxY {
              for line in 0..<blockHeight {
                layer.fetchRow(
                  y: (row - layer.cells.y) * blockHeight + line, x: left, width: width, bytes: bytes,
                  sourceX: sourceX, backdrop: backdrop, into: pixels + line * width)
                change(pixels + line * width, width, part.x * blockWidth, row * blockHeight + line)
              }
              let block = BlockRow(
                pixels: UnsafePointer(pixels), stride: width, columns: part.width, column: part.x, row: row)
              paint(block, cells + row * gridColumns + part.x)
            }
          }
        }
      }
    }
  }
}

/// The pixels of one row of cells. Valid only while the blitter's function runs.
struct BlockRow {
  /// `blockHeight` rows of `stride` pixels, each 0x00RRGGBB.
  let pixels: UnsafePointer<UInt32>
  let stride: Int
  /// The number of cells to paint.
  let columns: Int
  /// The first cell's column on the grid: dithering is anchored to the screen.
  let column: Int
  let row: Int
}
