/// A passage of a Twee file: its header, its text, and the links in it.
public struct TweePassage: Hashable, Sendable {
  /// A link to another passage.
  public struct Link: Hashable, Sendable {
    /// The text shown.
    public let label: String
    /// The name of the passage it leads to.
    public let target: String
    /// The line on which it starts, from 1.
    public let line: Int

    /// True if the target has the form of a web or mail address, which leads out of the story unless a passage has that name.
    var isAddress: Bool {
      guard let scheme = ClipName.scheme(target) else { return false }
      return scheme == "mailto" || target.utf8.dropFirst(scheme.utf8.count).starts(with: "://".utf8)
    }
  }

  /// The name, without escapes.
  public let name: String
  /// The tags, without escapes.
  public let tags: [String]
  /// The metadata, an object; empty if there is none.
  let metadata: JSONValue
  /// The lines of its text, without trailing blank lines.
  public internal(set) var lines: [String] = []
  /// The line of its header, from 1.
  public let line: Int

  /// An error in a header; the problem is a sentence.
  struct HeaderFailure: Error {
    let problem: String
  }

  /// Reads a header line, which starts with "::".
  ///
  /// - Parameter warn: called with the problem if the metadata is invalid and therefore ignored.
  /// - Throws: `HeaderFailure` if the name or the end of the tags is missing.
  init(header: String, line: Int, warn: (String) -> Void) throws(HeaderFailure) {
    var rest = header.dropFirst(2)
    name = Self.unescaped(&rest, until: "[{")
    guard !name.isEmpty else { throw HeaderFailure(problem: "a passage has no name") }
    var tags: [String] = []
    if rest.first == "[" {
      rest.removeFirst()
      while true {
        rest = rest.drop { $0 == " " || $0 == "\t" }
        guard let next = rest.first else {
          throw HeaderFailure(problem: "missing \"]\" after the tags of passage \"\(name.clipped)\"")
        }
        if next == "]" { break }
        tags.append(Self.unescaped(&rest, until: " \t]"))
      }
      rest.removeFirst()
      rest = rest.drop { $0 == " " || $0 == "\t" }
    }
    self.tags = tags
    self.line = line
    metadata = Self.metadata(rest, name, warn)
  }

  private static func metadata(_ rest: Substring, _ name: String, _ warn: (String) -> Void) -> JSONValue {
    if rest.allSatisfy(\.isWhitespace) { return .object([]) }
    do throws(JSONReader.Failure) {
      let value = try JSONReader.read(Array(rest.utf8))
      if case .object = value { return value }
      warn("the metadata of passage \"\(name.clipped)\" is not a JSON object")
    } catch {
      warn("the metadata of passage \"\(name.clipped)\": \(error.problem)")
    }
    return .object([])
  }

  /// Takes text up to one of the characters, without surrounding blanks. A backslash escapes the next character.
  private static func unescaped(_ rest: inout Substring, until stops: String) -> String {
    rest = rest.drop { $0 == " " || $0 == "\t" }
    var text = ""
    var blanks = ""
    while let character = rest.first, !stops.contains(character) {
      rest.removeFirst()
      if character == "\\", let escaped = rest.popFirst() {
        text += blanks + String(escaped)
        blanks = ""
      } else if character == " " || character == "\t" {
        blanks.append(character)
      } else {
        text += blanks + String(character)
        blanks = ""
      }
    }
    // Links cannot name blanks at the ends, escaped or not.
    return trimmed(text[...])
  }

  /// The lines of its text without comments: what its links and properties are read from.
  var plainLines: [String] { TweeComment.removed(from: lines) }

  /// The links in its text outside comments, in order: `[[a]]`, `[[label|a]]`, `[[label->a]]`, `[[a<-label]]`.
  ///
  /// Of several right arrows, the last one counts; of several left arrows, the first. Setters, `[[a][…]]`, are ignored.
  public var links: [Link] {
    var links: [Link] = []
    for (index, text) in plainLines.enumerated() {
      var rest = text[...]
      while let start = rest.firstRange(of: "[["), let end = rest[start.upperBound...].firstRange(of: "]]") {
        var link = rest[start.upperBound..<end.lowerBound]
        if let setter = link.firstRange(of: "][") { link = link[..<setter.lowerBound] }
        let (label, target) = Self.parts(link)
        if !target.isEmpty {
          links.append(Link(label: label.isEmpty ? target : label, target: target, line: line + 1 + index))
        }
        rest = rest[end.upperBound...]
      }
    }
    return links
  }

  private static func parts(_ link: Substring) -> (label: String, target: String) {
    if let arrow = link.ranges(of: "->").last {
      return (trimmed(link[..<arrow.lowerBound]), trimmed(link[arrow.upperBound...]))
    }
    if let arrow = link.firstRange(of: "<-") {
      return (trimmed(link[arrow.upperBound...]), trimmed(link[..<arrow.lowerBound]))
    }
    if let bar = link.firstRange(of: "|") {
      return (trimmed(link[..<bar.lowerBound]), trimmed(link[bar.upperBound...]))
    }
    return (trimmed(link), trimmed(link))
  }

  static func trimmed(_ text: Substring) -> String {
    let start = text.drop { $0 == " " || $0 == "\t" }
    guard let last = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
    return String(start[...last])
  }
}
