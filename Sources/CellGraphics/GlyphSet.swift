/// The glyphs that a terminal can show.
public enum GlyphSet: Hashable, CaseIterable, Sendable {
  /// All of Unicode, sent as UTF-8: blocks, line drawing, letters of every script.
  case unicode
  /// Printable ASCII only: the terminal shows neither UTF-8 nor block elements.
  case ascii
}

extension GlyphSet {
  /// Returns the printable ASCII glyph that looks most like `glyph`, or a question mark.
  static func asciiSubstitute(for glyph: UInt32) -> UInt32 {
    switch glyph {
    case 0x20...0x7E: glyph
    case 0xA0: scalar(" ")
    case 0xC0...0xFF: UInt32(latin1[Int(glyph - 0xC0)])
    case 0x2500...0x257F: lineDrawing(glyph)
    case 0x2581...0x2583, 0x258D...0x258F: scalar(".")
    case 0x2580, 0x2584, 0x2585, 0x258B, 0x258C, 0x2590: scalar("=")
    case 0x2586...0x258A: scalar("#")
    case 0x2591: scalar(".")
    case 0x2592: scalar(":")
    case 0x2593: scalar("%")
    case 0x2594...0x259F: scalar("#")
    default: symbols[glyph] ?? scalar("?")
    }
  }

  private static func scalar(_ scalar: Unicode.Scalar) -> UInt32 { scalar.value }

  private static func lineDrawing(_ glyph: UInt32) -> UInt32 {
    switch glyph {
    case 0x2500, 0x2501, 0x2504, 0x2505, 0x2508, 0x2509, 0x254C, 0x254D, 0x2574, 0x2576, 0x2578, 0x257A,
      0x257C, 0x257E:
      scalar("-")
    case 0x2502, 0x2503, 0x2506, 0x2507, 0x250A, 0x250B, 0x254E, 0x254F, 0x2551, 0x2575, 0x2577, 0x2579,
      0x257B, 0x257D, 0x257F:
      scalar("|")
    case 0x2550: scalar("=")
    case 0x2571: scalar("/")
    case 0x2572: scalar("\\")
    case 0x2573: scalar("X")
    default: scalar("+")
    }
  }

  /// À…ÿ without their accents.
  private static let latin1 = Array(
    "AAAAAAACEEEEIIIIDNOOOOOxOUUUUYTsaaaaaaaceeeeiiiidnooooo/ouuuuyty".utf8)

  private static let symbols: [UInt32: UInt32] = {
    let pairs: [(Unicode.Scalar, Unicode.Scalar)] = [
      ("…", "."), ("·", "."), ("•", "*"), ("●", "*"), ("○", "o"), ("◆", "+"), ("■", "#"), ("□", "o"),
      ("▶", ">"), ("►", ">"), ("▸", ">"), ("◀", "<"), ("◄", "<"), ("◂", "<"), ("▲", "^"), ("▼", "v"),
      ("→", ">"), ("←", "<"), ("↑", "^"), ("↓", "v"), ("⏸", "|"), ("⏵", ">"), ("⏹", "#"), ("⏴", "<"),
      ("–", "-"), ("—", "-"), ("‐", "-"), ("‑", "-"), ("−", "-"), ("“", "\""), ("”", "\""), ("„", "\""),
      ("‘", "'"), ("’", "'"), ("«", "<"), ("»", ">"), ("×", "x"), ("÷", "/"), ("°", "o"), ("µ", "u"),
      ("±", "+"), ("¦", "|"), ("¡", "!"), ("∞", "8"), ("≤", "<"), ("≥", ">"), ("π", "p"), ("⟳", "@"),
      ("↻", "@"), ("✓", "+"), ("✗", "x"), ("⎺", "-"), ("⎻", "-"), ("⎼", "-"), ("⎽", "_"), ("£", "L"),
    ]
    return Dictionary(pairs.map { ($0.0.value, $0.1.value) }) { first, _ in first }
  }()
}
