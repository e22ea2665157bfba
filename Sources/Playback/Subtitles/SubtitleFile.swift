import Glibc
import Libav

/// What can be told of files of subtitles without opening them.
public enum SubtitleFile {
  /// Whether a file's name is one of a file of subtitles: "clip.en.srt".
  public static func isNamed(_ path: String) -> Bool { SubtitleFileName.endings.contains(FileName.ending(of: path)) }

  /// Whether a name is one of an encoding of text that can be read: "ISO-8859-2".
  public static func isEncoding(_ name: String) -> Bool {
    guard !name.isEmpty, name.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), let converter = iconv_open("UTF-8", name),
      converter != UnsafeMutableRawPointer(bitPattern: -1)
    else { return false }
    iconv_close(converter)
    return true
  }
}
