import Playback

/// Prompt history, oldest line first, and its file format: pure.
///
/// A file has one line per entry: the prompt's name, a space, and the typed bytes, with `\n` and `\\` for line end and
/// backslash. Names that are not UTF-8 are preserved.
struct PromptHistory: Equatable, Sendable {
  struct Line: Sendable {
    var purpose: Prompt.Purpose
    var text: String
  }

  /// Maximum lines per purpose.
  static let capacity = 200

  private var lines: [Line] = []

  init() {}

  func texts(for purpose: Prompt.Purpose) -> [String] { lines.filter { $0.purpose == purpose }.map(\.text) }

  /// Adds a line, unless it equals the last one; drops the oldest if there are too many.
  mutating func add(_ line: Line) {
    let texts = texts(for: line.purpose)
    guard !line.text.isEmpty, texts.last.map({ !$0.utf8.elementsEqual(line.text.utf8) }) ?? true else { return }
    lines.append(line)
    if texts.count >= Self.capacity, let oldest = lines.firstIndex(where: { $0.purpose == line.purpose }) {
      lines.remove(at: oldest)
    }
  }

  // MARK: File format

  /// Parses the output of `bytes`; ignores other lines.
  init(bytes: [UInt8]) {
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      guard let space = line.firstIndex(of: UInt8(ascii: " ")),
        let purpose = Prompt.Purpose(rawValue: String(decoding: line[..<space], as: UTF8.self))
      else { continue }
      let typed = Self.unescaped(line[line.index(after: space)...])
      add(Line(purpose: purpose, text: Asset.path(ofBytes: typed.prefix(LineEditor.capacity))))
    }
  }

  var bytes: [UInt8] {
    lines.flatMap { line -> [UInt8] in
      Array(line.purpose.rawValue.utf8) + [UInt8(ascii: " ")] + Self.escaped(Asset.bytes(ofPath: line.text))
        + [UInt8(ascii: "\n")]
    }
  }

  private static let backslash = UInt8(ascii: "\\")

  private static func escaped(_ bytes: [UInt8]) -> [UInt8] {
    bytes.flatMap { byte -> [UInt8] in
      switch byte {
      case UInt8(ascii: "\n"): [backslash, UInt8(ascii: "n")]
      case backslash: [backslash, backslash]
      default: [byte]
      }
    }
  }

  private static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var isEscaped = false
    for byte in bytes {
      if isEscaped {
        result.append(byte == UInt8(ascii: "n") ? UInt8(ascii: "\n") : byte)
        isEscaped = false
      } else if byte == backslash {
        isEscaped = true
      } else {
        result.append(byte)
      }
    }
    return result
  }

  static func == (a: PromptHistory, b: PromptHistory) -> Bool { a.bytes == b.bytes }
}
