/// What an encoder may rely on in the terminal it writes for.
///
/// Beyond these it uses CUP, CUF, CUB, CUU, CUD, CR, LF, BS, EL, ED, SGR and DECAWM, which a VT100 has.
public struct EncoderProfile: Hashable, Sendable {
  public var colorDepth: ColorDepth
  public var glyphSet: GlyphSet
  /// Wrap every update in `CSI ? 2026 h` … `CSI ? 2026 l`, so that the terminal shows it at once.
  public var synchronizedUpdates: Bool
  /// `CSI n b` (REP) repeats the last glyph, also one of several bytes.
  public var repeatsGlyphs: Bool
  /// `CSI n X` (ECH) erases cells without moving the cursor.
  public var erasesCells: Bool
  /// Erased cells take the current background (terminfo's `bce`), not the default one.
  public var backColorErase: Bool
  /// Entries 16–255 of the palette are xterm's, so that their short codes may stand for colours of 24 bits. Some terminals
  /// have others, and people may change them.
  public var hasStandardPalette: Bool
  /// A letter of a right-to-left script is followed by U+200E, so that a terminal that orders text by itself leaves it where it is.
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
