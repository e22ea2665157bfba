import YAML

/// The keys of a mapping in a file of Quadrille's own, with typed access.
package struct YAMLFields {
  let file: String
  let line: Int
  private let values: [String: YAMLNode]

  /// - Parameters:
  ///   - what: the name for errors: "a piece".
  ///   - known: the valid keys; any other is an error.
  package init(_ node: YAMLNode, of what: String, known: [String], file: String) throws(FileError) {
    self.file = file
    line = node.line
    guard case .mapping(let entries) = node.content else {
      throw FileError(file: file, line: node.line, message: "expected \"key: value\" lines for \(what)")
    }
    var values: [String: YAMLNode] = [:]
    for (key, value) in entries {
      guard let name = key.text, known.contains(name) else {
        throw FileError(
          file: file, line: key.line, message: "unknown key \(key.asKey) in \(what); expected one of \(known.joined(separator: ", "))")
      }
      values[name] = value
    }
    self.values = values
  }

  package func has(_ key: String) -> Bool { values[key] != nil }
  package func node(_ key: String) -> YAMLNode? { values[key] }

  /// An error at a key.
  package func error(_ key: String, _ message: String) -> FileError {
    FileError(file: file, line: values[key]?.line ?? line, message: "\(key): \(message)")
  }

  /// An error at a key with an invalid or missing value.
  package func unexpected(_ key: String, expected: String) -> FileError {
    guard let value = values[key] else { return error(key, "missing; expected \(expected)") }
    guard let text = value.text else { return error(key, "expected \(expected)") }
    if value.isNull {
      return error(key, "no value; expected \(expected) (put a value that starts with # in quotes)")
    }
    return error(key, "\"\(text.prefix(200))\" is not \(expected)")
  }

  /// The value of a key, converted by `read`; nil if the key is missing.
  package func value<T>(_ key: String, expected: String, _ read: (String) -> T?) throws(FileError) -> T? {
    guard let node = values[key] else { return nil }
    guard !node.isNull, let text = node.text, let value = read(text) else { throw unexpected(key, expected: expected) }
    return value
  }

  /// The text of a key, of bounded length.
  package func text(_ key: String, limit: Int = MovieLimits.textBytes) throws(FileError) -> String? {
    guard let text = try value(key, expected: "text", { $0 }) else { return nil }
    guard text.utf8.count <= limit else { throw error(key, "longer than \(limit) bytes") }
    return text
  }

  /// The path of a local file.
  func path(_ key: String) throws(FileError) -> String? {
    guard let path = try text(key, limit: MovieLimits.pathBytes) else { return nil }
    if let scheme = ClipName.networkScheme(path) {
      throw error(key, "\"\(path.prefix(200))\": network sources are not supported yet (\(scheme):)")
    }
    guard !path.isEmpty, !path.utf8.contains(0) else { throw unexpected(key, expected: "a file name") }
    return path
  }

  /// The items of a list, of bounded number; empty if the key is missing.
  package func items(_ key: String) throws(FileError) -> [YAMLNode] {
    guard let node = values[key], !node.isNull else { return [] }
    guard case .list(let items) = node.content else { throw error(key, "expected a list, with \"- \" before each item") }
    guard items.count <= MovieLimits.pieces else { throw error(key, "more than \(MovieLimits.pieces) items") }
    return items
  }

  /// The JSON of another program's file.
  func foreign(_ key: String) throws(FileError) -> JSONValue? {
    guard let text = try text(key, limit: MovieLimits.foreignBytes) else { return nil }
    do {
      return try JSONReader.read(Array(text.utf8))
    } catch {
      throw self.error(key, error.problem)
    }
  }
}
