import CellGraphics
import Pixels
import Playback
import Testing

@testable import QuadrilleApp

@Suite struct FrameDisplayTests {
  private func frame(_ number: Int, box: PixelSize = PixelSize(width: 16, height: 9)) -> Picture {
    let pts = MediaTime(value: Int64(number), timescale: 10)
    return Picture(
      image: PixelImage(size: box) { _ in }, rect: PixelRect(size: box), request: PictureRequest(box: box),
      timing: FrameTiming(pts: pts, duration: MediaTime(value: 1, timescale: 10), number: number))
  }

  @Test func aFrameThatIsScaledAgainIsNoNewOne() {
    var display = FrameDisplay()
    #expect(!display.show(frame(1), .whole))
    // The same again without reason is one more that was shown.
    #expect(!display.show(frame(1), .whole))
    display.didChangeRequest()
    let large = PixelSize(width: 32, height: 18)
    #expect(display.show(frame(1, box: large), .whole))
    #expect(display.show(frame(1, box: large), .whole), "it may come several times")
    #expect(!display.show(frame(2, box: large), .whole))
    #expect(!display.show(frame(2, box: large), .whole))
  }

  @Test func framesUnderWayMayComeBeforeTheOneThatIsScaledAgain() {
    var display = FrameDisplay()
    _ = display.show(frame(1), .whole)
    display.didChangeRequest()
    #expect(!display.show(frame(2), .whole))
    #expect(display.show(frame(2, box: PixelSize(width: 8, height: 8)), .whole))
  }

  @Test func partsAreDelivered() {
    var display = FrameDisplay()
    _ = display.show(frame(1), .partial)
    #expect(display.delivery == .partial)
    display.didDeliver()
    #expect(display.delivery == .whole)
  }

  @Test func aFrameOfAnotherSizeIsStretchedByTheSameRule() throws {
    var display = FrameDisplay()
    let cells = PixelRect(x: 3, y: 1, width: 32, height: 16)
    let blitter = Blitter.best(for: .unicode)
    #expect(display.layer(in: cells, gravity: .resizeAspect, blitter: blitter) == nil)
    _ = display.show(frame(1), .whole)
    let layer = try #require(display.layer(in: cells, gravity: .resizeAspect, blitter: blitter))
    #expect(layer.cells == cells && layer.imageRect == PixelRect(x: 0, y: 7, width: 32, height: 18))
    let filled = try #require(display.layer(in: cells, gravity: .resize, blitter: blitter))
    #expect(filled.imageRect == PixelRect(x: 0, y: 0, width: 32, height: 32))
  }
}
