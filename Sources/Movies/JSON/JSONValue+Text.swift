import PlainText

extension JSONValue {
  /// The value as JSON text without control characters; optionally in lines, with four spaces of indentation per level.
  func text(inLines: Bool) -> String {
    var result = ""
    write(to: &result, indent: inLines ? 0 : nil)
    return result
  }

  private func write(to result: inout String, indent: Int?) {
    switch self {
    case .null: result += "null"
    case .boolean(let value): result += value ? "true" : "false"
    case .number(let text): result += text
    case .string(let text): result += Self.quoted(text)
    case .array(let elements):
      Self.write(elements, "[", "]", to: &result, indent: indent) { $0.write(to: &$1, indent: $2) }
    case .object(let members):
      Self.write(members, "{", "}", to: &result, indent: indent) { member, result, indent in
        result += Self.quoted(member.key)
        result += indent == nil ? ":" : ": "
        member.value.write(to: &result, indent: indent)
      }
    }
  }

  private static func write<T>(
    _ items: [T], _ open: String, _ close: String, to result: inout String, indent: Int?, _ body: (T, inout String, Int?) -> Void
  ) {
    result += open
    for (index, item) in items.enumerated() {
      if index > 0 { result += "," }
      if let indent { result += "\n" + String(repeating: "    ", count: indent + 1) }
      body(item, &result, indent.map { $0 + 1 })
    }
    if let indent, !items.isEmpty { result += "\n" + String(repeating: "    ", count: indent) }
    result += close
  }

  private static func quoted(_ text: String) -> String {
    text.quoted { $0.steersTerminals ? $0.escapedForJSON : nil }
  }
}
