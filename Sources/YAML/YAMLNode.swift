import CYAML

/// A piece of YAML as files that people write use it, and where it stands.
public struct YAMLNode: Sendable {
  /// What a piece is made of.
  public enum Content: Sendable {
    /// Text, and whether it stands there without quotes.
    case scalar(String, isPlain: Bool)
    /// Pieces in their order.
    case list([YAMLNode])
    /// Keys and their values in their order; no scalar key stands twice.
    case mapping([(key: YAMLNode, value: YAMLNode)])
  }

  /// What it says.
  public let content: Content
  /// The line on which it begins, from 1.
  public let line: Int

  /// The text of a scalar; nil for what is none.
  public var text: String? {
    if case .scalar(let text, _) = content { text } else { nil }
  }

  /// What a word in lower case says as people write flags; nil for other text.
  public static func flag(_ text: String) -> Bool? {
    switch text {
    case "true", "yes", "on": true
    case "false", "no", "off": false
    default: nil
    }
  }

  /// Whether it says nothing.
  public var isNull: Bool {
    if case .scalar(let text, isPlain: true) = content { ["", "~", "null", "Null", "NULL"].contains(text) } else { false }
  }

  /// Why text cannot be read.
  public struct Failure: Error {
    /// The line, from 1; nil if unknown.
    public var line: Int?
    /// What is wrong, as the end of a sentence. It may quote the file: any text, control characters included.
    public var problem: String
  }

  /// Levels of lists and mappings at the most.
  private static let deepest = 16

  /// Reads a document; nil when there is none.
  ///
  /// Anchors and aliases are refused: what a few bytes repeat would take any amount of time.
  ///
  /// - Throws: `Failure`.
  public static func read(_ text: String) throws -> YAMLNode? {
    try Array(text.utf8).withUnsafeBufferPointer { bytes in
      let events = try Events(bytes)
      // The beginnings of the stream and of the document.
      _ = try events.next()
      guard try events.next().type == YAML_DOCUMENT_START_EVENT else { return nil }
      let root = try node(events.next(), events, depth: 0)
      _ = try events.next()
      let end = try events.next()
      guard end.type == YAML_STREAM_END_EVENT else {
        throw Failure(line: end.line, problem: "a second document starts here; expected only one")
      }
      return root
    }
  }

  private static func node(_ event: Event, _ events: Events, depth: Int) throws -> YAMLNode {
    if event.type == YAML_ALIAS_EVENT || event.hasAnchor {
      throw Failure(line: event.line, problem: "anchors and aliases are not supported")
    }
    guard depth < deepest else { throw Failure(line: event.line, problem: "nested too deeply") }
    switch event.type {
    case YAML_SEQUENCE_START_EVENT:
      var items: [YAMLNode] = []
      while true {
        let next = try events.next()
        if next.type == YAML_SEQUENCE_END_EVENT { return YAMLNode(content: .list(items), line: event.line) }
        items.append(try node(next, events, depth: depth + 1))
      }
    case YAML_MAPPING_START_EVENT:
      return YAMLNode(content: .mapping(try entries(events, depth: depth + 1)), line: event.line)
    default:
      return YAMLNode(content: .scalar(event.text, isPlain: event.isPlain), line: event.line)
    }
  }

  private static func entries(
    _ events: Events, depth: Int
  ) throws -> [(key: YAMLNode, value: YAMLNode)] {
    var entries: [(key: YAMLNode, value: YAMLNode)] = []
    var names: Set<String> = []
    while true {
      let next = try events.next()
      if next.type == YAML_MAPPING_END_EVENT { return entries }
      let key = try node(next, events, depth: depth)
      if let name = key.text, !names.insert(name).inserted {
        throw Failure(line: key.line, problem: "key \"\(name)\" appears twice")
      }
      entries.append((key, try node(events.next(), events, depth: depth)))
    }
  }

  /// What LibYAML tells of a piece, copied.
  private struct Event {
    let type: yaml_event_type_t
    let line: Int
    var hasAnchor = false
    var text = ""
    var isPlain = false

    init(_ event: yaml_event_t) {
      type = event.type
      line = Int(event.start_mark.line) + 1
      switch type {
      case YAML_SCALAR_EVENT:
        let scalar = event.data.scalar
        hasAnchor = scalar.anchor != nil
        text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
        isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE
      case YAML_SEQUENCE_START_EVENT: hasAnchor = event.data.sequence_start.anchor != nil
      case YAML_MAPPING_START_EVENT: hasAnchor = event.data.mapping_start.anchor != nil
      default: break
      }
    }
  }

  /// Owns LibYAML's parser.
  private final class Events {
    private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    private let bytes: UnsafeBufferPointer<UInt8>

    /// - Parameter bytes: has to last as long as this object.
    init(_ bytes: UnsafeBufferPointer<UInt8>) throws {
      self.bytes = bytes
      guard yaml_parser_initialize(parser) == 1 else { throw Failure(line: nil, problem: "out of memory") }
      yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
      yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
    }

    deinit {
      // Harmless where it was not made: it is then all zeros.
      yaml_parser_delete(parser)
      parser.deallocate()
    }

    func next() throws -> Event {
      var event = yaml_event_t()
      guard yaml_parser_parse(parser, &event) == 1 else { throw failure }
      defer { yaml_event_delete(&event) }
      return Event(event)
    }

    private var failure: Failure {
      let problem = parser.pointee.problem.map { String(cString: $0) } ?? "out of memory"
      // The reader of characters knows the byte, what comes after it the line.
      let line =
        parser.pointee.error == YAML_READER_ERROR
        ? bytes.prefix(Int(parser.pointee.problem_offset)).count { $0 == UInt8(ascii: "\n") } + 1
        : Int(parser.pointee.problem_mark.line) + 1
      return Failure(line: line, problem: "invalid YAML: \(problem)")
    }
  }
}
