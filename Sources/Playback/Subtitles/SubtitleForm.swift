/// A form of subtitle text that libavformat reads only in part, or does not recognise in every file.
enum SubtitleForm {
  case webVTT
  case subRip
  /// SSA or ASS.
  case script
  /// Another, after more than one byte order mark.
  case marked

  /// Recognises the form of a text; nil if libavformat is to read it as it is.
  ///
  /// - Parameter bytes: the beginning of the text, in UTF-8.
  init?(_ bytes: [UInt8]) {
    if WebVTTText.begins(bytes) {
      self = .webVTT
    } else if SSAText.isUnusual(bytes) {
      self = .script
    } else if SubRipText.hasCues(bytes) {
      self = .subRip
    } else if bytes.count - TextLines.withoutMarks(bytes).count > 3 {
      self = .marked
    } else {
      return nil
    }
  }

  /// Returns a text of this form as libavformat reads it.
  func readable(_ bytes: [UInt8]) -> [UInt8] {
    switch self {
    case .webVTT: WebVTTText.cues(bytes)
    case .subRip: SubRipText.cues(bytes)
    case .script: SSAText.usual(bytes)
    case .marked: Array(TextLines.withoutMarks(bytes))
    }
  }
}
