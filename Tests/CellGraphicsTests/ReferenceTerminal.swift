import CellGraphics
import TestSupport

/// A terminal written to find faults: slow, plain, and strict.
///
/// It knows only what an encoder may use and reports everything else. Where real terminals differ – the
/// cursor after the last column or after a glyph of uncertain width – it makes the cursor lost, and reports
/// whatever is printed or moved from there.
struct ReferenceTerminal {
  let columns: Int
  let rows: Int
  let profile: EncoderProfile
  private(set) var cells: [Cell]
  private(set) var faults: [String] = []
  private(set) var isSynchronizing = false
  private(set) var synchronizations = 0

  private var x = 0
  private var y = 0
  private var isLost = true
  private var wraps = true
  private var pen = Cell.blank
  private var last: UInt32?

  init(columns: Int, rows: Int, profile: EncoderProfile) {
    self.columns = columns
    self.rows = rows
    self.profile = profile
    // Anything may be on the screen at first.
    cells = Array(
      repeating: Cell("~", foreground: .indexed(3), background: .indexed(5), attributes: .underline),
      count: columns * rows)
    pen.attributes = [.reverse, .bold]
    pen.background = .indexed(1)
  }

  subscript(column: Int, row: Int) -> Cell { cells[row * columns + column] }

  mutating func feed(_ bytes: some Sequence<UInt8>) {
    let bytes = Array(bytes)
    var n = 0
    while n < bytes.count {
      let byte = bytes[n]
      switch byte {
      case 0x1B:
        guard n + 1 < bytes.count, bytes[n + 1] == UInt8(ascii: "[") else {
          faults.append("escape without bracket")
          return
        }
        var m = n + 2
        while m < bytes.count, !(0x40...0x7E).contains(bytes[m]) { m += 1 }
        guard m < bytes.count else {
          faults.append("sequence cut off")
          return
        }
        control(String(decoding: bytes[(n + 2)..<m], as: UTF8.self), Character(Unicode.Scalar(bytes[m])))
        n = m + 1
      case 0x0D:
        if isLost { faults.append("CR from an uncertain place") }
        x = 0
        n += 1
      case 0x0A:
        if isLost { faults.append("LF from an uncertain place") }
        if y == rows - 1 { faults.append("LF scrolls") } else { y += 1 }
        n += 1
      case 0x08:
        if isLost || x == 0 { faults.append("BS from an uncertain place") }
        x = max(0, x - 1)
        n += 1
      case 0..<0x20, 0x7F:
        faults.append("control \(byte)")
        n += 1
      default:
        let length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
        let end = min(bytes.count, n + length)
        let text = String(decoding: bytes[n..<end], as: UTF8.self)
        if text.unicodeScalars.count != 1 { faults.append("bad UTF-8") }
        if profile.glyphSet == .ascii, byte >= 0x80 { faults.append("not ASCII") }
        for scalar in text.unicodeScalars { print(scalar.value) }
        n = end
      }
    }
  }

  static func isWide(_ glyph: UInt32) -> Bool {
    (0x1100...0x115F).contains(glyph) || (0x3041...0x9FFF).contains(glyph)
      || (0xFF01...0xFF60).contains(glyph) || (0x1F300...0x1F64F).contains(glyph)
  }

  private mutating func print(_ glyph: UInt32) {
    if isLost { faults.append("glyph \(glyph) printed at an uncertain place") }
    if (0x80..<0xA0).contains(glyph) || (0x300..<0x370).contains(glyph) || glyph == 0x200B {
      faults.append("glyph \(glyph) has no width")
    }
    let width = ReferenceTerminal.isWide(glyph) ? 2 : 1
    guard x + width <= columns else {
      faults.append("wide glyph over the edge")
      return
    }
    var cell = pen
    cell.glyph = glyph
    put(cell, x)
    if width == 2 {
      cell.glyph = 0
      put(cell, x + 1, isRightHalf: true)
    }
    last = glyph
    x += width
    if x >= columns {
      if y == rows - 1, wraps { faults.append("the last corner may scroll") }
      x = columns - 1
      isLost = true
    }
    let plain =
      glyph < 0x300 || (0x2500..<0x25A0).contains(glyph) || (0x2800..<0x2900).contains(glyph) || (glyph > 0x2900 && ShapeParts.ink(of: glyph) != nil)
    if width == 2 || !plain { isLost = true }
  }

  /// Puts a cell, and blanks what is left of a wide glyph that loses a half.
  private mutating func put(_ cell: Cell, _ column: Int, isRightHalf: Bool = false) {
    let index = y * columns + column
    if !isRightHalf, cells[index].glyph == 0, column > 0 { cells[index - 1] = torn }
    if column + 1 < columns, cells[index + 1].glyph == 0 { cells[index + 1] = torn }
    cells[index] = cell
  }

  /// The cell of a torn half: terminals differ in what it becomes, so it is one that nobody wants.
  private var torn: Cell { Cell("?", foreground: .indexed(1), background: .indexed(2), attributes: .reverse) }

  private mutating func erase(_ from: Int, _ to: Int) {
    var blank = Cell.blank
    if profile.backColorErase || pen.background == .default {
      blank.background = pen.background
    } else {
      faults.append("erases with a colour")
    }
    if pen.attributes.contains(.reverse) || pen.attributes.contains(.underline) {
      faults.append("erases with attributes")
    }
    for column in from..<to {
      put(blank, column)
    }
  }

