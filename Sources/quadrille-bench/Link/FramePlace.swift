import Pixels
import Playback
import TerminalHarness

/// The place of a clip's frames on the screen, and the request for frames to compare with what is there.
struct FramePlace {
  /// In pixels, two to a cell.
  var rect: PixelRect
  var request: RenderRequest

  func cut(_ screen: ScreenPixels) -> ScreenPixels {
    screen.part(x: rect.x, y: rect.y, width: rect.width, height: rect.height)
  }

  /// Finds a still frame in a part of the screen: the library makes it in every size that a pane within these cells may have,
  /// and one of them is on the screen to the last bit.
  ///
  /// - Parameters:
  ///   - area: Cells in which the pane lies, including its title and bar.
  ///   - number: Number of the frame.
  static func find(_ screen: ScreenPixels, in area: FrameArea, clip: String, number: Int) throws -> FramePlace {
    let columns = area.columns.count
    let rows = area.rows.count
    let frames = ReferenceFrames(clip, RenderRequest(box: PixelSize(width: columns, height: 2 * rows)))
    var tried: Set<PixelSize> = []
    for lost in 0...4 {
      for width in (0...2).map({ columns - $0 }) {
        let request = RenderRequest(box: PixelSize(width: width, height: 2 * (rows - lost)))
        let image = try frames.frame(number: number, request).image
        guard tried.insert(image.size).inserted else { continue }
        for y in 2 * area.rows.lowerBound...max(2 * area.rows.lowerBound, 2 * area.rows.upperBound - image.height) {
          for x in area.columns.lowerBound...max(area.columns.lowerBound, area.columns.upperBound - image.width)
          where isThere(screen, image, x, y) {
            return FramePlace(rect: PixelRect(origin: (x, y), size: image.size), request: request)
          }
        }
      }
    }
    throw BenchError("frame \(number) of \(clip) is not on the screen")
  }

  private static func isThere(_ screen: ScreenPixels, _ image: PixelImage, _ left: Int, _ top: Int) -> Bool {
    guard left + image.width <= screen.width, top + image.height <= screen.height else { return false }
    return image.withBytes { bytes in
      (0..<image.height).allSatisfy { y in
        let at = 3 * ((top + y) * screen.width + left)
        return screen.bytes[at..<at + 3 * image.width].elementsEqual(
          bytes[3 * y * image.width..<3 * (y + 1) * image.width])
      }
    }
  }

  /// Finds the rectangle of the cells with a colour of their own: where a program draws that has nothing else on its screen.
  ///
  /// The library stretches the reference to the rectangle.
  ///
  /// - Returns: The place; nil if nothing is drawn.
  static func find(drawnOn screen: EmulatorScreen) -> FramePlace? {
    var columns: ClosedRange<Int>?
    var rows: ClosedRange<Int>?
    for row in 0..<screen.rows {
      for column in 0..<screen.columns where screen.isDrawn(column: column, row: row) {
        columns = min(columns?.lowerBound ?? column, column)...max(columns?.upperBound ?? column, column)
        rows = min(rows?.lowerBound ?? row, row)...max(rows?.upperBound ?? row, row)
      }
    }
    guard let columns, let rows, columns.count > 8, rows.count > 4 else { return nil }
    let size = PixelSize(width: columns.count, height: 2 * rows.count)
    return FramePlace(
      rect: PixelRect(origin: (columns.lowerBound, 2 * rows.lowerBound), size: size),
      request: RenderRequest(box: size, gravity: .resize))
  }
}

extension EmulatorScreen {
  /// Returns true if a cell has a background of its own: a black one differs from none.
  func isDrawn(column: Int, row: Int) -> Bool { self[column: column, row: row].background != .default }
}
