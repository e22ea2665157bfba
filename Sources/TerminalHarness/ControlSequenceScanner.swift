/// Scans a program's output for what libvterm does not report: private modes, the title, status queries.
///
/// A pure value that receives the same bytes as the emulator, in pieces of any size.
struct ControlSequenceScanner {
  private enum State {
    case ground, escape, csi, osc, oscEscape, string, stringEscape
  }

  private static let atStart: Set<Int> = [7, 25]

  private var state = State.ground
  private var collected: [UInt8] = []
  private var event: Event?

  private(set) var privateModes = Self.atStart
  private(set) var title = ""
  /// The number of queries for the terminal's status (`ESC[5n`).
  private(set) var statusQueries = 0

  /// True during a synchronized update (mode 2026), when the screen may be half drawn.
  var isInSynchronizedUpdate: Bool { privateModes.contains(2026) }

  /// An action that the emulator must perform when a sequence ends, because libvterm does not.
  enum Event: Equatable {
    /// Modes after the first in one sequence, which libvterm 0.1 ignores.
    case furtherModes([Int], set: Bool)
    /// Mode 2026 has been set: the screen stays as it is until the mode is reset.
    case synchronizedUpdateBegins
    /// A query for mode 2026; true if it is set.
    case synchronizedUpdateQuery(isSet: Bool)
    /// The last byte leaves the alternate screen.
    case alternateScreenEnds
  }

  /// Scans the bytes up to the end of a sequence with an event, or all of them. Returns the number of bytes scanned.
  mutating func scan(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> (count: Int, event: Event?) {
    for (offset, byte) in bytes.enumerated() {
      if state == .ground && byte != 0x1B { continue }
      step(byte)
      if let event {
        self.event = nil
        return (offset + 1, event)
      }
    }
    return (bytes.count, nil)
  }

  private mutating func step(_ byte: UInt8) {
    switch (state, byte) {
    // CAN and SUB end any sequence.
    case (_, 0x18), (_, 0x1A): state = .ground
    case (.osc, 0x1B): state = .oscEscape
    case (.string, 0x1B): state = .stringEscape
    case (.ground, 0x1B), (.escape, 0x1B), (.csi, 0x1B): state = .escape
    case (.ground, _): break
    case (.escape, UInt8(ascii: "[")): begin(.csi)
    case (.escape, UInt8(ascii: "]")): begin(.osc)
    case (.escape, UInt8(ascii: "P")), (.escape, UInt8(ascii: "_")), (.escape, UInt8(ascii: "^")):
      begin(.string)
    case (.escape, UInt8(ascii: "c")):
      privateModes = Self.atStart
      state = .ground
    case (.escape, 0x20...0x2F): break  // an intermediate byte, such as that of a character set
    case (.escape, _): state = .ground
    case (.csi, 0x20...0x3F): collect(byte)
    case (.csi, 0x40...0x7E):
      finishCSI(byte)
      state = .ground
    case (.csi, _): break  // a control character inside a sequence acts on its own
    case (.osc, 0x07):
      finishOSC()
      state = .ground
    case (.osc, _): collect(byte)
    case (.oscEscape, _):
      if byte == UInt8(ascii: "\\") { finishOSC() }
      state = .ground
    case (.string, _): break
    case (.stringEscape, _): state = byte == UInt8(ascii: "\\") ? .ground : .string
    }
  }

  private mutating func begin(_ next: State) {
    collected.removeAll(keepingCapacity: true)
    state = next
  }

  private mutating func collect(_ byte: UInt8) {
    if collected.count < 4096 { collected.append(byte) }
  }

  private mutating func finishCSI(_ final: UInt8) {
    let parameters = String(decoding: collected, as: UTF8.self)
    switch (final, parameters.first) {
    case (UInt8(ascii: "h"), "?"), (UInt8(ascii: "l"), "?"):
      let isSet = final == UInt8(ascii: "h")
      let modes = parameters.dropFirst().split(separator: ";").compactMap { Int($0) }
      if isSet, modes == [2026], !isInSynchronizedUpdate { event = .synchronizedUpdateBegins }
      if !isSet, modes == [1049] { event = .alternateScreenEnds }
      if isSet { privateModes.formUnion(modes) } else { privateModes.subtract(modes) }
      if modes.count > 1 { event = .furtherModes(Array(modes.dropFirst()), set: isSet) }
    case (UInt8(ascii: "p"), "?") where parameters == "?2026$":
      event = .synchronizedUpdateQuery(isSet: isInSynchronizedUpdate)
    case (UInt8(ascii: "p"), "!"): privateModes.formUnion([25])
    case (UInt8(ascii: "n"), _) where parameters == "5": statusQueries += 1
    default: break
    }
  }

  private mutating func finishOSC() {
    let text = String(decoding: collected, as: UTF8.self)
    if text.hasPrefix("0;") || text.hasPrefix("2;") { title = String(text.dropFirst(2)) }
  }
}
