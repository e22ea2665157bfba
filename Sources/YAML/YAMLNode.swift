import CYAML

/// A YAML node and its line: the subset of YAML for files written by hand.
public struct YAMLNode: Sendable {
  /// The content of a node.
  public enum Content: Sendable {
    /// Text; `isPlain` is true if it is not quoted.
    case scalar(String, isPlain: Bool)
    /// The items, in order.
    case list([YAMLNode])
    /// Keys and values, in order; scalar keys are unique.
    case mapping([(key: YAMLNode, value: YAMLNode)])
  }

  /// The content.
  public let content: Content
  /// The line on which it starts, from 1.
  public let line: Int

  /// The text of a scalar; nil for other nodes.
  public var text: String? {
    if case .scalar(let text, _) = content { text } else { nil }
  }

  /// The node as a key in messages: its text in quotes, at most 100 scalars of it, or "(a list or a mapping)".
  package var asKey: String {
    guard let text else { return "(a list or a mapping)" }
    return "\"\(String(text.unicodeScalars.prefix(100)))\(text.unicodeScalars.count > 100 ? "…" : "")\""
  }

  /// The value of a lower-case word for true or false; nil for other text.
  public static func flag(_ text: String) -> Bool? {
    switch text {
    case "true", "yes", "on": true
    case "false", "no", "off": false
    default: nil
    }
  }

  /// True if the value is empty or null.
  public var isNull: Bool {
    if case .scalar(let text, isPlain: true) = content { ["", "~", "null", "Null", "NULL"].contains(text) } else { false }
  }

  /// A parse error.
  public struct Failure: Error {
    /// The line, from 1; nil if unknown.
    public var line: Int?
    /// The problem, as the end of a sentence. May quote the file: any text, including control characters.
    public var problem: String
  }

  /// The maximum depth of lists and mappings.
  private static let deepest = 16

  /// Reads a document; nil if there is none.
  ///
  /// Anchors and aliases are errors: with them, a few bytes could expand to any amount of data.
  ///
  /// - Throws: `Failure`.
  public static func read(_ text: String) throws -> YAMLNode? {
    try Array(text.utf8).withUnsafeBufferPointer { bytes in
      let events = try Events(bytes)
      // The start of the stream, then of the document.
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

  /// A copy of a LibYAML event.
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

    /// - Parameter bytes: must outlive this object.
    init(_ bytes: UnsafeBufferPointer<UInt8>) throws {
      self.bytes = bytes
      guard yaml_parser_initialize(parser) == 1 else { throw Failure(line: nil, problem: "out of memory") }
      yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
      yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
    }

    deinit {
      // Harmless if initialisation failed: the parser is then all zeros.
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
      // LibYAML's character reader gives the byte offset, its later stages the line.
      let line =
        parser.pointee.error == YAML_READER_ERROR
        ? bytes.prefix(Int(parser.pointee.problem_offset)).count { $0 == UInt8(ascii: "\n") } + 1
        : Int(parser.pointee.problem_mark.line) + 1
      return Failure(line: line, problem: "invalid YAML: \(problem)")
    }
  }
}
