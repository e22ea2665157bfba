import Pixels
import Playback
import TestSupport
import Testing

@testable import QuadrilleApp

/// Image subtitles that would be too small to be read.
@Suite(.timeLimit(.minutes(20))) struct SubtitleMagnificationTests {
  private typealias Area = SubtitleMagnification.Area
  private let image = PixelSize(width: 80, height: 45)

  private func magnified(_ bitmaps: [(Area, Double?)]) -> SubtitleMagnification { SubtitleMagnification(bitmaps, in: image) }

  @Test func smallLinesGrowFromTheEdge() {
    let low = magnified([(Area(x: 30, y: 38, width: 20, height: 4), 4)])
    #expect(low.areas == [Area(x: 15, y: 32, width: 50, height: 10)] && low.isLegible)
    #expect(low.grounds == [PixelRect(x: 14, y: 31, width: 52, height: 12)])
    let high = magnified([(Area(x: 30, y: 2, width: 20, height: 4), 4)])
    #expect(high.areas == [Area(x: 15, y: 2, width: 50, height: 10)])
    // At the side there is less room: it is moved.
    let side = magnified([(Area(x: 60, y: 38, width: 20, height: 4), 4)])
    #expect(side.areas == [Area(x: 30, y: 32, width: 50, height: 10)])
  }

  @Test func noFurtherThanThereIsRoom() {
    // As wide as the image, and no higher than two fifths of it.
    let wide = magnified([(Area(x: 10, y: 38, width: 40, height: 3), 3)])
    #expect(wide.areas == [Area(x: 0, y: 35, width: 80, height: 6)] && wide.isLegible)
    let lines = magnified([(Area(x: 30, y: 30, width: 20, height: 12), 4)])
    #expect(lines.areas == [Area(x: 25, y: 24, width: 30, height: 18)])
    let full = magnified([(Area(x: 0, y: 38, width: 80, height: 3), 3)])
    #expect(full.areas == [Area(x: 0, y: 38, width: 80, height: 3)] && !full.isLegible && full.grounds.count == 1)
  }

  /// A line that would be a smear on the frame is left out, and one in the other half is not.
  @Test func whatCannotBeSeenIsLeftOut() {
    let full = Area(x: 0, y: 38, width: 80, height: 2.5)
    let smear = magnified([(full, 2.5), (Area(x: 30, y: 2, width: 20, height: 4), 4)])
    #expect(smear.leftOut == [0] && !smear.isLegible && smear.grounds.count == 1)
    #expect(smear.areas[1] == Area(x: 15, y: 2, width: 50, height: 10))
    // A little larger it is seen, though not read; and what is no text stays, however small.
    let small = magnified([(Area(x: 0, y: 38, width: 80, height: 3), 3)])
    #expect(small.leftOut.isEmpty && !small.isLegible)
    #expect(magnified([(full, nil)]).leftOut.isEmpty)
  }

  @Test func linesOfAHalfGrowAlike() {
    let both = magnified([(Area(x: 30, y: 32, width: 20, height: 4), 4), (Area(x: 35, y: 38, width: 10, height: 4), 4)])
    #expect(both.areas[0].width / both.areas[1].width == 2 && both.areas[0].maxY < both.areas[1].y)
    #expect(both.areas[1].maxY == 42 && both.grounds.count == 1)
    let apart = magnified([(Area(x: 30, y: 2, width: 20, height: 4), 4), (Area(x: 35, y: 38, width: 10, height: 5), 5)])
    #expect(apart.areas.map(\.height) == [10, 10] && apart.grounds.count == 2)
  }

  @Test func whatCanBeReadAndWhatIsNoTextStays() {
    let large = Area(x: 10, y: 20, width: 60, height: 20)
    let stays = magnified([(large, 20)])
    #expect(stays.areas == [large] && stays.grounds.isEmpty && stays.isLegible)
    let sign = magnified([(Area(x: 30, y: 38, width: 20, height: 4), nil)])
    #expect(sign.areas == [Area(x: 30, y: 38, width: 20, height: 4)] && sign.grounds.isEmpty && sign.isLegible)
    let none = magnified([])
    #expect(none.areas.isEmpty && none.isLegible)
  }

  @Test(arguments: TestSeeds.first(60)) func nothingLeavesTheImage(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    func number(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
    let bitmaps = (0..<Int.random(in: 1...4, using: &random)).map { _ in
      let area = Area(x: number(-5...80), y: number(-5...45), width: number(0.1...90), height: number(0.1...60))
      return (area, Int.random(in: 0..<5, using: &random) == 0 ? nil : area.height / number(1...3))
    }
    let result = magnified(bitmaps)
    #expect(result.areas.count == bitmaps.count)
    for (area, (former, _)) in zip(result.areas, bitmaps) {
      #expect(area.width >= former.width - 1e-6 && area.height >= former.height - 1e-6)
      guard area != former else { continue }
      #expect(area.x >= -1e-6 && area.maxX <= 80 + 1e-6 && area.y >= -1e-6 && area.maxY <= 45 + 1e-6, "\(former) \(area)")
    }
    for ground in result.grounds { #expect(ground.x >= 0 && ground.y >= 0 && ground.maxX <= 80 && ground.maxY <= 45) }
  }

  @Test func inkIsWhatCanBeSeen() throws {
    // Two lines of 3 and 2 rows on a ground that is all but transparent.
    let rows = [0, 1, 1, 1, 0, 0, 2, 2, 0]
    let bitmap = SubtitleBitmap(
      x: 0, y: 0, size: PixelSize(width: 6, height: 9), canvas: PixelSize(width: 100, height: 100),
      indices: rows.flatMap { row in (0..<6).map { row > 0 && $0 >= row && $0 < 5 ? 1 : 0 } }, palette: [0x0100_0000, 0xFFFF_FFFF])
    let ink = try #require(SubtitleInk(bitmap))
    #expect(ink.rect == PixelRect(x: 1, y: 1, width: 4, height: 7) && ink.lineHeight == 3)
    #expect(ink.pixels[ink.index(0, 0)] == 0xFFFF_FFFF && ink.pixels[ink.index(3, 6)] == 0xFFFF_FFFF && ink.pixels[ink.index(0, 6)] != 0xFFFF_FFFF)
    let empty = SubtitleBitmap(
      x: 0, y: 0, size: PixelSize(width: 2, height: 2), canvas: PixelSize(width: 0, height: 0), indices: [0, 0, 0, 0], palette: [0])
    #expect(SubtitleInk(empty) == nil)
    let whole = SubtitleBitmap(
      x: 0, y: 0, size: PixelSize(width: 4, height: 40), canvas: PixelSize(width: 100, height: 100),
      indices: [UInt8](repeating: 0, count: 160), palette: [0xFF00_00FF])
    #expect(SubtitleInk(whole)?.lineHeight == nil)
  }
}
