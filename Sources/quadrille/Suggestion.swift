/// The argument parser's suggestions for unknown options.
enum Suggestion {
  private static let beginning = ". Did you mean '"

  /// Returns the parser's message, without its suggestion if that is too different from the typed option.
  static func withoutFarOnes(_ message: String) -> String {
    guard let start = message.firstRange(of: beginning), let end = message[start.upperBound...].firstRange(of: "'?"),
      let typed = message[..<start.lowerBound].split(separator: "'", omittingEmptySubsequences: false).dropFirst().last(
        where: { $0.hasPrefix("-") })
    else { return message }
    let suggested = message[start.upperBound..<end.lowerBound]
    let most = max(typed.count, suggested.count) > 6 ? 2 : 1
    guard distance(Array(typed), Array(suggested)) > most else { return message }
    return message[..<start.lowerBound] + "." + message[end.upperBound...]
  }

  /// The edit distance: insertions, deletions and substitutions that turn one into the other.
  static func distance(_ a: [Character], _ b: [Character]) -> Int {
    var row = Array(0...b.count)
    for (i, x) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, y) in b.enumerated() {
        let next = min(diagonal + (x == y ? 0 : 1), row[j] + 1, row[j + 1] + 1)
        diagonal = row[j + 1]
        row[j + 1] = next
      }
    }
    return row[b.count]
  }
}
