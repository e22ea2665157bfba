import Libav

/// One of several chapter lists in a Matroska file.
///
/// libavformat merges the chapters of all editions into one list; playback does not follow a particular edition.
public struct Edition: Hashable, Sendable {
  /// True if the file marks it as the default.
  public var isDefault = false
  /// True if it specifies the playback order of its parts, which may differ from the file's.
  public var isOrdered = false
  /// The number of its chapters, without nested ones.
  public var chapterCount = 0

  /// Returns the editions of a file; empty if it is not a Matroska file or has no chapters. Reads only the necessary parts;
  /// may block on disk access.
  public static func editions(ofFile path: String) -> [Edition] {
    guard let chapters = MatroskaFile(path)?.part(0x1043_A770) else { return [] }
    return EBMLElement.elements(in: chapters).filter { $0.id == 0x45B9 }.map { entry in
      var edition = Edition()
      for element in EBMLElement.elements(in: chapters[entry.body]) {
        switch element.id {
        case 0x45DB: edition.isDefault = chapters[element.body].last == 1
        case 0x45DD: edition.isOrdered = chapters[element.body].last == 1
        case 0xB6: edition.chapterCount += 1
        default: break
        }
      }
      return edition
    }
  }
}
