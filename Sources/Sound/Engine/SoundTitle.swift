import PlainText

/// The text by which servers list a stream.
enum SoundTitle {
  static let program = "Quadrille"
  private static let maxLength = 200

  /// Returns a title without anything invisible, shortened.
  static func plain(_ title: String) -> String {
    let visible = title.unicodeScalars.prefix(maxLength).map { $0.steersTerminals ? " " : $0 }
    return String(String.UnicodeScalarView(visible))
  }
}
