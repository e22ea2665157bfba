import Libav

/// One of several ways in which a Matroska file lists its chapters.
///
/// libavformat gives the chapters of all editions as one list; which edition plays what is not followed.
public struct Edition: Hashable, Sendable {
  /// Whether the file marks it as the one to use.
  public var isDefault = false
  /// Whether it says in which order the parts are played, which may be another than the file's.
  public var isOrdered = false
  /// Chapters of its own, without those inside others.
  public var chapterCount = 0

  /// The editions of a file; none where it is no Matroska file, or has no chapters. Reads only what leads to them, and may
  /// block for as long as a disk does.
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
