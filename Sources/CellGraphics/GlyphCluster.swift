/// Encodes a letter with combining marks in the single number that a cell has for its glyph.
///
/// Numbers up to U+10FFFF are scalars. Other numbers have bit 31 set. With bit 30 clear, bits 14–29 are the letter, and
/// bits 7–13 and 0–6 are one or two marks of its script, as offsets in the script's block of 128. With bit 30 set, bits
/// 14–29 are the letter and bits 0–6 one mark common to all scripts (U+0300–U+036F). Anything else is dropped: a third
/// mark, and marks of letters beyond the first 65,536.
///
/// Source: the blocks of Unicode 15, in which each script with its own marks has a block of 128 that includes its letters.
public enum GlyphCluster {
  private static let flag: UInt32 = 1 << 31
  private static let general: UInt32 = 1 << 30
  private static let generalMarks: ClosedRange<UInt32> = 0x300...0x36F

  /// Returns the number of a letter with marks; of the letter alone if no mark fits.
  public static func code(_ base: Unicode.Scalar, _ marks: [Unicode.Scalar]) -> UInt32 {
    guard let first = marks.first, base.value <= 0xFFFF, base.value > 0x20 else { return base.value }
    let head = flag | base.value << 14
    if generalMarks.contains(first.value) { return head | general | (first.value - 0x300) }
    guard let place = place(of: first, with: base) else { return base.value }
    let second = marks.dropFirst().first.flatMap { Self.place(of: $0, with: base) } ?? 0
    return head | place << 7 | second
  }

  /// Returns the letter of a glyph's number.
  static func base(_ code: UInt32) -> UInt32 { isCluster(code) ? code >> 14 & 0xFFFF : code }

  /// Returns the scalars that a glyph number stands for; empty for an unused number.
  public static func scalars(of code: UInt32) -> [Unicode.Scalar] {
    guard isCluster(code) else { return Unicode.Scalar(code).map { [$0] } ?? [] }
    let letter = base(code)
    var marks: [UInt32]
    if code & general != 0 {
      marks = [0x300 + code & 0x7F]
    } else {
      let block = block(of: letter)
      marks = [code >> 7 & 0x7F, code & 0x7F].filter { $0 > 0 }.map { block + $0 }
    }
    marks.insert(letter, at: 0)
    return marks.compactMap(Unicode.Scalar.init)
  }

  /// `Cell.unknown` is not a cluster.
  static func isCluster(_ code: UInt32) -> Bool { code & flag != 0 && code != .max }

  private static func place(of mark: Unicode.Scalar, with base: Unicode.Scalar) -> UInt32? {
    let block = block(of: base.value)
    return mark.value > block && mark.value < block + 128 ? mark.value - block : nil
  }

  /// Returns the block of a letter's marks; Arabic marks are with its first letters.
  private static func block(of base: UInt32) -> UInt32 {
    let isArabic = (0x600...0x6FF).contains(base) || (0x750...0x77F).contains(base) || (0xFB50...0xFDFF).contains(base)
      || (0xFE70...0xFEFE).contains(base)
    let isHebrew = (0x580...0x5FF).contains(base) || (0xFB1D...0xFB4F).contains(base)
    return isArabic ? 0x600 : isHebrew ? 0x580 : base & ~0x7F
  }
}
