import CellGraphics
import Pixels
import Playback
import Testing

@testable import QuadrilleApp

@Suite(.timeLimit(.minutes(20))) struct FrameDisplayTests {
  private func frame(_ number: Int, box: PixelSize = PixelSize(width: 16, height: 9)) -> RenderedFrame {
    let pts = MediaTime(value: Int64(number), timescale: 10)
    return RenderedFrame(
      image: PixelImage(size: box) { _ in }, rect: PixelRect(size: box), request: RenderRequest(box: box),
      timing: FrameTiming(pts: pts, duration: MediaTime(value: 1, timescale: 10), number: number))
  }

  @Test func aFrameThatIsScaledAgainIsNoNewOne() {
    var display = FrameDisplay()
    // The same again without reason is one more that was shown.
    var areRescaled = [display.show(frame(1), .whole, at: 0), display.show(frame(1), .whole, at: 0)]
    display.didChangeRequest()
    let large = PixelSize(width: 32, height: 18)
    // It may come several times.
    areRescaled += [1, 1, 2, 2].map { display.show(frame($0, box: large), .whole, at: 0) }
    #expect(areRescaled == [false, false, true, true, false, false])
  }

  @Test func framesUnderWayMayComeBeforeTheOneThatIsScaledAgain() {
    var display = FrameDisplay()
    _ = display.show(frame(1), .whole, at: 0)
    display.didChangeRequest()
    let areRescaled = [
      display.show(frame(2), .whole, at: 0),
      display.show(frame(2, box: PixelSize(width: 8, height: 8)), .whole, at: 0),
    ]
    #expect(areRescaled == [false, true])
  }

  @Test func partsAreDelivered() {
    var display = FrameDisplay()
    _ = display.show(frame(1), .partial, at: 0)
    #expect(display.delivery == .partial)
    display.didDeliver()
    #expect(display.delivery == .whole)
  }

  /// A frame in some seconds, or one that the next does not follow, is looked at closely soon.
  @Test func aFrameThatStaysIsStanding() {
    var display = FrameDisplay()
    _ = display.show(frame(1), .whole, at: 1_000_000_000)
    #expect(!display.isStanding(at: 1_100_000_000) && display.restTime(after: 1_100_000_000) == 1_250_000_000)
    #expect(display.isStanding(at: 1_250_000_000) && display.restTime(after: 1_250_000_000) == nil)
    _ = display.show(frame(2), .whole, at: 2_000_000_000)
    #expect(!display.isStanding(at: 2_000_000_000))
  }

  @Test func aFrameOfAnotherSizeIsStretchedByTheSameRule() throws {
    var display = FrameDisplay()
    let cells = CellRect(x: 3, y: 1, width: 32, height: 16)
    let blitter = Blitter.best(for: .unicode)
    #expect(display.layer(in: cells, gravity: .resizeAspect, blitter: blitter) == nil)
    _ = display.show(frame(1), .whole, at: 0)
    let layer = try #require(display.layer(in: cells, gravity: .resizeAspect, blitter: blitter))
    #expect(layer.cells == cells && layer.imageRect == PixelRect(x: 0, y: 7, width: 32, height: 18))
    let filled = try #require(display.layer(in: cells, gravity: .resize, blitter: blitter))
    #expect(filled.imageRect == PixelRect(x: 0, y: 0, width: 32, height: 32))
  }
}
