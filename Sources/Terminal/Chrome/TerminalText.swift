import CNcurses
import CellGraphics

/// Text that is safe to show on a terminal: it contains no control sequences.
///
/// Every initialiser sanitises its input, since interpolated or converted text may come
/// from a file, a name or a user. Everything drawn or printed for the user is a `TerminalText`, so untrusted text is never shown
/// unescaped.
///
/// Control characters appear as their symbols (␛ for ESC), tabs and line ends as spaces. Bidirectional controls,
/// zero-width and other invisible characters are removed, as are combining marks without a base and those that a cell
/// has no room for. Unassigned and private characters appear as U+FFFD. Sanitising is idempotent.
public struct TerminalText: Hashable, Sendable {
  /// A glyph and its width: one or two columns.
  struct Glyph: Hashable, Sendable {
    var scalar: Unicode.Scalar
    var columns: Int
    /// Combining marks; at most two, the capacity of `GlyphCluster`.
    var marks: [Unicode.Scalar] = []
    /// True if a zero-width non-joiner follows, which prevents joining with the next letter.
    var endsJoining = false
  }

  private(set) var glyphs: [Glyph] = []

  /// Maximum number of glyphs kept from untrusted text.
  public static let longest = 1000

  public init() {}

  init(glyphs: [Glyph]) { self.glyphs = glyphs }

