/// The terminal capabilities that an encoder may use.
///
/// It also uses CUP, CUF, CUB, CUU, CUD, CR, LF, BS, EL, ED, SGR and DECAWM, which every VT100 has.
public struct EncoderProfile: Hashable, Sendable {
  public var colorDepth: ColorDepth
  public var glyphSet: GlyphSet
  /// Each update is wrapped in `CSI ? 2026 h` … `CSI ? 2026 l`, so that the terminal shows it at once.
  public var synchronizedUpdates: Bool
  /// `CSI n b` (REP) repeats the last glyph, including multi-byte ones.
  public var repeatsGlyphs: Bool
  /// `CSI n X` (ECH) erases cells without moving the cursor.
  public var erasesCells: Bool
  /// Erased cells take the current background (terminfo's `bce`), not the default one.
  public var backColorErase: Bool
  /// Palette entries 16–255 are xterm's, so their short codes may replace 24-bit colours. Some terminals have other
  /// entries, and users may change them.
  public var hasStandardPalette: Bool
  /// Right-to-left letters are followed by U+200E, so that a terminal with its own bidi support does not reorder them.
  public var marksDirection: Bool

  public init(
    colorDepth: ColorDepth, glyphSet: GlyphSet = .unicode, synchronizedUpdates: Bool = false,
    repeatsGlyphs: Bool = false, erasesCells: Bool = false, backColorErase: Bool = false,
    hasStandardPalette: Bool = false, marksDirection: Bool = false
  ) {
    self.colorDepth = colorDepth
    self.glyphSet = glyphSet
    self.synchronizedUpdates = synchronizedUpdates
    self.repeatsGlyphs = repeatsGlyphs
    self.erasesCells = erasesCells
    self.backColorErase = backColorErase
    self.hasStandardPalette = hasStandardPalette
    self.marksDirection = marksDirection
  }
}
