/// What the terminfo database says of a type of terminal, as a value.
public struct TerminfoEntry: Equatable, Sendable {
  /// The name that was found in the database.
  public let name: String
  /// The name that was asked for, when it was not found and `name` stands in for it.
  public let missingName: String?
  private let strings: [String: [UInt8]]
  private let numbers: [String: Int]
  private let flags: Set<String>

  /// Makes an entry by hand. `strings` are terminfo's, with its delays (`$<5>`), which are taken out.
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

  /// The string of a capability (`smcup`), without delays; empty when the terminal has none.
  public func string(_ capability: String) -> [UInt8] { strings[capability] ?? [] }

  public func has(_ capability: String) -> Bool { strings[capability]?.isEmpty == false }

  /// The number of a capability (`colors`); nil when the terminal has none.
  public func number(_ capability: String) -> Int? { numbers[capability] }

  public func flag(_ capability: String) -> Bool { flags.contains(capability) }

  /// Whether the terminal is steered by ECMA-48 control sequences, which is all that the program writes.
  public var isECMA48: Bool { string("cup").starts(with: Array("\u{1B}[".utf8)) }

  /// Whether it knows xterm's private modes (alternate screen, mouse, paste) and ignores those it does not.
  ///
  /// The Linux console and the VT family have no alternate screen and print parts of what they do not know.
  public var isXtermLike: Bool {
    let enter = String(decoding: string("smcup"), as: UTF8.self)
    return enter.contains("\u{1B}[?1049h") || enter.contains("\u{1B}[?47h") || enter.contains("\u{1B}[?1047h")
  }

  /// Takes terminfo's delays `$<…>` out: no terminal of today needs padding.
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
