/// An editable line of text with a cursor between characters: a value without a terminal.
///
/// Characters are grapheme clusters. Texts are compared by bytes, as file names are.
struct LineEditor: Sendable {
  /// Maximum length in bytes of UTF-8.
  static let capacity = 4096

  private(set) var text = ""
  /// Bytes of `text` before the cursor; always at a character boundary.
  private var offset = 0
  /// The last killed text, for `yank()`.
  private(set) var killed = ""

  init(_ text: String = "") { replace(with: text) }

  private var cursor: String.Index { text.utf8.index(text.startIndex, offsetBy: offset) }

  var beforeCursor: Substring { text[..<cursor] }
  var afterCursor: Substring { text[cursor...] }
  var isAtEnd: Bool { offset == text.utf8.count }

  // MARK: Moving

  mutating func moveToBeginning() { offset = 0 }
  mutating func moveToEnd() { offset = text.utf8.count }
  mutating func moveBack() { offset -= beforeCursor.last.map { $0.utf8.count } ?? 0 }
  mutating func moveForward() { offset += afterCursor.first.map { $0.utf8.count } ?? 0 }
  mutating func moveWordBack() { offset -= wordBefore.utf8.count }
  mutating func moveWordForward() { offset += wordAfter.utf8.count }

  /// The word before the cursor, with what lies between.
  private var wordBefore: Substring { Self.last(of: beforeCursor) { $0.isLetter || $0.isNumber } }

  /// The word after the cursor, with what lies between.
  private var wordAfter: Substring {
    let rest = afterCursor.drop { !($0.isLetter || $0.isNumber) }.drop { $0.isLetter || $0.isNumber }
    return afterCursor[..<rest.startIndex]
  }

  /// The last run of word characters, with everything after it.
  private static func last(of text: Substring, where isInWord: (Character) -> Bool) -> Substring {
    var rest = text
    while let last = rest.last, !isInWord(last) { rest.removeLast() }
    while let last = rest.last, isInWord(last) { rest.removeLast() }
    return text[rest.endIndex...]
  }

  // MARK: Changing

  /// Inserts text before the cursor, as much as fits.
  mutating func insert(_ new: String) {
    var room = Self.capacity - text.utf8.count
    var part = String.UnicodeScalarView()
    for scalar in new.unicodeScalars {
      room -= UTF8.width(scalar)
      guard room >= 0 else { break }
      part.append(scalar)
    }
    setText(beforeCursor + String(part), afterCursor)
  }

  /// Replaces the line, with the cursor at its end.
  mutating func replace(with new: String) {
    (text, offset) = ("", 0)
    insert(new)
  }

  /// Replaces the text before the cursor, if there is room.
  mutating func replaceBeforeCursor(with new: String) {
    guard new.utf8.count + afterCursor.utf8.count <= Self.capacity else { return }
    setText(new[...], afterCursor)
  }

  mutating func deleteBackward() { setText(beforeCursor.dropLast(), afterCursor) }
  mutating func deleteForward() { setText(beforeCursor, afterCursor.dropFirst()) }
  mutating func killToEnd() { kill(afterCursor) }
  mutating func killToBeginning() { kill(beforeCursor) }
  mutating func killWordBack() { kill(wordBefore) }
  mutating func killWordForward() { kill(wordAfter) }

  /// Kills back to the last space or slash, not counting those right before the cursor.
  mutating func killComponentBack() { kill(Self.last(of: beforeCursor) { $0 != " " && $0 != "/" }) }

  /// Inserts the last killed text.
  mutating func yank() { insert(killed) }

  /// Removes a part that starts or ends at the cursor.
  private mutating func kill(_ part: Substring) {
    guard !part.isEmpty else { return }
    killed = String(part)
    setText(text[..<part.startIndex], text[part.endIndex...])
  }

  private mutating func setText(_ before: Substring, _ after: Substring) {
    offset = before.utf8.count
    text = String(before) + after
    // Characters at the seam may have merged.
    if String.Index(cursor, within: text) == nil {
      offset = text.utf8.distance(from: text.startIndex, to: text.index(after: cursor))
    }
  }
}

extension LineEditor: Equatable {
  static func == (a: LineEditor, b: LineEditor) -> Bool {
    a.offset == b.offset && a.text.utf8.elementsEqual(b.text.utf8) && a.killed.utf8.elementsEqual(b.killed.utf8)
  }
}
