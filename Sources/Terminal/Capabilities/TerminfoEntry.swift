/// The terminfo description of a terminal type, as a value.
public struct TerminfoEntry: Equatable, Sendable {
  /// The name found in the database.
  public let name: String
  /// The requested name if it was not found and `name` is a substitute.
  public let missingName: String?
  private let strings: [String: [UInt8]]
  private let numbers: [String: Int]
  private let flags: Set<String>

  /// Makes an entry from literals. `strings` are terminfo's; delays (`$<5>`) are removed.
  public init(
    name: String, missingName: String? = nil, strings: [String: [UInt8]] = [:], numbers: [String: Int] = [:],
    flags: Set<String> = []
  ) {
    self.name = name
    self.missingName = missingName
    self.strings = strings.mapValues(Self.withoutDelays)
    self.numbers = numbers
    self.flags = flags
  }

  /// The string of a capability (`smcup`), without delays; empty if absent.
  public func string(_ capability: String) -> [UInt8] { strings[capability] ?? [] }

  public func has(_ capability: String) -> Bool { strings[capability]?.isEmpty == false }

  /// The number of a capability (`colors`); nil if absent.
  public func number(_ capability: String) -> Int? { numbers[capability] }

  public func flag(_ capability: String) -> Bool { flags.contains(capability) }

  /// True if the terminal uses ECMA-48 control sequences, the only ones the program writes.
  public var isECMA48: Bool { string("cup").starts(with: Array("\u{1B}[".utf8)) }

  /// True if it supports xterm's private modes (alternate screen, mouse, paste) and ignores unknown ones.
  ///
  /// The Linux console and the VT family have no alternate screen and print parts of unknown sequences.
  public var isXtermLike: Bool {
    let enter = String(decoding: string("smcup"), as: UTF8.self)
    return enter.contains("\u{1B}[?1049h") || enter.contains("\u{1B}[?47h") || enter.contains("\u{1B}[?1047h")
  }

  /// Removes terminfo's delays `$<…>`; no current terminal needs padding.
  static func withoutDelays(_ string: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var rest = string[...]
    while let byte = rest.first {
      if byte == UInt8(ascii: "$"), rest.dropFirst().first == UInt8(ascii: "<"),
        let end = rest.firstIndex(of: UInt8(ascii: ">")),
        rest[(rest.startIndex + 2)..<end].allSatisfy({ "0123456789.*/".utf8.contains($0) })
      {
        rest = rest[(end + 1)...]
      } else {
        result.append(byte)
        rest = rest.dropFirst()
      }
    }
    return result
  }
}
