import Pixels
import TestSupport
import Testing

/// Fit, fill and stretch against plain arithmetic.
@Suite(.timeLimit(.minutes(20))) struct FrameGeometryTests {
  private struct Case {
    var aspect: Double, box: PixelSize, pixelAspect: Double
    /// The frame's shape in pixels of the box.
    var shape: Double { aspect / pixelAspect }
  }

  private func cases() -> [Case] {
    var random = SeededGenerator(seed: 1)
    return (0..<3000).map { _ in
      Case(
        aspect: Double.random(in: 0.05...20, using: &random),
        box: PixelSize(
          width: .random(in: 1...400, using: &random), height: .random(in: 1...300, using: &random)),
        pixelAspect: [1, 0.5, 2, Double.random(in: 0.3...3, using: &random)].randomElement(using: &random)
          ?? 1)
    }
  }

  private func layout(_ c: Case, _ gravity: Gravity) -> FrameGeometry {
    FrameGeometry(aspect: c.aspect, box: c.box, pixelAspect: c.pixelAspect, gravity: gravity)
  }

  @Test func fitShowsAllOfTheFrameAsLargeAsItCanBe() {
    for c in cases() {
      let geometry = layout(c, .resizeAspect)
      let size = geometry.imageSize
      #expect(size.width == c.box.width || size.height == c.box.height)
      // The other side is the exact one rounded.
      let exact = size.width == c.box.width ? Double(c.box.width) / c.shape : Double(c.box.height) * c.shape
      let other = size.width == c.box.width ? size.height : size.width
      let most = size.width == c.box.width ? c.box.height : c.box.width
      let bothFull = size == c.box
      #expect(abs(Double(other) - min(max(exact, 1), Double(most))) <= 0.5 || bothFull, "\(c) \(size)")
      let visible = geometry.visible
      #expect(visible == .whole)
    }
  }

  @Test func fillTakesTheWholeBoxAndKeepsTheShape() {
    for c in cases() {
      let geometry = layout(c, .resizeAspectFill)
      #expect(geometry.imageSize == c.box && geometry.imageRect == PixelRect(size: c.box))
      let visible = geometry.visible
      #expect(visible.width > 0 && visible.width <= 1 && visible.height > 0 && visible.height <= 1)
      #expect(visible.width == 1 || visible.height == 1)
      #expect(
        abs(visible.x * 2 + visible.width - 1) < 1e-12 && abs(visible.y * 2 + visible.height - 1) < 1e-12)
      // What is seen has the box's shape.
      let seen = c.shape * visible.width / visible.height
      let box = Double(c.box.width) / Double(c.box.height)
      #expect(abs(seen / box - 1) < 1e-9)
    }
  }

  @Test func stretchTakesAllOfBoth() {
    for c in cases() {
      let geometry = layout(c, .resize)
      #expect(geometry.imageRect == PixelRect(size: c.box) && geometry.imageSize == c.box)
      #expect(geometry.visible.width == 1 && geometry.visible.height == 1)
    }
  }

  @Test func theImageLiesInTheMiddleOfTheBox() {
    for c in cases() {
      for gravity in Gravity.allCases {
        let geometry = layout(c, gravity)
        let rect = geometry.imageRect
        #expect(rect.size == geometry.imageSize && !rect.isEmpty)
        #expect(rect.x >= 0 && rect.y >= 0 && rect.maxX <= c.box.width && rect.maxY <= c.box.height)
        #expect((0...1).contains(c.box.width - rect.maxX - rect.x))
        #expect((0...1).contains(c.box.height - rect.maxY - rect.y))
      }
    }
  }

  @Test func aRegionIsLaidOutAsIfItWereAll() {
    // The right half of 16:9 in a square box, and its middle square.
    let half = FrameRegion(x: 0.5, y: 0, width: 0.5, height: 1)
    let box = PixelSize(width: 90, height: 90)
    let fit = FrameGeometry(aspect: 16.0 / 9, region: half, box: box, pixelAspect: 1, gravity: .resizeAspect)
    #expect(fit.imageSize == PixelSize(width: 80, height: 90) && fit.visible == half)
    let fill = FrameGeometry(aspect: 16.0 / 9, region: half, box: box, pixelAspect: 1, gravity: .resizeAspectFill)
    #expect(fill.imageSize == box && fill.visible.x == 0.5 && fill.visible.width == 0.5)
    #expect(abs(fill.visible.height - 8.0 / 9) < 1e-12 && abs(fill.visible.y - 1.0 / 18) < 1e-12)
  }

  @Test func aRegionLiesInTheFrame() {
    #expect(FrameRegion(x: -1, y: 2, width: 3, height: 0.25) == FrameRegion(x: 0, y: 0.75, width: 1, height: 0.25))
    let none = FrameRegion(x: .nan, y: .infinity, width: .nan, height: -1)
    #expect(none.x == 0 && none.width == 1 && none.height > 0 && none.y + none.height <= 1)
  }

  @Test func knownOnes() {
    // 16:9 in half-block pixels of an 80×24 terminal: 80×48 square ones.
    let square = FrameGeometry(
      aspect: 16.0 / 9, box: PixelSize(width: 80, height: 48), pixelAspect: 1, gravity: .resizeAspect)
    #expect(square.imageRect == PixelRect(x: 0, y: 1, width: 80, height: 45))
    let tall = FrameGeometry(
      aspect: 9.0 / 16, box: PixelSize(width: 80, height: 48), pixelAspect: 1, gravity: .resizeAspect)
    #expect(tall.imageRect == PixelRect(x: 26, y: 0, width: 27, height: 48))
    // Pixels twice as high as wide need twice as many across.
    let narrow = FrameGeometry(
      aspect: 1, box: PixelSize(width: 100, height: 20), pixelAspect: 0.5, gravity: .resizeAspect)
    #expect(narrow.imageSize == PixelSize(width: 40, height: 20))
  }

  @Test func nonsenseIsSurvived() {
    for aspect in [0, -1, .nan, .infinity, 1e-300, 1e300] {
      for pixelAspect in [0, -1, .nan, .infinity, 1e-300, 1e300] {
        for gravity in Gravity.allCases {
          for box in [
            PixelSize(width: 0, height: 0), PixelSize(width: -3, height: 5), PixelSize(width: 1, height: 1),
          ] {
            let geometry = FrameGeometry(
              aspect: aspect, box: box, pixelAspect: pixelAspect, gravity: gravity)
            #expect(
              !geometry.imageSize.isEmpty && geometry.visible.width.isFinite
                && geometry.visible.height.isFinite)
          }
        }
      }
    }
  }

  @Test func gravitiesGoRound() {
    var gravity = Gravity.resizeAspect
    var seen: [Gravity] = []
    for _ in 0..<3 {
      seen.append(gravity)
      gravity = gravity.next
    }
    #expect(gravity == .resizeAspect && Set(seen).count == 3)
  }
}