  /// Sanitises untrusted text; keeps `longest` glyphs, the last of them `…` if there were more.
  ///
  /// Takes time for the kept glyphs only, however long the text is.
  public init(_ untrusted: some StringProtocol) {
    // One character may have any number of scalars, and any number of characters may be invisible.
    let scalars = untrusted.unicodeScalars
    let end = scalars.index(scalars.startIndex, offsetBy: 8 * Self.longest, limitedBy: scalars.endIndex)
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[..<(end ?? scalars.endIndex)])
    glyphs = Self.glyphs(of: String(text))
    let isCut = end.map { $0 < scalars.endIndex } ?? false
    if isCut || glyphs.count > Self.longest {
      glyphs = glyphs.prefix(Self.longest - 1) + [Self.ellipsis]
    }
  }

  /// Its width in columns.
  public var columns: Int { glyphs.reduce(0) { $0 + $1.columns } }

  public var isEmpty: Bool { glyphs.isEmpty }

  /// True if nothing of it is visible.
  public var isBlank: Bool { glyphs.allSatisfy { $0.scalar == " " || $0.scalar == "\u{3000}" } }

  /// Its parts between spaces.
  public var words: [TerminalText] { glyphs.split { $0.scalar == " " }.map { TerminalText(glyphs: Array($0)) } }

  /// Its parts between occurrences of `divider`, which must not be empty.
  public func split(by divider: TerminalText) -> [TerminalText] {
    glyphs.split(separator: divider.glyphs, omittingEmptySubsequences: false).map { TerminalText(glyphs: Array($0)) }
  }

  /// The text truncated to at most `columns`, ending with `…` if anything was cut.
  public func truncated(to columns: Int) -> TerminalText {
    var used = 0
    let cut = glyphs.firstIndex { glyph in
      used += glyph.columns
      return used > columns
    }
    guard let cut else { return self }
    guard columns > 0 else { return TerminalText() }
    var kept = Array(glyphs[..<cut])
    var width = kept.reduce(0) { $0 + $1.columns }
    while width > columns - 1, let last = kept.popLast() { width -= last.columns }
    return TerminalText(glyphs: kept + [Self.ellipsis])
  }

  /// As much of its end as fits into `columns`.
  public func suffix(columns: Int) -> TerminalText {
    var used = 0
    let kept = glyphs.reversed().prefix { glyph in
      used += glyph.columns
      return used <= columns
    }
    return TerminalText(glyphs: kept.reversed())
  }

  /// Splits it into pieces of at most `columns`, each of at least one glyph.
  public func pieces(columns: Int) -> [TerminalText] {
    var pieces: [TerminalText] = []
    var piece: [Glyph] = []
    var used = 0
    for glyph in glyphs {
      if !piece.isEmpty, used + glyph.columns > columns {
        pieces.append(TerminalText(glyphs: piece))
        (piece, used) = ([], 0)
      }
      piece.append(glyph)
      used += glyph.columns
    }
    return piece.isEmpty ? pieces : pieces + [TerminalText(glyphs: piece)]
  }

  public static func + (left: TerminalText, right: TerminalText) -> TerminalText {
    TerminalText(glyphs: left.glyphs + right.glyphs)
  }

  public static func += (left: inout TerminalText, right: TerminalText) { left.glyphs += right.glyphs }

  private static let ellipsis = Glyph(scalar: "…", columns: 1)

  // MARK: Sanitising characters

  private static func glyphs(of text: String) -> [Glyph] {
    var result: [Glyph] = []
    result.reserveCapacity(text.utf8.count)
    if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) {
      for byte in text.utf8 { result.append(Glyph(scalar: Unicode.Scalar(byte), columns: 1)) }
      return result
    }
    let appendAll = {
      for character in text {
        // A two-character line end is one `Character` in Swift.
        if character == "\r\n" {
          result.append(Glyph(scalar: " ", columns: 1))
        } else {
          append(character, to: &result)
        }
      }
    }
    if let locale = UTF8Locale.shared { locale.with(appendAll) } else { appendAll() }
    return result
  }

  /// The sanitised glyph for a scalar value; blank for invisible ones.
  static func glyph(of value: UInt32) -> Glyph {
    let blank = Glyph(scalar: " ", columns: 1)
    guard let scalar = Unicode.Scalar(value) else { return blank }
    // ASCII, lines and blocks: the contents of ready-made cells.
    if (0x20...0x7E).contains(value) || (0x2500...0x259F).contains(value) {
      return Glyph(scalar: scalar, columns: 1)
    }
    return glyphs(of: String(scalar)).first ?? blank
  }

  /// Appends the glyphs of a grapheme cluster, none if it is invisible.
  private static func append(_ character: Character, to result: inout [Glyph]) {
    let scalars = character.unicodeScalars
    guard let first = scalars.firstIndex(where: { !isInvisible($0) }) else {
      if scalars.contains(nonJoiner), !result.isEmpty { result[result.count - 1].endsJoining = true }
      return
    }
    defer { if scalars.last == nonJoiner { result[result.count - 1].endsJoining = true } }
    if scalars.count == 1 { return result.append(glyph(of: scalars[first])) }
    if let whole = composed[character] ?? composedHangul(scalars) { return result.append(glyph(of: whole)) }
    // A flag consists of a country's two letters, which terminals render differently.
    if scalars.allSatisfy({ (0x1F1E6...0x1F1FF).contains($0.value) }) {
      return result += scalars.map { Self.glyph(of: $0.value - 0x1F1E6 + 0x41) }
    }
    var glyph = glyph(of: scalars[first])
    for scalar in scalars[scalars.index(after: first)...] {
      switch scalar.properties.generalCategory {
      case .nonspacingMark where glyph.marks.count < 2:
        if glyph.marks.isEmpty, let whole = composed[Character(String(glyph.scalar) + String(scalar))] {
          glyph.scalar = whole
          continue
        }
        // The result shows whether a cell can hold it.
        let marks = glyph.marks + [scalar]
        if GlyphCluster.scalars(of: GlyphCluster.code(glyph.scalar, marks)).count == marks.count + 1 { glyph.marks = marks }
      case .spacingMark where isSeen(scalar), .otherLetter where isSeen(scalar):
        // Vowels of Indic scripts take a cell of their own, and joined letters one each.
        result.append(glyph)
        glyph = Self.glyph(of: scalar)
      default: break
      }
    }
    result.append(glyph)
  }

  static let nonJoiner: Unicode.Scalar = "\u{200C}"

  private static func isSeen(_ scalar: Unicode.Scalar) -> Bool { qd_column_width(scalar.value) > 0 }

  private static func glyph(of scalar: Unicode.Scalar) -> Glyph {
    switch scalar.properties.generalCategory {
    case .control:
      return Glyph(scalar: symbol(forControl: scalar), columns: 1)
    case .lineSeparator, .paragraphSeparator, .spaceSeparator:
      return scalar.value == 0x3000 ? Glyph(scalar: scalar, columns: 2) : Glyph(scalar: " ", columns: 1)
    case .unassigned, .privateUse, .surrogate:
      return Glyph(scalar: "\u{FFFD}", columns: 1)
    default:
      let columns = Int(qd_column_width(scalar.value))
      return columns == 1 || columns == 2
        ? Glyph(scalar: scalar, columns: columns) : Glyph(scalar: "\u{FFFD}", columns: 1)
    }
  }

  private static func symbol(forControl scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0x09...0x0D, 0x85: " "
    case 0x00...0x1F: Unicode.Scalar(0x2400 + scalar.value) ?? " "
    case 0x7F: "␡"
    default: "\u{FFFD}"
    }
  }

  /// True if a scalar is invisible by itself: marks, joiners, bidirectional and other format
  /// controls.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return false }
    let properties = scalar.properties
    switch properties.generalCategory {
    case .format, .nonspacingMark, .enclosingMark: return true
    case .control: return false
    default:
      // Hangul fillers, variation selectors etc. are invisible letters or marks. Most of the
      // range is unassigned and of the same kind. U+2800, the empty braille pattern, is a glyph.
      return properties.isDefaultIgnorableCodePoint
    }
  }

  /// Letters with a precomposed scalar, by character; canonically equivalent forms are equal.
  ///
  /// File names from some systems are decomposed, and a cell holds one scalar.
  private static let composed: [Character: Unicode.Scalar] = {
    let ranges: [ClosedRange<UInt32>] = [
      0xC0...0x24F, 0x370...0x52F, 0x622...0x6D3, 0x1E00...0x1FFF, 0x3040...0x30FF,
    ]
    var table: [Character: Unicode.Scalar] = [:]
    for value in ranges.joined() {
      guard let scalar = Unicode.Scalar(value), !isInvisible(scalar) else { continue }
      let key = Character(scalar)
      if table[key] == nil { table[key] = scalar }
    }
    return table
  }()

  /// Composes Hangul jamo algorithmically (The Unicode Standard, 3.12).
  private static func composedHangul(_ scalars: Character.UnicodeScalarView) -> Unicode.Scalar? {
    let values = scalars.map(\.value)
    guard (2...3).contains(values.count), (0x1100...0x1112).contains(values[0]),
      (0x1161...0x1175).contains(values[1])
    else { return nil }
    var syllable = 0xAC00 + ((values[0] - 0x1100) * 21 + values[1] - 0x1161) * 28
    if values.count == 3 {
      guard (0x11A8...0x11C2).contains(values[2]) else { return nil }
      syllable += values[2] - 0x11A7
    }
    return Unicode.Scalar(syllable)
  }
}
