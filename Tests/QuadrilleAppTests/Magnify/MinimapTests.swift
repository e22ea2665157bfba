import CellGraphics
import Pixels
import Playback
@testable import QuadrilleApp
import Testing

@Suite(.timeLimit(.minutes(20))) struct MinimapTests {
  /// The values of the map, row by row.
  private func rows(part: FrameRegion, in box: CellRect) throws -> [[UInt8]] {
    let blitter = Blitter.halfBlocks
    let layer = try #require(Minimap(aspect: 16.0 / 9, part: part).layer(in: box, 1, blitter: blitter))
    let size = layer.image.size
    return (0..<size.height).map { y in (0..<size.width).map { layer.image[$0, y].red } }
  }

  /// The part is an outline, not an area that hides the picture.
  @Test func outlinesTheFrameAndThePart() throws {
    let box = CellRect(x: 0, y: 0, width: 200, height: 60)
    let rows = try rows(part: FrameRegion(x: 0.1, y: 0.1, width: 0.8, height: 0.8), in: box)
    let values = rows.flatMap { $0 }
    let brightest = try #require(values.max())
    #expect(rows[0].count * 6 <= 200 && Double(values.filter { $0 == brightest }.count) < 0.3 * Double(values.count))
    let middle = rows[rows.count / 2]
    // From the left: the frame's edge, the part's, and what lies inside.
    let course = middle.reduce(into: [UInt8]()) { if $0.last != $1 { $0.append($1) } }
    #expect(course.filter { $0 == brightest }.count == 2 && middle[0] < brightest && middle[middle.count / 2] < middle[0])
  }

  @Test func aTinyPartIsStillSeen() throws {
    let rows = try rows(part: FrameRegion(x: 0.5, y: 0.5, width: 0.01, height: 0.01), in: CellRect(x: 0, y: 0, width: 80, height: 24))
    #expect(rows.flatMap { $0 }.filter { $0 == rows.flatMap { $0 }.max() }.count == 1)
  }
}
