import Pixels
import Playback

/// The visible pixels of an image subtitle: many bitmaps are as wide as the frame and mostly empty.
struct SubtitleInk {
  /// For the whole bitmap, row by row.
  let pixels: [UInt32]
  private let width: Int
  /// Bounding box of the visible pixels.
  let rect: PixelRect
  /// Height in rows of the tallest text line; nil if it is not text but a sign or the whole frame.
  let lineHeight: Int?

  /// - Returns: nil if nothing is visible.
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
    // Two lines may touch; five cannot be text.
    let isText = bitmap.canvas.isEmpty || highest * 4 < bitmap.canvas.height
    lineHeight = isText ? highest : nil
  }

  /// True if a pixel is at least an eighth opaque, which excludes nearly transparent backgrounds.
  private static func isSeen(_ pixel: UInt32) -> Bool { pixel >> 29 != 0 }

  /// Visibility of a pixel, by its position in `rect`.
  func index(_ x: Int, _ y: Int) -> Int { (rect.y + y) * width + rect.x + x }
}
