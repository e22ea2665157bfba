import Glibc
import Libav

/// Tests for subtitle files that do not open them.
public enum SubtitleFile {
  /// Returns true if the name has the extension of a subtitle file: "clip.en.srt".
  public static func isNamed(_ path: String) -> Bool { SubtitleFileName.endings.contains(FileName.ending(of: path)) }

  /// Returns true if the text encoding is supported: "ISO-8859-2".
  public static func isEncoding(_ name: String) -> Bool {
    guard !name.isEmpty, name.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), let converter = iconv_open("UTF-8", name),
      converter != UnsafeMutableRawPointer(bitPattern: -1)
    else { return false }
    iconv_close(converter)
    return true
  }
}
