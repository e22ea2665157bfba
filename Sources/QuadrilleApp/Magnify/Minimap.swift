import CellGraphics
import Pixels
import Playback

/// A small map that shows which part of a frame is visible.
struct Minimap {
  /// Width divided by height of the frame.
  let aspect: Double
  /// The visible part.
  let part: FrameRegion

  /// The time for which it is shown after a change, in nanoseconds.
  static let linger: HostTime = 2_000_000_000
  /// The share of a pane's sides that it takes at most.
  private static let share = 0.15
  /// The fewest cells in which it can be read.
  private static let minCells = CellSize(width: 4, height: 2)

  private static let ground: UInt8 = 0x20
  /// The outline of the frame.
  private static let edge: UInt8 = 0x80
  private static let inside: UInt8 = 0x38
  /// The outline of the part.
  private static let partEdge: UInt8 = 0xE0

  /// The map in the lower right corner of the box; nil if there is no room.
  ///
  /// - Parameter pixelAspect: Width divided by height of a pixel of the box.
  func layer(in box: CellRect, _ pixelAspect: Double, blitter: Blitter) -> FrameLayer? {
    let whole = blitter.pixelSize(ofCells: box.size)
    let room = PixelSize(width: Int(Double(whole.width) * Self.share), height: Int(Double(whole.height) * Self.share))
    guard !room.isEmpty else { return nil }
    let fitted = FrameGeometry(aspect: aspect, box: room, pixelAspect: pixelAspect, gravity: .resizeAspect).imageSize
    // Whole cells.
    let cells = CellSize(
      width: max(Self.minCells.width, fitted.width / blitter.blockWidth),
      height: max(Self.minCells.height, fitted.height / blitter.blockHeight))
    guard cells.width * 2 < box.width, cells.height * 2 < box.height else { return nil }
    let size = blitter.pixelSize(ofCells: cells)
    let rect = CellRect(x: box.maxX - cells.width, y: box.maxY - cells.height, width: cells.width, height: cells.height)
    return FrameLayer(image: image(size), cells: rect, imageRect: PixelRect(size: size))
  }

  private func image(_ size: PixelSize) -> PixelImage {
    func span(_ start: Double, _ length: Double, _ count: Int) -> Range<Int> {
      let first = min(count - 1, Int(start * Double(count)))
      return first..<min(count, max(first + 1, Int(((start + length) * Double(count)).rounded(.up))))
    }
    let (columns, rows) = (span(part.x, part.width, size.width), span(part.y, part.height, size.height))
    func isOutline(_ x: Int, _ y: Int, _ columns: Range<Int>, _ rows: Range<Int>) -> Bool {
      x == columns.lowerBound || x == columns.upperBound - 1 || y == rows.lowerBound || y == rows.upperBound - 1
    }
    return PixelImage(size: size) { x, y in
      let value: UInt8
      if columns.contains(x), rows.contains(y) {
        value = isOutline(x, y, columns, rows) ? Self.partEdge : Self.inside
      } else {
        value = isOutline(x, y, 0..<size.width, 0..<size.height) ? Self.edge : Self.ground
      }
      return (value, value, value)
    }
  }
}
