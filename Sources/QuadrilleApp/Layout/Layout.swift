import Pixels

/// How panes are arranged.
public enum LayoutStyle: String, CaseIterable, Hashable, Sendable {
  /// Whatever gives the pictures most area.
  case auto
  /// Side by side.
  case row
  /// One below the other.
  case column
  /// Two by two.
  case grid
}

/// Divides the screen among panes: a pure function of sizes and shapes.
public struct Layout: Sendable {
  /// Cells above and below each picture: title and bar.
  static let titleRows = 1
  static let barRows = 1
  /// Cells between panes side by side.
  static let gap = 1
  /// The least that a pane needs to show a picture with its title and bar.
  public static let leastPane = PixelSize(width: 8, height: 4)

  /// Rectangles in cells for panes of the given picture shapes (width over height as seen).
  ///
  /// - Parameters:
  ///   - area: the cells at hand.
  ///   - cellAspect: width over height of a cell.
  /// - Returns: one rectangle a pane, in order; empty when the area is too small for all of them.
  public static func frames(
    aspects: [Double], area: PixelRect, cellAspect: Double, style: LayoutStyle
  ) -> [PixelRect] {
    guard !aspects.isEmpty else { return [] }
    let shapes = aspects.map { $0.isFinite && $0 > 0 ? min(max($0, 0.05), 20) : 16.0 / 9 }
    var best: (frames: [PixelRect], score: Double)?
    for arrangement in arrangements(count: shapes.count, style: style) {
      for isJustified in [false, true] {
        let frames = arrangement.frames(shapes, area, cellAspect, isJustified: isJustified)
        guard frames.allSatisfy({ $0.width >= leastPane.width && $0.height >= leastPane.height }) else { continue }
        let areas = zip(frames, shapes).map { pictureArea($0, $1, cellAspect) }
        guard let least = areas.min(), let most = areas.max(), most > 0 else { continue }
        // Panes are there to be compared: dwarfs beside a giant are no gain, whatever the sum.
        let score = areas.reduce(0, +) * min(1, least / most / fairShare)
        // Even panes in rows look calmer: others have to win clearly.
        let advantage = isJustified ? 1.05 : arrangement.isRows ? 1.0001 : 1.03
        if score > (best?.score ?? 0) * advantage { best = (frames, score) }
      }
    }
    return best?.frames ?? []
  }

  /// Part of the largest picture's area that the smallest should have.
  private static let fairShare = 0.4

  /// The picture's area in a pane's frame, in cells.
  private static func pictureArea(_ frame: PixelRect, _ aspect: Double, _ cellAspect: Double) -> Double {
    let width = Double(frame.width), height = Double(frame.height - titleRows - barRows)
    guard width > 0, height > 0 else { return 0 }
    let shape = aspect / cellAspect
    return width / height > shape ? height * shape * height : width * width / shape
  }

  private static func arrangements(count: Int, style: LayoutStyle) -> [Arrangement] {
    switch style {
    case .row: return [Arrangement(lines: [count], isRows: true)]
    case .column: return [Arrangement(lines: [count], isRows: false)]
    case .grid:
      let first = count <= 2 ? count : 2
      return [Arrangement(lines: count > first ? [first, count - first] : [first], isRows: true)]
    case .auto:
      let all = compositions(of: count)
      return all.map { Arrangement(lines: $0, isRows: true) } + all.map { Arrangement(lines: $0, isRows: false) }
    }
  }

  /// All ways to write a number as a sum in order, fewer parts first.
  private static func compositions(of count: Int) -> [[Int]] {
    guard count > 0 else { return [[]] }
    var result: [[Int]] = []
    for first in (1...count).reversed() {
      for rest in compositions(of: count - first) { result.append([first] + rest) }
    }
    return result
  }

  /// Panes in lines: rows of panes from top to bottom, or columns from left to right.
  private struct Arrangement {
    /// How many panes each line has.
    var lines: [Int]
    var isRows: Bool

    func frames(
      _ shapes: [Double], _ area: PixelRect, _ cellAspect: Double, isJustified: Bool
    ) -> [PixelRect] {
      var result: [PixelRect] = []
      var begin = 0
      let groups = lines.map { count in
        defer { begin += count }
        return Array(shapes[begin..<begin + count])
      }
      // The share of a line follows from the shapes of its pictures when all of a line are equally high (wide).
      let lineWeights = groups.map { group in
        isJustified ? 1 / group.reduce(0) { $0 + (isRows ? $1 : 1 / $1) } : 1
      }
      let lineSpans = Self.split(isRows ? area.height : area.width, lineWeights, gap: isRows ? 0 : Layout.gap)
      for (group, line) in zip(groups, lineSpans) {
        let weights = group.map { isJustified ? (isRows ? $0 : 1 / $0) : 1 }
        let spans = Self.split(isRows ? area.width : area.height, weights, gap: isRows ? Layout.gap : 0)
        for span in spans {
          result.append(
            isRows
              ? PixelRect(x: area.x + span.start, y: area.y + line.start, width: span.length, height: line.length)
              : PixelRect(x: area.x + line.start, y: area.y + span.start, width: line.length, height: span.length))
        }
      }
      return result
    }

    /// Divides a length by weights, with gaps between, so that the parts add up exactly.
    private static func split(_ total: Int, _ weights: [Double], gap: Int) -> [(start: Int, length: Int)] {
      let sum = weights.reduce(0, +)
      let usable = max(0, total - gap * (weights.count - 1))
      var result: [(Int, Int)] = []
      var passed = 0.0
      for (i, weight) in weights.enumerated() {
        let from = Int((passed / sum * Double(usable)).rounded())
        passed += weight
        let to = Int((passed / sum * Double(usable)).rounded())
        result.append((from + i * gap, max(0, to - from)))
      }
      return result
    }
  }
}

/// The parts of a pane's frame, in cells.
public struct PaneGeometry: Equatable, Sendable {
  public var frame: PixelRect
  public var title: PixelRect
  public var picture: PixelRect
  public var bar: PixelRect

  public init(frame: PixelRect) {
    self.frame = frame
    let hasTitle = frame.height >= 3, hasBar = frame.height >= 2
    title = PixelRect(x: frame.x, y: frame.y, width: frame.width, height: hasTitle ? Layout.titleRows : 0)
    bar = PixelRect(
      x: frame.x, y: frame.maxY - (hasBar ? Layout.barRows : 0), width: frame.width,
      height: hasBar ? Layout.barRows : 0)
    picture = PixelRect(x: frame.x, y: title.maxY, width: frame.width, height: max(0, bar.y - title.maxY))
  }
}
