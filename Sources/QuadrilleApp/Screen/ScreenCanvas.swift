import CellGraphics
import Terminal

/// The cells of the screen as they are meant to be: images of panes, and chrome over them. A value without a terminal.
struct ScreenCanvas {
  private(set) var grid: CellGrid
  private var palette: Palette
  private var glyphSet: GlyphSet
  private var memory: PixelMemory
  /// Panes that have been drawn with grain held still since they were drawn as they are.
  private var held: Set<ObjectIdentifier> = []
  private let quality: ImageQuality

  init(_ size: TerminalSize, _ capabilities: TerminalCapabilities, _ options: PlayOptions.TerminalOptions) {
    grid = CellGrid(columns: size.columns, rows: size.rows)
    palette = Palette(depth: capabilities.colorDepth, dithering: options.dithering)
    glyphSet = capabilities.glyphSet
    memory = PixelMemory(columns: size.columns, rows: size.rows, blitter: .best(for: capabilities.glyphSet))
    quality = options.quality
  }

  var blitter: Blitter { .best(for: glyphSet) }

  /// Whether some of what is drawn moves, and is not quite as it is meant.
  var holdsGrain: Bool { !held.isEmpty }

  /// The terminal turned out to be another.
  mutating func setCapabilities(_ capabilities: TerminalCapabilities) {
    palette = Palette(depth: capabilities.colorDepth, dithering: palette.dithering)
    glyphSet = capabilities.glyphSet
    forgetPixels()
  }

  mutating func resize(_ size: TerminalSize) {
    grid = CellGrid(columns: size.columns, rows: size.rows)
    forgetPixels()
  }

  private mutating func forgetPixels() {
    memory = PixelMemory(columns: grid.columns, rows: grid.rows, blitter: blitter)
  }

  /// Draws the images that have changed, or all.
  ///
  /// - Returns: whether any was drawn; then chrome has to be drawn over them.
  mutating func draw(_ images: [PaneImage], all: Bool) -> Bool {
    held.formIntersection(images.lazy.map(\.id))
    // What comes to rest is drawn as it is.
    let changed = images.filter { all || $0.isNew || ($0.motion == .resting && held.contains($0.id)) }
    for image in changed { draw(image) }
    return !changed.isEmpty
  }

  private mutating func draw(_ image: PaneImage) {
    // In 24 bits a step is a step.
    guard quality == .high, palette.depth != .trueColor, glyphSet == .unicode else {
      for layer in image.layers { blitter.blit(layer, into: &grid, palette: palette) }
      return
    }
    let holds = image.motion == .moving
    for layer in image.layers {
      blitter.blit(layer, into: &grid, palette: palette, memory: &memory, holds: holds)
    }
    if holds { held.insert(image.id) } else { held.remove(image.id) }
  }

  mutating func draw(_ chrome: ChromePainter) { chrome.compose(into: &grid) }
}
