import Pixels
import Playback

/// The pixels of an image subtitle that can be seen: many are as wide as the frame, and mostly empty.
struct SubtitleInk {
  /// Of all of the bitmap, row by row.
  let pixels: [UInt32]
  private let width: Int
  /// The smallest rectangle of the bitmap with all that can be seen.
  let rect: PixelRect
  /// Rows of the highest line of text; nil where it is no text, but a sign or all of the frame.
  let lineHeight: Int?

  /// - Returns: nil where nothing of it can be seen.
  init?(_ bitmap: SubtitleBitmap) {
    pixels = bitmap.pixels()
    width = bitmap.size.width
    var (left, top, right, bottom) = (width, bitmap.size.height, 0, 0)
    var highest = 0, line = 0
    for y in 0..<bitmap.size.height {
      let row = pixels[y * width..<(y + 1) * width]
      guard let first = row.firstIndex(where: Self.isSeen), let last = row.lastIndex(where: Self.isSeen) else {
        line = 0
        continue
      }
      line += 1
      highest = max(highest, line)
      (left, top) = (min(left, first - row.startIndex), min(top, y))
      (right, bottom) = (max(right, last - row.startIndex + 1), y + 1)
    }
    guard left < right else { return nil }
    rect = PixelRect(x: left, y: top, width: right - left, height: bottom - top)
    // Two lines may touch each other; five of them are no text.
    let isText = bitmap.canvas.isEmpty || highest * 4 < bitmap.canvas.height
    lineHeight = isText ? highest : nil
  }

  /// Whether at least an eighth of the frame is covered: some makers have a ground that is all but transparent.
  private static func isSeen(_ pixel: UInt32) -> Bool { pixel >> 29 != 0 }

  /// Of a pixel of `rect`, by its place there.
  func index(_ x: Int, _ y: Int) -> Int { (rect.y + y) * width + rect.x + x }
}
