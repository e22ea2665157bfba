import Pixels
import Playback

/// Enlarges image subtitles whose letters would be too small to read, since a pane has far fewer pixels than the original
/// frames.
///
/// Those in the lower half grow upwards from their bottom, those in the upper half downwards from their top. Each half uses one
/// scale, so that lines stay aligned.
struct SubtitleMagnification {
  /// In pixels of the frame's image, from its top left corner.
  struct Area: Equatable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double

    var maxX: Double { x + width }
    var maxY: Double { y + height }

    func union(_ other: Area) -> Area {
      let (left, top) = (min(x, other.x), min(y, other.y))
      return Area(x: left, y: top, width: max(maxX, other.maxX) - left, height: max(maxY, other.maxY) - top)
    }
  }

  /// Destinations of the bitmaps, in the given order.
  private(set) var areas: [Area]
  /// Areas darkened behind them.
  private(set) var grounds: [PixelRect] = []
  /// True if all text is large enough to read.
  private(set) var isLegible = true
  /// Bitmaps left out because their text would only be a smear.
  private(set) var leftOut: Set<Int> = []

  /// Pixels of the image along half a cell. Finer pixels share their colours, so letters need as many cells.
  private let detail: Double

  /// Height in halves of a cell of a text line that is easy to read, ascender to descender.
  private static let wanted = 10.0
  /// Minimum height to be readable.
  private static let least = 5.0
  /// Minimum height to be recognisable as text.
  private static let hopeless = 3.0
  /// Above this height, letters stand out by their own outlines.
  private static let sharp = 16.0
  /// Maximum height of a half's subtitles, as a fraction of the image.
  private static let maxPart = 0.4

  /// - Parameter bitmaps: Areas and text line heights; nil for bitmaps without text.
  init(_ bitmaps: [(area: Area, line: Double?)], in image: PixelSize, detail: Int = 1) {
    self.detail = Double(detail)
    areas = bitmaps.map(\.area)
    let middle = Double(image.height) / 2
    for isLower in [false, true] {
      let half = bitmaps.indices.filter { (areas[$0].y + areas[$0].height / 2 >= middle) == isLower }
      let lines = half.compactMap { bitmaps[$0].line }
      guard let line = lines.min(), lines.count == half.count else { continue }
      magnify(half, line: line, isLower: isLower, in: image)
    }
  }

  private mutating func magnify(_ half: [Int], line: Double, isLower: Bool, in image: PixelSize) {
    guard var bounds = half.map({ areas[$0] }).reduce(nil, { (all: Area?, area: Area) in all?.union(area) ?? area }) else { return }
    let (width, height) = (Double(image.width), Double(image.height))
    let factor = max(1, min(Self.wanted * detail / line, width / bounds.width, max(bounds.height, Self.maxPart * height) / bounds.height))
    var target = Area(
      x: bounds.x + bounds.width / 2 * (1 - factor), y: isLower ? bounds.maxY - bounds.height * factor : bounds.y,
      width: bounds.width * factor, height: bounds.height * factor)
    if factor > 1 {
      target.x = min(max(target.x, 0), width - target.width)
      target.y = min(max(target.y, 0), height - target.height)
      for i in half {
        areas[i] = Area(
          x: target.x + (areas[i].x - bounds.x) * factor, y: target.y + (areas[i].y - bounds.y) * factor,
          width: areas[i].width * factor, height: areas[i].height * factor)
      }
      bounds = target
    }
    if line * factor < Self.least * detail { isLegible = false }
    guard line * factor >= Self.hopeless * detail else { return leftOut.formUnion(half) }
    if line * factor < Self.sharp * detail, let ground = Self.pixels(of: bounds, in: image) { grounds.append(ground) }
  }

  /// The pixels of an area with a margin of one; nil if outside the image.
  private static func pixels(of area: Area, in image: PixelSize) -> PixelRect? {
    let left = max(0, Int(area.x.rounded(.down)) - 1), top = max(0, Int(area.y.rounded(.down)) - 1)
    let right = min(image.width, Int(area.maxX.rounded(.up)) + 1), bottom = min(image.height, Int(area.maxY.rounded(.up)) + 1)
    return left < right && top < bottom ? PixelRect(x: left, y: top, width: right - left, height: bottom - top) : nil
  }
}
