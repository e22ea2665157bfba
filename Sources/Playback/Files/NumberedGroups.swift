import Libav

/// Names grouped into sequences by their numbers. Pure.
///
/// The number of a name is its last run of digits before the extension in which others of the same form differ.
struct NumberedGroups {
  /// Names with two or more numbers each, and the numbers in increasing order.
  private(set) var sequences: [(name: NumberedName, numbers: [Int])] = []
  /// The names that belong to no sequence.
  private(set) var rest: [String] = []

  /// The number of runs of digits tried for each name, from the end.
  private static let maxRuns = 4
  /// The number of digits of the largest number.
  private static let maxDigits = 18

  /// A name with one run of digits taken out.
  private struct Form: Hashable {
    let prefix: [UInt8]
    let suffix: [UInt8]
  }

  private struct Member {
    let name: String
    let digits: String
    var startsWithZero: Bool { digits.utf8.count > 1 && digits.utf8.first == UInt8(ascii: "0") }
  }

  init(_ names: [String]) {
    var left = names
    for run in 0..<Self.maxRuns where !left.isEmpty {
      var forms: [Form: [Member]] = [:]
      var others: [String] = []
      for name in left {
        if let (form, member) = Self.split(name, atRun: run) { forms[form, default: []].append(member) } else { others.append(name) }
      }
      for (form, members) in forms { others += add(members, form) }
      left = others
    }
    rest = left
  }

  /// Adds the sequences among names of one form, which may differ in padding. Returns the names that are in none.
  private mutating func add(_ members: [Member], _ form: Form) -> [String] {
    let widths = Set(members.filter(\.startsWithZero).map(\.digits.utf8.count)).sorted()
    let groups = Dictionary(grouping: members) { member in
      let count = member.digits.utf8.count
      return member.startsWithZero ? count : widths.last { $0 <= count } ?? 1
    }
    var others: [String] = []
    for (width, members) in groups {
      guard members.count > 1 else {
        others += members.map(\.name)
        continue
      }
      let name = NumberedName(
        prefix: String(decoding: form.prefix, as: UTF8.self), width: width, suffix: String(decoding: form.suffix, as: UTF8.self))
      sequences.append((name, members.compactMap { Int($0.digits) }.sorted()))
    }
    return others
  }

  /// Takes out a run of digits, counted from the end of the name without its extension.
  private static func split(_ name: String, atRun run: Int) -> (Form, Member)? {
    let bytes = name.utf8
    var end = bytes.lastIndex(of: UInt8(ascii: ".")) ?? bytes.endIndex
    // In "shot.0001" the number takes the place of an extension.
    if end != bytes.endIndex, bytes[bytes.index(after: end)...].allSatisfy(isDigit) { end = bytes.endIndex }
    var left = run
    while true {
      guard let last = bytes[..<end].lastIndex(where: isDigit) else { return nil }
      let start = bytes[..<last].lastIndex { !isDigit($0) }.map { bytes.index(after: $0) } ?? bytes.startIndex
      let next = bytes.index(after: last)
      if left == 0 {
        let digits = bytes[start..<next]
        guard digits.count <= maxDigits else { return nil }
        return (
          Form(prefix: Array(bytes[..<start]), suffix: Array(bytes[next...])),
          Member(name: name, digits: String(decoding: digits, as: UTF8.self))
        )
      }
      left -= 1
      end = start
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
