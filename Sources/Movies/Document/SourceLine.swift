import YAML

/// The line on which something appears in a file, for later errors.
///
/// All lines compare equal: the position of a thing does not change its meaning.
public struct SourceLine: Hashable, Sendable {
  /// The line, from 1; nil if unknown.
  public var number: Int?
  private var keys: [String: Int] = [:]

  /// Creates a line from its number.
  public init(_ number: Int? = nil) { self.number = number }

  /// Creates a line with the lines of keys.
  init(_ number: Int?, keys: [String: Int]) {
    self.number = number
    self.keys = keys
  }

  /// Creates the line of a YAML node and of its keys.
  init(_ node: YAMLNode) {
    if case .mapping(let entries) = node.content {
      self.init(node.line, keys: Self.lines(of: entries))
    } else {
      self.init(node.line)
    }
  }

  /// The lines of keys, or of their values if those are scalars.
  static func lines(of entries: [(key: YAMLNode, value: YAMLNode)]) -> [String: Int] {
    let lines = entries.compactMap { key, value in key.text.map { ($0, value.text == nil ? key.line : value.line) } }
    return Dictionary(lines) { first, _ in first }
  }

  /// The line of the first of these keys that exists, else the first line of the whole.
  public func number(of names: String...) -> Int? { names.lazy.compactMap { keys[$0] }.first ?? number }

  /// The line, or that of the containing element if unknown.
  func number(orOf whole: SourceLine) -> Int? { number ?? whole.number }

  public static func == (a: SourceLine, b: SourceLine) -> Bool { true }
  public func hash(into hasher: inout Hasher) {}
}
