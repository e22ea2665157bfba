extension JSONValue {
  /// The value as JSON text that is safe to look at; in lines, each level four spaces further in, if wanted.
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
    case .string(let text): Self.write(text, to: &result)
    case .array(let elements):
      Self.write(elements, "[", "]", to: &result, indent: indent) { $0.write(to: &$1, indent: $2) }
    case .object(let members):
      Self.write(members, "{", "}", to: &result, indent: indent) { member, result, indent in
        Self.write(member.key, to: &result)
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

  private static func write(_ text: String, to result: inout String) {
    result += "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default:
        if scalar.steersTerminals {
          for unit in UTF16.encode(scalar) ?? .init() { result += "\\u" + String(unit, digits: 4, radix: 16) }
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    result += "\""
  }
}

extension Unicode.Scalar {
  /// Whether it is none that is seen: it may steer a terminal, or end a line.
  var steersTerminals: Bool {
    if isASCII { return value < 0x20 || value == 0x7F }
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: return true
    default: return false
    }
  }
}
