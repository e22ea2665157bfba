import DecodePool
import Playback
import Synchronization

/// The way of showing frames that was chosen last, kept in a file.
final class CellStyleFile: Sendable {
  enum Choice: Equatable, Sendable {
    case cells(CellStyle)
    /// Pixels, by whatever protocol the terminal has.
    case pixels

    fileprivate init?(_ name: String) {
      guard name != Self.pixelsName else {
        self = .pixels
        return
      }
      guard let style = CellStyle(rawValue: name) else { return nil }
      self = .cells(style)
    }

    fileprivate var name: String {
      switch self {
      case .cells(let style): style.rawValue
      case .pixels: Self.pixelsName
      }
    }

    private static let pixelsName = "pixels"
  }

  private let path: String?
  /// The number of choices so far.
  private let choices = Mutex(0)

  /// The size of the file in bytes beyond which it is not read.
  private static let maxBytes = 64

  /// - Parameter path: Path of the file; nil to keep nothing.
  init(path: String?) { self.path = path }

  /// The choice in the file; nil if there is none.
  var choice: Choice? {
    guard let bytes = path.flatMap({ try? InputText.read($0, limit: Self.maxBytes) }) else { return nil }
    return Choice(String(String(decoding: bytes, as: UTF8.self).prefix { !$0.isNewline }))
  }

  /// Writes a choice, on another thread. A failure to do so is not worth reporting.
  func keep(_ choice: Choice) {
    guard path != nil else { return }
    let number = choices.withLock { count in
      count += 1
      return count
    }
    // Threads may run in any order.
    try? detachThread { [self] in write(choice) { choices.withLock { $0 } == number } }
  }

  /// Writes a choice.
  ///
  /// - Parameter isNewest: Returns false if another one has been made meanwhile.
  func write(_ choice: Choice, if isNewest: () -> Bool = { true }) {
    guard let path else { return }
    withExtendedLifetime(FileLock(beside: path)) {
      guard isNewest() else { return }
      try? OutputFile(path, isPrivate: true).write(Array("\(choice.name)\n".utf8))
    }
  }
}
