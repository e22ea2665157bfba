/// A progress bar with a resolution of an eighth of a cell: progress, cached and loaded ranges, chapters, markers and a loop.
///
/// Positions are fractions of the whole, 0–1. Values outside that range are drawn at the nearer end; values that are not
/// numbers are omitted.
public struct ProgressBar: Equatable, Sendable {
  /// Width in cells, at least 0.
  public var width: Int
  public var played: Double
  /// Ranges that are cached, shaded.
  public var cached: [ClosedRange<Double>]
  /// Ranges whose data have arrived, underlined.
  public var loaded: [ClosedRange<Double>]
  /// Chapter marks.
  public var marks: [Double]
  /// User markers; chapter marks are drawn over them.
  public var markers: [Double]
  /// Places at which clips differ; drawn over other marks.
  public var events: [Double]
  /// The height of the sound in each cell, 0–1, NaN where it is not known; empty to show none. Needs colours, since they are what
  /// tells then how much has been played.
  public var levels: [Double]
  /// The A–B loop, bracketed.
  public var loop: ClosedRange<Double>?
  /// The in point of a marked piece.
  public var inPoint: Double?
  /// The out point of a marked piece.
  public var outPoint: Double?

  public init(
    width: Int, played: Double, cached: [ClosedRange<Double>] = [], loaded: [ClosedRange<Double>] = [],
    marks: [Double] = [], markers: [Double] = [], events: [Double] = [], levels: [Double] = [],
    loop: ClosedRange<Double>? = nil, inPoint: Double? = nil, outPoint: Double? = nil
  ) {
    self.width = max(0, width)
    self.played = played
    self.cached = cached
    self.loaded = loaded
    self.marks = marks
    self.markers = markers
    self.events = events
    self.levels = levels
    self.loop = loop
    self.inPoint = inPoint
    self.outPoint = outPoint
  }

  /// Returns the bar's `width` chrome cells. The style's depth decides between colours and shades.
  public func cells(style: ProgressBarStyle) -> [Cell] {
    guard width > 0 else { return [] }
    let filled = Int((ProgressBar.fraction(played) * Double(width * 8)).rounded(.down))
    let shading = cells(of: cached), lining = cells(of: loaded)
    let showsLevels = levels.count == width && style.depth != .mono && style.glyphSet == .unicode
    var cells = (0..<width).map { n in
      if showsLevels, !levels[n].isNaN { return style.cell(level: levels[n], isPlayed: filled > 8 * n) }
      return style.cell(eighths: max(0, min(8, filled - 8 * n)), isCached: shading[n], isLoaded: lining[n])
    }
    for (places, symbol) in [(markers, Symbol.marker), (marks, .mark), (events, .event)] {
      // There may be many more of them than cells.
      var isMarked = [Bool](repeating: false, count: width)
      for place in places where place >= 0 && place <= 1 {
        let n = column(of: place)
        if isMarked[n] { continue }
        isMarked[n] = true
        // The cell with the played edge keeps it: the edge moves, so the mark can wait.
        if style.glyphSet == .ascii || filled <= 8 * n || filled >= 8 * (n + 1) {
          style.draw(symbol, on: &cells[n], isPlayed: filled >= 8 * (n + 1), isCached: shading[n])
        }
      }
    }
    let ends: [(place: Double?, symbol: Symbol)] = [
      (loop?.lowerBound, .loopStart), (loop?.upperBound, .loopEnd), (inPoint, .inPoint), (outPoint, .outPoint),
    ]
    for end in ends {
      guard let place = end.place else { continue }
      let n = column(of: ProgressBar.fraction(place))
      style.draw(end.symbol, on: &cells[n], isPlayed: filled >= 8 * (n + 1), isCached: shading[n])
    }
    return cells
  }

  /// Returns the position that a click on cell `column` means: the middle of that cell, 0–1.
  public func position(ofColumn column: Int) -> Double {
    guard width > 1 else { return 0 }
    if column <= 0 { return 0 }
    if column >= width - 1 { return 1 }
    return (Double(column) + 0.5) / Double(width)
  }

  enum Symbol {
    case mark, marker, event, loopStart, loopEnd, inPoint, outPoint
  }

  private static func fraction(_ value: Double) -> Double {
    value > 0 ? min(1, value) : 0
  }

  private func column(of position: Double) -> Int {
    min(width - 1, Int(position * Double(width)))
  }

  /// Returns for each cell true if ranges cover half of it or more.
  private func cells(of ranges: [ClosedRange<Double>]) -> [Bool] {
    var covered = [Double](repeating: 0, count: width)
    for range in ranges {
      let low = ProgressBar.fraction(range.lowerBound) * Double(width)
      let high = ProgressBar.fraction(range.upperBound) * Double(width)
      guard low < high else { continue }
      for n in Int(low)..<min(width, Int(high.rounded(.up))) {
        covered[n] += min(high, Double(n + 1)) - max(low, Double(n))
      }
    }
    return covered.map { $0 >= 0.5 }
  }
}
