import Pixels
import Playback

/// How image subtitles are enlarged where their letters would be too small to be read: a pane has far fewer pixels than the frames
/// that they were made for.
///
/// Those in the lower half grow upwards from where they end, those in the upper half downwards from where they begin. All of a
/// half grow alike, so that lines stay lines.
struct SubtitleMagnification {
  /// In pixels of the frame's image, from its left upper corner.
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

  /// Where the bitmaps go, in the order in which they were given.
  private(set) var areas: [Area]
  /// What is darkened behind them.
  private(set) var grounds: [PixelRect] = []
  /// Whether all letters are large enough to be read.
  private(set) var isLegible = true
  /// Which of the bitmaps are left out: of their letters nothing but a smear would be seen.
  private(set) var leftOut: Set<Int> = []

  /// Pixels of a line of text, from the highest letters to the lowest, that make it easy to read.
  private static let wanted = 10.0
  /// With fewer it cannot be read.
  private static let least = 5.0
  /// With fewer it cannot even be seen that it is text.
  private static let hopeless = 3.0
  /// With more, letters stand out from the frame by their own edges.
  private static let sharp = 16.0
  /// Part of the image's height that a half's subtitles may grow to.
  private static let maxPart = 0.4

  /// - Parameter bitmaps: where they lie, and how high a line of their text is there; nil for what is no text.
  init(_ bitmaps: [(area: Area, line: Double?)], in image: PixelSize) {
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
    let factor = max(1, min(Self.wanted / line, width / bounds.width, max(bounds.height, Self.maxPart * height) / bounds.height))
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
    if line * factor < Self.least { isLegible = false }
    guard line * factor >= Self.hopeless else { return leftOut.formUnion(half) }
    if line * factor < Self.sharp, let ground = Self.pixels(of: bounds, in: image) { grounds.append(ground) }
  }

  /// The pixels of an area with one more around it; nil where none is in the image.
  private static func pixels(of area: Area, in image: PixelSize) -> PixelRect? {
    let left = max(0, Int(area.x.rounded(.down)) - 1), top = max(0, Int(area.y.rounded(.down)) - 1)
    let right = min(image.width, Int(area.maxX.rounded(.up)) + 1), bottom = min(image.height, Int(area.maxY.rounded(.up)) + 1)
    return left < right && top < bottom ? PixelRect(x: left, y: top, width: right - left, height: bottom - top) : nil
  }
}
