import CUtf8proc
import Glibc

extension SubtitleTimeline {
  /// Returns the cues that contain a text, in order; none if it is blank.
  ///
  /// Ignores case, accents, character width, and differences in spaces and line breaks. Searches all cues, which takes some
  /// milliseconds for thousands of cues.
  public func cues(saying text: String) -> [SubtitleCue] {
    let wanted = Self.folded(text)
    return wanted.isEmpty ? [] : cues.filter { Self.folded($0.text).contains(wanted) }
  }

  private static func folded(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in decomposed(text.split(whereSeparator: \.isWhitespace).joined(separator: " ")).unicodeScalars {
      // Marks of a lower class form another letter: the vowels of Indic scripts, the voicing of kana.
      if scalar.properties.canonicalCombiningClass.rawValue < 10 { result.append(scalar) }
    }
    return String(result)
  }

  /// Returns single letters and marks, without case, ligatures and compatibility forms.
  private static func decomposed(_ text: String) -> String {
    var result: UnsafeMutablePointer<UInt8>?
    let options = UTF8PROC_DECOMPOSE.rawValue | UTF8PROC_COMPAT.rawValue | UTF8PROC_CASEFOLD.rawValue | UTF8PROC_IGNORE.rawValue
    var text = text
    let count = text.withUTF8 { utf8proc_map($0.baseAddress, $0.count, &result, utf8proc_option_t(options)) }
    guard let result, count >= 0 else { return text }
    defer { free(result) }
    return String(decoding: UnsafeBufferPointer(start: result, count: count), as: UTF8.self)
  }
}
