import Pixels
import Playback
@testable import QuadrilleApp
import Testing

@Suite(.timeLimit(.minutes(20))) struct MagnificationStageTests {
  private func stage(_ frame: PixelSize = .init(width: 1280, height: 720), box: PixelSize = .init(width: 79, height: 44)) -> MagnificationStage {
    MagnificationStage(
      frame: frame, aspect: Double(frame.width) / Double(frame.height), box: box, pixelAspect: 1, gravity: .resizeAspect)
  }

  private func magnification(_ factor: Int, _ x: Double = 0.5, _ y: Double = 0.5, grid: PixelSize? = nil) -> Magnification {
    var result = Magnification()
    result.scale = .pixels(factor, grid: grid)
    result.center = .init(x: x, y: y)
    return result
  }

  @Test func atOneToOneEveryPixelOfTheBoxIsOneOfTheClip() {
    let request = stage().request(magnification(1))
    #expect(request.box == PixelSize(width: 79, height: 44) && request.magnification == .nearest)
    #expect((request.region.width * 1280).rounded() == 79 && (request.region.height * 720).rounded() == 44)
    // Whole pixels.
    #expect(abs(request.region.x * 1280 - (request.region.x * 1280).rounded()) < 1e-6)
  }

  @Test func theBoxShrinksToASmallFrame() {
    let small = stage(.init(width: 20, height: 90))
    let request = small.request(magnification(2))
    #expect(request.box == PixelSize(width: 40, height: 44) && request.region.width == 1)
    #expect(small.canPan(magnification(2)))
    #expect(!stage(.init(width: 20, height: 10)).canPan(magnification(2)))
  }

  @Test func linkedPanesShowTheSamePart() {
    let grid = PixelSize(width: 1280, height: 720)
    let large = stage(.init(width: 1920, height: 1080))
    let magnification = magnification(2, 0.3, 0.7, grid: grid)
    #expect(large.request(magnification).region == stage().request(magnification).region)
    #expect(stage().label(magnification) == "2:1" && large.label(magnification) == "1.33:1")
  }

  @Test func theCentreStaysInTheFrame() {
    let stage = stage()
    let edge = stage.centered(magnification(4, 0, 1))
    let part = stage.visiblePart(edge)
    #expect(part.x == 0 && abs(part.y + part.height - 1) < 1e-9)
    // Moving away from the edge has an effect at once.
    let moved = stage.visiblePart(stage.panned(edge, x: 0.125, y: 0))
    #expect(moved.x > 0)
    // A pixel at least.
    let step = stage.visiblePart(stage.panned(edge, x: 1e-6, y: 0))
    #expect((step.x * 1280).rounded() == 1)
  }

  @Test func aPointStaysUnderThePointer() {
    let stage = stage()
    let place = Magnification.Point(x: 0.25, y: 0.75), point = Magnification.Point(x: 0.4, y: 0.6)
    let part = stage.visiblePart(stage.moved(magnification(4), point: point, to: place))
    #expect(abs(part.x + place.x * part.width - point.x) < 1.0 / 1280)
    #expect(abs(part.y + place.y * part.height - point.y) < 1.0 / 720)
  }

  @Test func aFilledPaneIsPannedToo() {
    var filled = stage(box: .init(width: 40, height: 44))
    filled.gravity = .resizeAspectFill
    #expect(filled.request(.init()).region == .whole && filled.canPan(.init()))
    let left = filled.panned(.init(), x: -1, y: 0)
    #expect(filled.request(left).gravity == .resize && filled.visiblePart(left).x == 0)
  }

  @Test func aCropMovesByPixels() {
    var crop = Magnification()
    crop.scale = .crop(PixelRect(x: 100, y: 50, width: 640, height: 360))
    let stage = stage()
    #expect(stage.request(crop).region == FrameRegion(x: 100.0 / 1280, y: 50.0 / 720, width: 0.5, height: 0.5))
    guard case .crop(let moved) = stage.panned(crop, x: 0.5, y: -1).scale else {
      Issue.record("no crop")
      return
    }
    #expect(moved == PixelRect(x: 420, y: 0, width: 640, height: 360))
  }

  @Test func theScalesFollowEachOther() {
    var magnification = Magnification()
    var seen: [Int?] = []
    for _ in 0..<6 {
      let factor = magnification.factor(steps: 1, wraps: true)
      magnification.scale = factor.map { .pixels($0) } ?? .fit
      seen.append(factor)
    }
    #expect(seen == [1, 2, 4, 8, nil, 1])
    magnification.scale = .pixels(5)
    #expect(magnification.factor(steps: 1, wraps: false) == 8 && magnification.factor(steps: -1, wraps: false) == 2)
    magnification.scale = .fit
    #expect(magnification.factor(steps: -1, wraps: false) == nil)
  }

  @Test(arguments: [
    ("640x360+100+50", PixelRect(x: 100, y: 50, width: 640, height: 360)), ("10x20", PixelRect(x: 0, y: 0, width: 10, height: 20)),
    ("0x20", nil), ("10x20+1", nil), ("10x20-1+3", nil), ("", nil), ("x", nil), ("9999999x1+0+0", nil),
  ])
  func crops(text: String, rect: PixelRect?) { #expect(Magnification.crop(text) == rect) }

  @Test func optionsAsText() {
    #expect(Magnification.center("0.3,0.7") == .init(x: 0.3, y: 0.7))
    for bad in ["0.3", "2,0", "a,b", "0.1,0.2,0.3", "nan,0"] { #expect(Magnification.center(bad) == nil) }
    #expect(Magnification.scale("fit") == .fit && Magnification.scale("4") == .pixels(4))
    for bad in ["0", "33", "-1", "1.5", ""] { #expect(Magnification.scale(bad) == nil) }
  }
}
