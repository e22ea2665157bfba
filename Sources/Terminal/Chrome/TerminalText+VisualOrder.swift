import CFriBidi
import CellGraphics

/// Text in visual order, as terminals need it: they place each glyph to the right of the previous one.
extension TerminalText {
  /// A glyph in visual order.
  public struct VisualGlyph: Hashable, Sendable {
    /// The glyph alone.
    public let text: TerminalText
    /// Index of the glyph in the text.
    public let source: Int
  }

  /// Direction of a line.
  public enum Direction: Hashable, Sendable {
    case leftToRight
    case rightToLeft
  }

  /// The direction of the first strong character; nil if no text runs right to left, so that it does not matter.
  public var direction: Direction? {
    guard glyphs.contains(where: { GlyphWidth.isRightToLeft($0.scalar.value) }) else { return nil }
    var types = [FriBidiCharType](repeating: FriBidiCharType(0), count: glyphs.count)
    fribidi_get_bidi_types(glyphs.map { FriBidiChar($0.scalar.value) }, FriBidiStrIndex(glyphs.count), &types)
    let found = fribidi_get_par_direction(types, FriBidiStrIndex(glyphs.count))
    return found == qd_bidi_right_to_left() ? .rightToLeft : .leftToRight
  }

  /// Its glyphs in visual order: right-to-left scripts reversed, others unchanged, brackets mirrored, Arabic letters
  /// joined.
  ///
  /// Source: the Unicode Bidirectional Algorithm, with the paragraph direction of the first strong character.
  public var visualGlyphs: [VisualGlyph] { visualGlyphs(running: nil) }

  /// The glyphs of a row of a longer line in visual order.
  ///
  /// - Parameter direction: Direction of the whole line; nil to use the row's first strong character.
  public func visualGlyphs(running direction: Direction?) -> [VisualGlyph] {
    guard let order = visualOrder(running: direction) else {
      return glyphs.enumerated().map { VisualGlyph(text: TerminalText(glyphs: [$1]), source: $0) }
    }
    return order.map { VisualGlyph(text: TerminalText(glyphs: [$0.glyph]), source: $0.source) }
  }

  /// The text in visual order.
  public var visual: TerminalText { visualOrder(running: nil).map { TerminalText(glyphs: $0.map(\.glyph)) } ?? self }

  /// The text in visual order within a line of the program's own text, which always runs left to right.
  ///
  /// Only runs of right-to-left words are reordered.
  public var visualInLine: TerminalText {
    var result: [Glyph] = [], rest = glyphs[...]
    while let start = rest.firstIndex(where: { GlyphWidth.isRightToLeft($0.scalar.value) }) {
      var end = start + 1
      for place in end..<rest.endIndex {
        let scalar = rest[place].scalar
        if GlyphWidth.isRightToLeft(scalar.value) { end = place + 1 } else if scalar.properties.isAlphabetic { break }
      }
      result += rest[..<start]
      result += TerminalText(glyphs: Array(rest[start..<end])).visual.glyphs
      rest = rest[end...]
    }
    return TerminalText(glyphs: result + rest)
  }

  /// nil if it reads as it is.
  private func visualOrder(running wanted: Direction?) -> [(glyph: Glyph, source: Int)]? {
    guard wanted == .rightToLeft || glyphs.contains(where: { GlyphWidth.isRightToLeft($0.scalar.value) }) else { return nil }
    // Non-joiners separate letters during joining.
    let pieces = glyphs.enumerated().flatMap { place, glyph -> [(value: UInt32, place: Int?)] in
      [(glyph.scalar.value, place)] + (glyph.endsJoining ? [(Self.nonJoiner.value, nil)] : [])
    }
    let count = pieces.count
    let length = FriBidiStrIndex(count)
    var text = pieces.map { FriBidiChar($0.value) }
    var types = [FriBidiCharType](repeating: FriBidiCharType(0), count: count)
    var brackets = [FriBidiBracketType](repeating: 0, count: count)
    var levels = [FriBidiLevel](repeating: 0, count: count)
    var joining = [FriBidiArabicProp](repeating: 0, count: count)
    var sources = (0..<length).map { $0 }
    var direction = wanted.map { $0 == .rightToLeft ? qd_bidi_right_to_left() : qd_bidi_left_to_right() } ?? qd_bidi_any_direction()
    fribidi_get_bidi_types(text, length, &types)
    fribidi_get_bracket_types(text, length, types, &brackets)
    guard fribidi_get_par_embedding_levels_ex(types, brackets, length, &direction, &levels) != 0 else { return nil }
    fribidi_get_joining_types(text, length, &joining)
    fribidi_join_arabic(types, length, levels, &joining)
    fribidi_shape(qd_bidi_flags(), levels, length, &joining, &text)
    guard fribidi_reorder_line(qd_bidi_flags(), types, length, 0, direction, &levels, &text, &sources) != 0 else {
      return nil
    }
    return zip(text, sources).compactMap { value, source in
      guard value != qd_bidi_fill(), pieces.indices.contains(Int(source)), let place = pieces[Int(source)].place,
        let scalar = Unicode.Scalar(value)
      else { return nil }
      // Joined and mirrored forms have the width of the originals.
      var glyph = glyphs[place]
      glyph.scalar = scalar
      glyph.endsJoining = false
      return (glyph, place)
    }
  }
}
