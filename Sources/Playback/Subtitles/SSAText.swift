/// Puts an SSA or ASS script into its usual form.
///
/// libavformat recognises a script by its first line, and reads the fields of events by their usual places, whatever the
/// script's own `Format` line says.
enum SSAText {
  private static let head = Array("[Script Info]".utf8)
  private static let events = Array("[Events]".utf8)
  private static let usualFields = ["layer", "start", "end", "style", "name", "marginl", "marginr", "marginv", "effect", "text"]
  private static let usualFormat = "Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text"

  /// The maximum number of lines before a script's first section.
  private static let maxLead = 200

  /// Returns true if the text is a script of another form.
  static func isUnusual(_ bytes: [UInt8]) -> Bool {
    var isScript = false, isEvents = false
    for (number, line) in TextLines(bytes).enumerated() {
      if isSection(line) {
        isEvents = names(line, events)
        if !isScript, isEvents || names(line, head) {
          // Only a script that begins with its head is recognised.
          if number > 0 || !line.elementsEqual(head) { return true }
          isScript = true
        }
      } else if isEvents, let fields = fields(line) {
        return fields != usualFields
      }
      if !isScript, number > maxLead { return false }
    }
    return false
  }

  /// Returns the script with its head first, and the fields of its events in their usual order.
  static func usual(_ bytes: [UInt8]) -> [UInt8] {
    var result = head + [TextLines.newline]
    result.reserveCapacity(bytes.count + 64)
    var order: [String]?
    var isEvents = false
    for line in TextLines(bytes).drop(while: { !isSection($0) }) {
      if isSection(line) { (isEvents, order) = (names(line, events), nil) }
      if names(line, head) { continue }
      if isEvents, let own = fields(line) {
        order = own
        result += usualFormat.utf8
      } else if isEvents, let order, let event = reordered(line, order) {
        result += event
      } else {
        result += line
      }
      result.append(TextLines.newline)
    }
    return result
  }

  private static func isSection(_ line: ArraySlice<UInt8>) -> Bool { TextLines.trimmed(line).first == UInt8(ascii: "[") }

  /// Returns true if a line is a section's first.
  private static func names(_ line: ArraySlice<UInt8>, _ section: [UInt8]) -> Bool {
    let text = TextLines.trimmed(line)
    return text.count == section.count && zip(text, section).allSatisfy { $0 | 0x20 == $1 | 0x20 }
  }

  /// Returns the names of fields in a `Format` line, in lower case; nil for another line.
  private static func fields(_ line: ArraySlice<UInt8>) -> [String]? {
    guard let (key, value) = pair(line), key == "format" else { return nil }
    let names = String(decoding: value, as: UTF8.self).split(separator: ",").map { String($0.trimmed).lowercased() }
    // Before ASS, the first field was "Marked"; "Actor" is another name.
    return names.map { $0 == "marked" ? "layer" : $0 == "actor" ? "name" : $0 }
  }

  private static func pair(_ line: ArraySlice<UInt8>) -> (key: String, value: ArraySlice<UInt8>)? {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon - line.startIndex < 32 else { return nil }
    return (String(decoding: TextLines.trimmed(line[..<colon]), as: UTF8.self).lowercased(), line[(colon + 1)...])
  }

  /// Returns a `Dialogue` line with its fields in the usual order; nil for another line.
  private static func reordered(_ line: ArraySlice<UInt8>, _ order: [String]) -> [UInt8]? {
    guard let (key, value) = pair(line), key == "dialogue", !order.isEmpty else { return nil }
    let values = value.split(separator: UInt8(ascii: ","), maxSplits: order.count - 1, omittingEmptySubsequences: false)
    guard values.count == order.count else { return nil }
    var named: [String: ArraySlice<UInt8>] = [:]
    for (field, value) in zip(order, values) { named[field] = field == "text" ? value : TextLines.trimmed(value) }
    let zero = Array("0".utf8)[...]
    let fields = usualFields.map { named[$0] ?? ($0 == "layer" || $0.hasPrefix("margin") ? zero : []) }
    return Array("Dialogue: ".utf8) + fields.joined(separator: [UInt8(ascii: ",")])
  }
}