  private mutating func control(_ text: String, _ final: Character) {
    if text.hasPrefix("?") {
      switch text + String(final) {
      case "?2026h":
        if isSynchronizing { faults.append("nested synchronized update") }
        isSynchronizing = true
      case "?2026l":
        if !isSynchronizing { faults.append("synchronized update ends unbegun") }
        isSynchronizing = false
        synchronizations += 1
      case "?7l": wraps = false
      case "?7h": wraps = true
      default: faults.append("unknown mode \(text)\(final)")
      }
      return
    }
    let numbers = text.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    let first = max(1, numbers[0])
    if isLost, "CDABKXb".contains(final) { faults.append("\(final) from an uncertain place") }
    switch final {
    case "H":
      y = first - 1
      x = (numbers.count > 1 ? max(1, numbers[1]) : 1) - 1
      if y >= rows || x >= columns { faults.append("moves off the screen") }
      (x, y) = (min(x, columns - 1), min(y, rows - 1))
      isLost = false
    case "C": x += first
    case "D": x -= first
    case "A": y -= first
    case "B": y += first
    case "J":
      if numbers[0] != 2 || pen != .blank { faults.append("clears with a colour") }
      cells = Array(repeating: .blank, count: cells.count)
    case "K": erase(x, columns)
    case "X":
      if !profile.erasesCells { faults.append("ECH") }
      erase(x, min(columns, x + first))
    case "b":
      if !profile.repeatsGlyphs { faults.append("REP") }
      for _ in 0..<first { if let last { print(last) } }
    case "m": rendition(numbers)
    default: faults.append("unknown \(text)\(final)")
    }
    if x < 0 || y < 0 || x >= columns || y >= rows {
      faults.append("leaves the screen")
      (x, y) = (max(0, min(x, columns - 1)), max(0, min(y, rows - 1)))
    }
  }

  private mutating func rendition(_ numbers: [Int]) {
    var n = 0
    let depth = profile.colorDepth
    while n < numbers.count {
      let number = numbers[n]
      switch number {
      case 0: pen = .blank
      case 1: pen.attributes.insert(.bold)
      case 2 where depth != .mono: pen.attributes.insert(.dim)
      case 3 where depth != .mono: pen.attributes.insert(.italic)
      case 4: pen.attributes.insert(.underline)
      case 7: pen.attributes.insert(.reverse)
      case 22 where depth != .mono: pen.attributes.subtract([.bold, .dim])
      case 23 where depth != .mono: pen.attributes.remove(.italic)
      case 24 where depth != .mono: pen.attributes.remove(.underline)
      case 27 where depth != .mono: pen.attributes.remove(.reverse)
      case 30...37 where depth >= .ansi8: pen.foreground = .indexed(UInt8(number - 30))
      case 40...47 where depth >= .ansi8: pen.background = .indexed(UInt8(number - 40))
      case 39 where depth >= .ansi8: pen.foreground = .default
      case 49 where depth >= .ansi8: pen.background = .default
      case 90...97 where depth >= .ansi16: pen.foreground = .indexed(UInt8(number - 82))
      case 100...107 where depth >= .ansi16: pen.background = .indexed(UInt8(number - 92))
      case 38, 48:
        var color = CellColor.default
        if n + 2 < numbers.count, numbers[n + 1] == 5, depth >= .palette256 {
          color = .indexed(UInt8(numbers[n + 2]))
          n += 2
        } else if n + 4 < numbers.count, numbers[n + 1] == 2, depth == .trueColor {
          color = .rgb(UInt8(numbers[n + 2]), UInt8(numbers[n + 3]), UInt8(numbers[n + 4]))
          n += 4
        } else {
          faults.append("colour the depth does not have")
        }
        if number == 38 { pen.foreground = color } else { pen.background = color }
      default: faults.append("unknown rendition \(number)")
      }
      n += 1
    }
  }

  /// The first cell that looks other than in `grid`, in words; nil if all look the same.
  func firstDifference(from grid: CellGrid) -> String? {
    for row in 0..<rows {
      for column in 0..<columns where !looksSame(self[column, row], grid[column: column, row: row]) {
        return "(\(column), \(row)): shows \(self[column, row]), expected \(grid[column: column, row: row])"
      }
    }
    return nil
  }
}

/// Returns true if two cells look the same: by halves for spaces and blocks, else by the glyph and its colours.
func looksSame(_ a: Cell, _ b: Cell) -> Bool {
  if let x = visibleHalves(a), let y = visibleHalves(b) { return x == y }
  if a.looksLike(b) { return true }
  return ShapeParts.lookSame(a, b) ?? false
}

private func visibleHalves(_ cell: Cell) -> [CellColor]? {
  guard cell.attributes.isDisjoint(with: [.underline, .reverse]) else { return nil }
  if cell.glyph == 0x20 { return [cell.background, cell.background, .default] }
  guard cell.attributes.isEmpty, cell.foreground != .default || cell.glyph == 0x2588,
    cell.background != .default || cell.glyph == 0x2588
  else { return nil }
  switch cell.glyph {
  case 0x2580: return [cell.foreground, cell.background, .default]
  case 0x2584: return [cell.background, cell.foreground, .default]
  case 0x2588 where cell.foreground != .default: return [cell.foreground, cell.foreground, .default]
  default: return nil
  }
}

/// A fixed, fast source of random numbers, so that a failure repeats.
struct TestRandom: RandomNumberGenerator {
  private var generator: SeededGenerator

  init(_ seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func next() -> UInt64 { generator.next() }
}
