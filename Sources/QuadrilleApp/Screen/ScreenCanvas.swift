import CellGraphics
import Terminal

/// The cells of the screen as they are meant to be: images of panes, and chrome over them. A value without a terminal.
struct ScreenCanvas {
  private(set) var grid: CellGrid
  private var palette: Palette
  private(set) var blitter: Blitter
  private var memory: PixelMemory
  /// Panes that have been drawn with grain held still since they were drawn as they are.
  private var held: Set<ObjectIdentifier> = []
  private let quality: ImageQuality

  init(_ size: TerminalSize, _ capabilities: TerminalCapabilities, _ options: PlayOptions.TerminalOptions) {
    grid = CellGrid(columns: size.columns, rows: size.rows)
    palette = Palette(depth: capabilities.colorDepth, dithering: options.dithering)
    blitter = .best(for: capabilities.glyphSet)
    memory = PixelMemory(columns: size.columns, rows: size.rows, blitter: blitter)
    quality = options.quality
  }

  /// Whether some of what is drawn moves, and is not quite as it is meant.
  var holdsGrain: Bool { !held.isEmpty }

  /// The terminal turned out to be another.
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
    let mayHold = quality == .high && palette.depth != .trueColor && blitter.glyphSet == .unicode
    let holds = mayHold && image.motion == .moving
    for layer in image.layers {
      if mayHold {
        blitter.blit(layer, into: &grid, palette: palette, memory: &memory, holds: holds)
      } else {
        blitter.blit(layer, into: &grid, palette: palette)
      }
    }
    if holds { held.insert(image.id) } else { held.remove(image.id) }
  }

  mutating func draw(_ chrome: ChromePainter) { chrome.compose(into: &grid) }
}
