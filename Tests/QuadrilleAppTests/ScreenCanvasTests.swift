import CellGraphics
import Pixels
import Terminal
import Testing

@testable import QuadrilleApp

/// The drawing of images that move and of images at rest.
@Suite(.timeLimit(.minutes(20))) struct ScreenCanvasTests {
  private let pane = PaneSet(.all)

  private func canvas(_ depth: ColorDepth, _ change: (inout PlayOptions.TerminalOptions) -> Void = { _ in }) throws -> ScreenCanvas {
    var options = PlayOptions.TerminalOptions()
    change(&options)
    return ScreenCanvas(TerminalSize(columns: 20, rows: 8), try capabilities(depth), options)
  }

  private func capabilities(_ depth: ColorDepth) throws -> TerminalCapabilities {
    TerminalCapabilities(
      environment: [:], terminfo: try TerminfoEntry.load("xterm-256color"), requestedDepth: depth, codeset: "UTF-8")
  }

  private func image(_ motion: PaneImage.Motion, gray: UInt8 = 90, isNew: Bool = true) -> PaneImage {
    let cells = CellRect(x: 0, y: 1, width: 20, height: 6)
    let size = PixelSize(width: 20, height: 12)
    let image = PixelImage(size: size) { bytes in for i in bytes.indices { bytes[i] = gray } }
    return PaneImage(
      id: ObjectIdentifier(pane), body: cells, layers: [FrameLayer(image: image, cells: cells, imageRect: PixelRect(size: size))],
      motion: motion, isFocused: true, isNew: isNew)
  }

  @Test func grainIsHeldUntilTheImageRests() throws {
    var canvas = try canvas(.palette256)
    let isDrawn = canvas.draw([image(.moving)], all: false)
    #expect(isDrawn && canvas.holdsGrain)
    let before = canvas.grid
    _ = canvas.draw([image(.moving, gray: 93)], all: false)
    #expect(canvas.grid == before)
    // It is drawn once more when it comes to rest, and then no more.
    let resting = image(.resting, gray: 93, isNew: false)
    let isDrawnAtRest = canvas.draw([resting], all: false)
    #expect(isDrawnAtRest && !canvas.holdsGrain && canvas.grid != before)
    let isDrawnAgain = canvas.draw([resting], all: false)
    #expect(!isDrawnAgain)
  }

  /// A terminal that turns out to have 24 bits while something moves holds nothing any more, or its screen would never be done.
  @Test func nothingIsHeldInATerminalThatTurnsOutToHaveAllColors() throws {
    var canvas = try canvas(.palette256)
    _ = canvas.draw([image(.moving)], all: false)
    canvas.setCapabilities(try capabilities(.trueColor))
    _ = canvas.draw([image(.moving, isNew: false)], all: true)
    #expect(!canvas.holdsGrain)
    let isDrawnAtRest = canvas.draw([image(.resting, isNew: false)], all: false)
    #expect(!isDrawnAtRest)
  }

  @Test func panesThatAreGoneHoldNothing() throws {
    var canvas = try canvas(.palette256)
    _ = canvas.draw([image(.moving)], all: false)
    _ = canvas.draw([], all: false)
    #expect(!canvas.holdsGrain)
  }

  @Test func nothingIsHeldWhereAllIsExact() throws {
    var exact = try canvas(.palette256) { $0.quality = .exact }
    _ = exact.draw([image(.moving)], all: false)
    #expect(!exact.holdsGrain)
    var deep = try canvas(.trueColor)
    _ = deep.draw([image(.moving)], all: false)
    #expect(!deep.holdsGrain)
  }
}
