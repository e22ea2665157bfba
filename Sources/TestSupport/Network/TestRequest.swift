/// A request that a `TestServer` received.
public struct TestRequest: Sendable {
  public let method: String
  /// The target without its query.
  public let path: String
  public let query: String?
  public let headers: [(name: String, value: String)]
  /// The number of the connection that it came over, counted from 1.
  public let connection: Int

  /// The value of the first header of a name.
  public subscript(name: String) -> String? { headers.first { $0.name.lowercased() == name.lowercased() }?.value }

  /// Reads a request's lines, without the empty one.
  init?(_ text: String, connection: Int) {
    let lines = text.split(separator: "\r\n")
    guard let words = lines.first?.split(separator: " "), words.count == 3 else { return nil }
    method = String(words[0])
    let target = words[1].split(separator: "?", maxSplits: 1)
    path = target.first.map(String.init) ?? ""
    query = target.count > 1 ? String(target[1]) : nil
    headers = lines.dropFirst().compactMap { line in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      return (String(line[..<colon]), String(line[line.index(after: colon)...].drop { $0 == " " }))
    }
    self.connection = connection
  }

  /// The range that is asked for, in a resource of a size.
  public func range(in size: Int) -> Range<Int>? {
    guard let text = self["Range"], text.hasPrefix("bytes=") else { return nil }
    let ends = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard ends.count == 2, let first = ends[0] else { return nil }
    return first..<max(first, min(size, (ends[1] ?? size - 1) + 1))
  }
}
