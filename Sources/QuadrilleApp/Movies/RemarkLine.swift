import Terminal

extension TerminalText {
  /// A message with all remarks if it fits on a line; otherwise as much of the first remark as leaves room for the number of
  /// others.
  static func line(_ done: TerminalText, remarks: [String], columns: Int) -> TerminalText {
    let remarks = remarks.map { TerminalText($0) }
    let whole = ([done] + remarks).joined(separator: "; ")
    guard whole.columns > columns, remarks.count > 1 else { return whole }
    let first: TerminalText = "\(done); \(remarks[0])"
    let more: TerminalText = " and \(remarks.count - 1) more"
    let room = max(0, columns - more.columns)
    return (first.columns + 2 <= room ? first + " …" : first.truncated(to: min(room, first.columns - 1))) + more
  }
}
