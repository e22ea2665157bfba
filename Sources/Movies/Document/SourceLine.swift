import YAML

/// The line on which a file tells of something, for errors that come up later.
///
/// All lines are equal: where something is said does not change what is said.
public struct SourceLine: Hashable, Sendable {
  /// From 1; nil where it is not known.
  public var number: Int?
  private var keys: [String: Int] = [:]

  /// A line by its number.
  public init(_ number: Int? = nil) { self.number = number }

  /// A line, and those of keys.
  init(_ number: Int?, keys: [String: Int]) {
    self.number = number
    self.keys = keys
  }

  /// The line of a piece of YAML, and of its keys.
  init(_ node: YAMLNode) {
    if case .mapping(let entries) = node.content {
      self.init(node.line, keys: Self.lines(of: entries))
    } else {
      self.init(node.line)
    }
  }

  /// On which lines keys stand: a value's where it is one text.
  static func lines(of entries: [(key: YAMLNode, value: YAMLNode)]) -> [String: Int] {
    let lines = entries.compactMap { key, value in key.text.map { ($0, value.text == nil ? key.line : value.line) } }
    return Dictionary(lines) { first, _ in first }
  }

  /// The line of the first of these keys that is there, else that on which all begins.
  public func number(of names: String...) -> Int? { names.lazy.compactMap { keys[$0] }.first ?? number }

  /// Its number, or that of what it is part of where its own is not known.
  func number(orOf whole: SourceLine) -> Int? { number ?? whole.number }

  public static func == (a: SourceLine, b: SourceLine) -> Bool { true }
  public func hash(into hasher: inout Hasher) {}
}
