import DecodePool
import Playback

/// The kind of cells that was chosen last, kept in a file.
struct CellStyleFile: Sendable {
  private let path: String?

  /// The size of the file in bytes beyond which it is not read.
  private static let maxBytes = 64

  /// - Parameter path: Path of the file; nil to keep nothing.
  init(path: String?) { self.path = path }

  /// The kind in the file; nil if there is none.
  var style: CellStyle? {
    guard let bytes = path.flatMap({ try? InputText.read($0, limit: Self.maxBytes) }) else { return nil }
    return CellStyle(rawValue: String(String(decoding: bytes, as: UTF8.self).prefix { !$0.isNewline }))
  }

  /// Writes a kind, on another thread. A failure to do so is not worth reporting.
  func keep(_ style: CellStyle) {
    guard path != nil else { return }
    try? detachThread { [self] in write(style) }
  }

  /// Writes a kind.
  func write(_ style: CellStyle) {
    guard let path else { return }
    withExtendedLifetime(FileLock(beside: path)) {
      try? OutputFile(path, isPrivate: true).write(Array("\(style.rawValue)\n".utf8))
    }
  }
}
