import CellGraphics
import Terminal

/// The intended cells of the screen: images of panes with chrome over them. A value without a terminal.
struct ScreenCanvas {
  private(set) var grid: CellGrid
  private var palette: Palette
  private(set) var blitter: Blitter
  private var memory: PixelMemory
  private var fittedMemory: FittedMemory
  /// Panes drawn with grain held still since they were last drawn exactly.
  private var held: Set<ObjectIdentifier> = []
  private let quality: ImageQuality
  /// True if frames in pixels leave out the last row of the screen, where some terminals scroll after an image.
  var hasCellsInLastRow = false

  init(_ size: TerminalSize, _ capabilities: TerminalCapabilities, _ options: PlayOptions.TerminalOptions) {
    grid = CellGrid(columns: size.columns, rows: size.rows)
    palette = Palette(depth: capabilities.colorDepth, dithering: options.dithering)
    blitter = .best(for: capabilities.glyphSet)
    memory = PixelMemory(columns: size.columns, rows: size.rows, blitter: blitter)
    fittedMemory = FittedMemory(columns: size.columns, rows: size.rows)
    quality = options.quality
  }

  /// True if something drawn is moving and not exact.
  var holdsGrain: Bool { !held.isEmpty }

  /// Adapts to another terminal.
  mutating func setCapabilities(_ capabilities: TerminalCapabilities) {
    palette = Palette(depth: capabilities.colorDepth, dithering: palette.dithering)
    blitter = .best(for: capabilities.glyphSet)
    forgetPixels()
  }

  mutating func resize(_ size: TerminalSize) {
    grid = CellGrid(columns: size.columns, rows: size.rows)
    forgetPixels()
  }

  private mutating func forgetPixels() {
    memory = PixelMemory(columns: grid.columns, rows: grid.rows, blitter: blitter)
    fittedMemory = FittedMemory(columns: grid.columns, rows: grid.rows)
  }

  /// Draws the images that have changed, or all.
  ///
  /// - Returns: True if any was drawn; then the chrome must be drawn over them.
  mutating func draw(_ images: [PaneImage], all: Bool) -> Bool {
    held.formIntersection(images.lazy.map(\.id))
    // An image that comes to rest is drawn exactly.
    let changed = images.filter { all || $0.isNew || ($0.motion == .resting && held.contains($0.id)) }
    for image in changed { draw(image) }
    return !changed.isEmpty
  }

  private mutating func draw(_ image: PaneImage) {
    // In 24-bit colour, a step is a step.
    let mayHold = quality == .high && palette.depth != .trueColor && blitter.glyphSet == .unicode
    let holds = mayHold && image.motion == .moving
    for layer in image.layers {
      let fitted = layer.blitter ?? blitter
      if fitted.isPixels {
        fitted.makeRoom(for: layer, in: &grid)
        if hasCellsInLastRow, let row = fitted.halfBlocks(of: layer, inRow: grid.rows - 1) {
          blitter.blit(row, into: &grid, palette: palette)
        }
      } else if mayHold, fitted.shapes != nil {
        fitted.blit(layer, into: &grid, palette: palette, memory: &fittedMemory, holds: holds)
      } else if fitted.shapes != nil {
        fitted.blit(layer, into: &grid, palette: palette)
      } else if mayHold {
        blitter.blit(layer, into: &grid, palette: palette, memory: &memory, holds: holds)
      } else {
        blitter.blit(layer, into: &grid, palette: palette)
      }
    }
    if holds { held.insert(image.id) } else { held.remove(image.id) }
  }

  mutating func draw(_ chrome: ChromePainter) { chrome.compose(into: &grid) }
}
