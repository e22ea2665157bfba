import CellGraphics

/// An encoder with a strict terminal behind it, which checks every update.
struct CheckedEncoder {
  var encoder: DifferenceEncoder
  private var terminal: ReferenceTerminal

  init(columns: Int, rows: Int, profile: EncoderProfile) {
    encoder = DifferenceEncoder(columns: columns, rows: rows, profile: profile)
    terminal = ReferenceTerminal(columns: columns, rows: rows, profile: profile)
  }

  /// Replaces the terminal by one of another size, or with unknown contents.
  mutating func loseTerminal(columns: Int, rows: Int) {
    terminal = ReferenceTerminal(columns: columns, rows: rows, profile: encoder.profile)
  }

  /// Sends an update and returns what is wrong; nil if nothing is. The terminal must show `shown`, the budget must hold, and
  /// what is reported as exact must be.
  mutating func update(_ target: CellGrid, budget: Int?) -> String? {
    var bytes: [UInt8] = [1, 2, 3]
    let result = encoder.encode(target, imageBudget: budget, into: &bytes)
    terminal.feed(bytes.dropFirst(3))
    if Array(bytes.prefix(3)) != [1, 2, 3] { return "what was there before is not there any more" }
    if result.bytes != bytes.count - 3 { return "\(result.bytes) bytes, in truth \(bytes.count - 3)" }
    if let budget, result.imageBytes > budget { return "\(result.imageBytes) bytes, and \(budget) were allowed" }
    if !terminal.faults.isEmpty { return "\(terminal.faults.prefix(3))" }
    if terminal.isSynchronizing { return "the synchronized update does not end" }
    if let problem = terminal.firstDifference(from: encoder.shown) ?? disagreement(target, result) { return problem }
    if result.isExact {
      var more: [UInt8] = []
      if encoder.encode(target, imageBudget: nil, into: &more).bytes != 0 || !more.isEmpty { return "exact, and sent again" }
    }
    return nil
  }

  /// Returns what is wrong with the result, judged from the target without the encoder's own marks.
  private func disagreement(_ target: CellGrid, _ result: EncodeResult) -> String? {
    let shown = encoder.shown
    var left = 0
    var near = 0
    for row in 0..<target.rows {
      var column = 0
      while column < target.columns {
        let cell = target[column: column, row: row]
        var wanted = encoder.expressed(cell)
        let next = column + 1 < target.columns ? target[column: column + 1, row: row].glyph : 1
        let isWide = ReferenceTerminal.isWide(wanted.glyph)
        if cell.glyph == 0 || isWide && next != 0 {
          wanted.glyph = 0x20
          wanted = encoder.expressed(wanted)
        }
        if !shown[column: column, row: row].looksLike(wanted) {
          if !cell.isImage { return "chrome at (\(column), \(row)) is not \(wanted)" }
          let isExact = encoder.regions.contains { $0.isExact && $0.cells.contains(x: column, y: row) }
          if !isExact, isNear(shown[column: column, row: row], wanted) { near += 1 } else { left += 1 }
        }
        column += isWide && next == 0 ? 2 : 1
      }
    }
    if result.isExact != (left + near == 0) { return "isExact is \(result.isExact), but \(left + near) cells differ" }
    if near != result.cellsNear { return "\(result.cellsNear) cells near, in truth \(near)" }
    return left == result.cellsLeft ? nil : "\(result.cellsLeft) cells left, in truth \(left)"
  }

  /// Returns true if a cell approximates the wanted one with at least 46 dB, and may do so.
  private func isNear(_ shown: Cell, _ wanted: Cell) -> Bool {
    func isDirect(_ color: CellColor) -> Bool { if case .rgb = color.kind { true } else { false } }
    func mayBeNear(_ cell: Cell) -> Bool {
      guard cell.isImage, cell.attributes == [], isDirect(cell.background) else { return false }
      let isCanonical = ShapeParts.ink(of: cell.glyph) != nil && ![0x2584, 0x2588].contains(cell.glyph)
      return cell.glyph == 0x20 || (isCanonical && isDirect(cell.foreground))
    }
    guard encoder.quality == .high, encoder.profile.colorDepth == .trueColor, encoder.profile.glyphSet == .unicode,
      mayBeNear(shown), mayBeNear(wanted)
    else { return false }
    return Double(squaredError(shown, wanted)) <= 6 * 65_025 / 39_811
  }
}
