import CellGraphics
import Pixels
import Playback
import Terminal

/// A picture in each kind of cells, with their glyphs, to see which ones a terminal's font has.
public struct CellTestScreen {
  private let depth: ColorDepth
  private let terminal: TerminalCapabilities

  private static let size = CellSize(width: 24, height: 8)
  private static let gap = 2
  private static let margin = 2

  /// The kinds, and what they consist of.
  private static let styles: [(style: CellStyle, shapes: CellShapes?, meaning: TerminalText)] = [
    (.half, nil, "two halves"), (.blocks, .blocks, "halves, quadrants, eighths"), (.sextants, .sextants, "two by three parts"),
    (.octants, .octants, "two by four parts"),
  ]

  public init(_ terminal: TerminalCapabilities) {
    self.terminal = terminal
    depth = terminal.colorDepth
  }

  /// The lines of the screen.
  public var text: String {
    var text = ""
    for (style, shapes, meaning) in Self.styles {
      text += "\(style.rawValue): \(meaning)\n"
      text += PlainLines(depth: depth, glyphSet: .unicode).text(picture(shapes))
      text += "\n"
    }
    let most = CellStyle.auto.shapes(in: terminal)
    let name = Self.styles.last { $0.shapes.map { most?.isSuperset(of: $0) == true } ?? true }?.style ?? .half
    text += "Use the finest kind whose disc is round and whose glyphs touch each other: quadrille --cells NAME.\n"
    text += "By its name, this terminal has \(most == .all ? "all" : name.rawValue).\n"
    return text
  }

  /// A disc and two ramps, and beside them every glyph.
  private func picture(_ shapes: CellShapes?) -> CellGrid {
    let glyphs = CellGlyphs.all(shapes)
    let perRow = 48
    let first = Self.size.width + Self.margin + Self.gap
    let rows = max(Self.size.height, (glyphs.count + perRow - 1) / perRow)
    var grid = CellGrid(columns: first + perRow, rows: rows)
    let blitter = shapes.map { Blitter.fitted($0) } ?? .halfBlocks
    let pixels = blitter.pixelSize(ofCells: Self.size)
    let image = PixelImage(size: pixels) { x, y in
      Self.color(x: (Double(x) + 0.5) / Double(pixels.width), y: (Double(y) + 0.5) / Double(pixels.height))
    }
    let cells = CellRect(x: Self.margin, y: 0, width: Self.size.width, height: Self.size.height)
    blitter.blit(
      FrameLayer(image: image, cells: cells, imageRect: PixelRect(size: pixels)), into: &grid, palette: Palette(depth: depth))
    for (n, glyph) in glyphs.enumerated() { grid[column: first + n % perRow, row: n / perRow] = Cell(glyph) }
    return grid
  }

  /// The picture's colour at a place, in fractions of its sides.
  private static func color(x: Double, y: Double) -> (red: UInt8, green: UInt8, blue: UInt8) {
    // Cells are twice as high as wide: 24 × 8 of them are three by two.
    let (across, down) = (x * 1.5 - 0.5, y - 0.5)
    let radius = across * across + down * down
    if radius < 0.2 { return radius < 0.02 ? (30, 40, 60) : (250, 190, 60) }
    if x > 0.72 { return y < (x - 0.72) / 0.28 ? (220, 90, 70) : (40, 90, 150) }
    return (30, 40, 60)
  }
}
