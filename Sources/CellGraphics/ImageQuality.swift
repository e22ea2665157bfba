/// The required fidelity of moving images when the terminal takes all bytes.
public enum ImageQuality: String, CaseIterable, Sendable {
  /// Every cell matches exactly.
  case exact
  /// No cell visibly differs: 46 dB, a step or two of a component. Sends fewer bytes, which also means less work for the
  /// terminal. For 24-bit colour; at lower depths cells are exact, and `PixelMemory` steadies images before they are drawn.
  case high
}

/// The tolerance for the difference between an image cell and its target.
struct CellTolerance: Equatable {
  /// Squared differences of components, summed over both halves.
  private let squares: Int32

  static let none = CellTolerance(squares: 0)

  private init(squares: Int32) { self.squares = squares }

  init(_ quality: ImageQuality, _ profile: EncoderProfile) {
    guard quality == .high, profile.colorDepth == .trueColor, profile.glyphSet == .unicode else {
      self = .none
      return
    }
    // 10^−4.6 of the square of the full range, for six components.
    squares = 9
  }

  @inline(__always)
  var isNone: Bool { squares == 0 }

  /// Returns true if one cell may be shown in place of another.
  @inline(__always)
  func allows(_ shown: Cell, for wanted: Cell) -> Bool {
    // Without a tolerance, cells that only look the same also differ.
    guard !isNone, let distance = Self.distance(shown, wanted) else { return false }
    return distance <= squares
  }

  /// Returns the squared difference of two cells, summed over both halves; nil unless both are images of two 24-bit
  /// colours.
  @inline(__always)
  static func distance(_ a: Cell, _ b: Cell) -> Int32? {
    guard let halvesOfA = halves(of: a), let halvesOfB = halves(of: b) else { return shapeDistance(a, b) }
    return ColorDistance.squares(halvesOfA.upper.rawValue, halvesOfB.upper.rawValue)
      &+ ColorDistance.squares(halvesOfA.lower.rawValue, halvesOfB.lower.rawValue)
  }

  private static func shapeDistance(_ a: Cell, _ b: Cell) -> Int32? {
    guard let colorsOfA = colors(of: a), let colorsOfB = colors(of: b) else { return nil }
    return ShapeTable.shared.difference(
      a, b, colors: ((colorsOfA.ink.rawValue, colorsOfA.rest.rawValue), (colorsOfB.ink.rawValue, colorsOfB.rest.rawValue)),
      by: ColorDistance.squares)
  }

  /// Returns a cell near enough to `wanted` that uses more of the pen's colours, if there is one.
  @inline(__always)
  func cell(near wanted: Cell, pen: CellPainter.Pen) -> Cell {
    guard pen.attributes.rawValue == 0 else { return wanted }
    guard let (upper, lower) = Self.halves(of: wanted) else { return shape(near: wanted, pen: pen) }
    if upper == lower {
      guard let color = nearest(upper, pen.background, pen.foreground) else { return wanted }
      return Cell(upper: color, lower: color)
    }
    let newUpper = nearest(upper, pen.foreground, pen.background) ?? upper
    let newLower = nearest(lower, pen.background, pen.foreground) ?? lower
    return newUpper == upper && newLower == lower ? wanted : Cell(upper: newUpper, lower: newLower)
  }

  private func shape(near wanted: Cell, pen: CellPainter.Pen) -> Cell {
    guard let (ink, rest) = Self.colors(of: wanted), ShapeTable.shared.shape(of: wanted.glyph) != nil else { return wanted }
    let newInk = nearest(ink, pen.foreground, pen.background) ?? ink
    let newRest = nearest(rest, pen.background, pen.foreground) ?? rest
    if newInk == newRest { return Cell(upper: newInk, lower: newRest) }
    var cell = wanted
    (cell.foreground, cell.background) = (newInk, newRest)
    return cell
  }

  /// Returns the first of two 24-bit colours that a half may have instead of its own; each half may use half of the
  /// tolerance.
  /// allowed.
  @inline(__always)
  private func nearest(_ color: CellColor, _ first: CellColor, _ second: CellColor) -> CellColor? {
    func isNear(_ other: CellColor) -> Bool {
      other.rawValue >= CellColor.rgbKind && 2 &* ColorDistance.squares(color.rawValue, other.rawValue) <= squares
    }
    return isNear(first) ? first : isNear(second) ? second : nil
  }

  /// Returns the colours of a cell's ink and of the rest; nil unless it is an image of two 24-bit colours.
  private static func colors(of cell: Cell) -> (ink: CellColor, rest: CellColor)? {
    guard cell.style == Cell.imageBit, cell.background.rawValue >= CellColor.rgbKind else { return nil }
    if cell.glyph == 0x20 { return (cell.background, cell.background) }
    return cell.foreground.rawValue >= CellColor.rgbKind ? (cell.foreground, cell.background) : nil
  }

  /// Returns the colours of a cell's halves; nil unless it is an image of two 24-bit colours.
  @inline(__always)
  private static func halves(of cell: Cell) -> (upper: CellColor, lower: CellColor)? {
    guard cell.style == Cell.imageBit, cell.background.rawValue >= CellColor.rgbKind else { return nil }
    if cell.glyph == 0x20 { return (cell.background, cell.background) }
    guard cell.glyph == Cell.upperHalf, cell.foreground.rawValue >= CellColor.rgbKind else { return nil }
    return (cell.foreground, cell.background)
  }
}
