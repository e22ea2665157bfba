extension Unicode.Scalar {
  /// True if the scalar is invisible: it may control a terminal, or end a line.
  package var steersTerminals: Bool {
    if isASCII { return value < 0x20 || value == 0x7F }
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: return true
    default: return false
    }
  }

  /// The scalar as one or two JSON escapes: "\u001b".
  package var escapedForJSON: String {
    UTF16.encode(self).map { $0.map { "\\u" + String($0, digits: 4, radix: 16) }.joined() } ?? ""
  }
}
