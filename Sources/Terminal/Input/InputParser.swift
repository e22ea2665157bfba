/// Parses the bytes from a terminal into events: a value without a tty, thread or clock.
///
/// Supports terminfo's key strings, xterm's CSI and SS3 forms, SGR mouse reports, bracketed paste, UTF-8 and
/// terminal replies. A sequence may be split anywhere. Unknown or damaged sequences are discarded
/// as a whole, so that they never fall apart into digits, which would be keys. Memory is bounded for any input.
///
/// Call `expire` when `deadline` has passed and nothing is left to read, in that order: unread input of a
/// busy program may belong to the pending sequence.
public struct InputParser: Sendable {
  /// True if `ESC [ row ; column R` is a reply; otherwise it is F3 with modifiers.
  public var expectsCursorReport = false

  /// True if a DSR 5 reply is expected through a multiplexer, for which it is a series of keys. If the user has started a
  /// command there, the multiplexer takes `ESC [` for itself, and only `0n` arrives.
  public var expectsTornStatus = false

  /// Maximum bytes delivered from a paste; the rest is dropped.
  public static let pasteCapacity = 64 * 1024

  static let escapeDelay: UInt64 = 50_000_000
  /// Time allowed for the rest of a sequence, in which the link may stall.
  static let sequenceDelay: UInt64 = 500_000_000
  static let stringDelay: UInt64 = 1_000_000_000
  /// Time for which a paste may stall. Typed keys do not extend it, so a paste without an end is over
  /// after that time.
  static let pasteDelay: UInt64 = 5_000_000_000
  /// Number of bytes of text in one read that nobody types.
  static let pastedAtOnce = 4
  /// Time after a lone Escape in which a matching chunk counts as the rest of the sequence.
  static let lateDelay: UInt64 = 300_000_000
  static let sequenceCapacity = 64
  static let stringCapacity = 256

  private enum State: Equatable {
    case ground
    case escape
    case control
    /// After a `0` that may be the rest of a reply.
    case tornStatus
    case singleShift
    /// After `ESC [ [`, the Linux console's function keys.
    case linuxFunction
    /// Remaining bytes of an X10 mouse report.
    case legacyMouse(remaining: Int)
    /// Remaining bytes of a character.
    case utf8(remaining: Int)
    /// DCS, OSC, APC, PM or SOS.
    case string
    case stringEscape
    case paste
  }

  private var state = State.ground
  /// The bytes of the current sequence starting with ESC, or of the string or paste.
  private var collected: [UInt8] = []
  private var stringIntroducer: UInt8 = 0
  /// True if an ESC preceded the sequence: how some terminals send Alt.
  private var hasAltPrefix = false
  private var isOverlong = false
  /// The bytes since an ESC within a paste, while they may be its end or a report of the terminal.
  private var pasteSequence: [UInt8] = []
  /// True if Ctrl-C cancelled the paste, whose rest is then discarded.
  private var pasteIsAbandoned = false
  private var since: UInt64 = 0
  private var lateEscape: UInt64?
  private let keys: [[UInt8]: KeyStroke]

  /// - Parameter keys: Terminfo's key strings (`TerminfoEntry.keys`).
  public init(keys: [[UInt8]: KeyStroke] = [:]) {
    self.keys = keys
  }

  /// Deadline for `expire`, in the nanoseconds of `feed`; nil if nothing is pending.
  public var deadline: UInt64? {
    switch state {
    case .ground: nil
    case .escape, .tornStatus: since + Self.escapeDelay
    case .string, .stringEscape: since + Self.stringDelay
    case .paste: since + Self.pasteDelay
    default: since + Self.sequenceDelay
    }
  }

  /// Parses bytes read at a time of a monotonic clock and returns the completed events.
  public mutating func feed(_ bytes: [UInt8], at nanoseconds: UInt64) -> [InputEvent] {
    bytes.withUnsafeBufferPointer { feed($0, at: nanoseconds) }
  }

  /// Parses bytes read at a time of a monotonic clock and returns the completed events.
  public mutating func feed(_ bytes: UnsafeBufferPointer<UInt8>, at nanoseconds: UInt64) -> [InputEvent] {
    guard !bytes.isEmpty else { return [] }
    if let late = lateEscape {
      lateEscape = nil
      if state == .ground, nanoseconds &- late < Self.lateDelay, Self.completesSequence(bytes) {
        begin(at: nanoseconds)
      }
    }
    var events: [InputEvent] = []
    var pasted = 0
    for byte in bytes {
      if state == .paste, pasteSequence.isEmpty { pasted += 1 }
      step(byte, at: nanoseconds, &events)
    }
    if state == .paste, pasted >= Self.pastedAtOnce { since = nanoseconds }
    return events
  }

  /// Resolves pending input after its deadline: a lone ESC is the Escape key.
  public mutating func expire(at nanoseconds: UInt64) -> [InputEvent] {
    guard let deadline, nanoseconds >= deadline else { return [] }
    var events: [InputEvent] = []
    switch state {
    case .escape:
      if hasAltPrefix { events.append(.key(.escape, [])) }
      events.append(.key(.escape, []))
      lateEscape = nanoseconds
    case .control, .singleShift, .string:
      if let bareIntroducer { events.append(bareIntroducer) }
    case .tornStatus:
      events.append(.key(.character("0"), []))
    case .paste:
      keep(pasteSequence)
      endPaste(&events)
    default:
      break
    }
    reset()
    return events
  }

  private mutating func reset() {
    state = .ground
    collected.removeAll(keepingCapacity: collected.capacity <= 4096)
    hasAltPrefix = false
    isOverlong = false
  }

  private mutating func begin(at now: UInt64) {
    reset()
    state = .escape
    collected.append(0x1B)
    since = now
  }

  // MARK: One byte

  private mutating func step(_ byte: UInt8, at now: UInt64, _ events: inout [InputEvent]) {
    switch state {
    case .ground:
      ground(byte, at: now, [], &events)
    case .escape:
      escape(byte, at: now, &events)
    case .control:
      control(byte, at: now, &events)
    case .tornStatus:
      reset()
      guard byte != UInt8(ascii: "n") else { return events.append(.reply(.tornOperatingStatus)) }
      events.append(.key(.character("0"), []))
      step(byte, at: now, &events)
    case .singleShift:
      singleShift(byte, at: now, &events)
    case .linuxFunction:
      let alt = altPrefix
      reset()
      if (0x41...0x45).contains(byte) {
        events.append(.key(.function(Int(byte) - 0x40), alt))
      } else if !(0x20...0x7E).contains(byte) {
        step(byte, at: now, &events)
      }
    case .legacyMouse(let remaining):
      if byte < 0x20 {
        reset()
        step(byte, at: now, &events)
      } else if remaining > 1 {
        state = .legacyMouse(remaining: remaining - 1)
      } else {
        reset()
      }
    case .utf8(let remaining):
      character(byte, remaining: remaining, at: now, &events)
    case .string, .stringEscape:
      string(byte, at: now, &events)
    case .paste:
      paste(byte, &events)
    }
  }

  private var altPrefix: Modifiers { hasAltPrefix ? .alt : [] }

  private mutating func ground(
    _ byte: UInt8, at now: UInt64, _ modifiers: Modifiers, _ events: inout [InputEvent]
  ) {
    if byte == 0x1B { return begin(at: now) }
    reset()
    let character = { (code: UInt8, more: Modifiers) -> InputEvent in
      .key(.character(Unicode.Scalar(code)), modifiers.union(more))
    }
    switch byte {
    // After other keys that came with it, it is text that was typed or that a slow link has merged.
    case UInt8(ascii: "0") where expectsTornStatus && modifiers.isEmpty && !events.contains(where: \.isKey):
      state = .tornStatus
      since = now
    case 0x20...0x7E: events.append(character(byte, []))
    case 0x7F, 0x08: events.append(.key(.backspace, modifiers))
    case 0x09: events.append(.key(.tab, modifiers))
    case 0x0A, 0x0D: events.append(.key(.enter, modifiers))
    case 0x00: events.append(character(0x20, .ctrl))
    case 0x01...0x1A: events.append(character(byte + 0x60, .ctrl))
    case 0x1C...0x1F: events.append(character(byte + 0x40, .ctrl))
    case 0xC2...0xF4:
      state = .utf8(remaining: byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3)
      collected.append(byte)
      hasAltPrefix = modifiers.contains(.alt)
      since = now
    default: break
    }
  }

  private mutating func character(
    _ byte: UInt8, remaining: Int, at now: UInt64, _ events: inout [InputEvent]
  ) {
    guard byte & 0xC0 == 0x80 else {
      reset()
      return step(byte, at: now, &events)
    }
    collected.append(byte)
    guard remaining == 1 else {
      state = .utf8(remaining: remaining - 1)
      return
    }
    let alt = altPrefix
    var iterator = collected.makeIterator()
    var decoder = UTF8()
    if case .scalarValue(let scalar) = decoder.decode(&iterator), !scalar.isC1Control {
      events.append(.key(.character(scalar), alt))
    }
    reset()
  }

  private mutating func escape(_ byte: UInt8, at now: UInt64, _ events: inout [InputEvent]) {
    if let stroke = keys[collected + [byte]] {
      events.append(.key(stroke.key, stroke.modifiers.union(altPrefix)))
      return reset()
    }
    switch byte {
    case 0x1B:
      if hasAltPrefix { events.append(.key(.escape, [])) }
      hasAltPrefix = true
      since = now
    case UInt8(ascii: "["), UInt8(ascii: "O"):
      state = byte == UInt8(ascii: "[") ? .control : .singleShift
      collected.append(byte)
    case UInt8(ascii: "P"), UInt8(ascii: "]"), UInt8(ascii: "_"), UInt8(ascii: "^"), UInt8(ascii: "X"):
      state = .string
      stringIntroducer = byte
      collected.removeAll(keepingCapacity: true)
    case UInt8(ascii: "\\"):
      reset()  // The terminator of a discarded string.
    case 0x03:
      // A slow link may deliver Escape and Ctrl-C in one read. Ctrl-C keeps its meaning whatever precedes it.
      if hasAltPrefix { events.append(.key(.escape, [])) }
      events.append(.key(.escape, []))
      ground(byte, at: now, [], &events)
    default:
      ground(byte, at: now, .alt, &events)
    }
  }

  // MARK: Sequences

  private mutating func control(_ byte: UInt8, at now: UInt64, _ events: inout [InputEvent]) {
    guard (0x20...0x7E).contains(byte) else { return abandon(byte, at: now, &events) }
    if collected.count < Self.sequenceCapacity { collected.append(byte) } else { isOverlong = true }
    // In terminfo, ESC [ 1 ; 2 R is a key (F15), but it looks like a cursor report.
    let mayBeReport = expectsCursorReport && byte == UInt8(ascii: "R")
    if !isOverlong, !mayBeReport, let stroke = keys[collected] {
      events.append(.key(stroke.key, stroke.modifiers.union(altPrefix)))
      return reset()
    }
    guard (0x40...0x7E).contains(byte) else { return }
    if collected.count == 3 {
      if byte == UInt8(ascii: "[") {
        state = .linuxFunction
        return
      }
      if byte == UInt8(ascii: "M") {
        state = .legacyMouse(remaining: 3)
        return
      }
    }
    guard !isOverlong, let sequence = ControlSequence(collected.dropFirst(2)) else { return reset() }
    if sequence.isPasteStart {
      if hasAltPrefix { events.append(.key(.escape, [])) }
      reset()
      state = .paste
      pasteSequence.removeAll()
      pasteIsAbandoned = false
      since = now
      return
    }
    let hadAltPrefix = hasAltPrefix
    reset()
    guard let event = sequence.event(expectsCursorReport: expectsCursorReport, alt: hadAltPrefix ? .alt : [])
    else { return }
    if hadAltPrefix, !event.isKey { events.append(.key(.escape, [])) }
    events.append(event)
  }

  private mutating func singleShift(_ byte: UInt8, at now: UInt64, _ events: inout [InputEvent]) {
    guard (0x20...0x7E).contains(byte) else { return abandon(byte, at: now, &events) }
    if collected.count < Self.sequenceCapacity { collected.append(byte) } else { isOverlong = true }
    if !isOverlong, let stroke = keys[collected] {
      events.append(.key(stroke.key, stroke.modifiers.union(altPrefix)))
      return reset()
    }
    // Some terminals put the modifier before the final byte: ESC O 5 A.
    if (0x30...0x3B).contains(byte) { return }
    let alt = altPrefix
    let sequence = isOverlong ? nil : ControlSequence(collected.dropFirst(2))
    reset()
    if let stroke = sequence?.singleShiftKey {
      events.append(.key(stroke.key, stroke.modifiers.union(alt)))
    }
  }

  /// The Alt key that starts like a sequence, if nothing of one has followed; nil otherwise.
  private var bareIntroducer: InputEvent? {
    switch state {
    case .control where collected.count == 2, .singleShift where collected.count == 2:
      .key(.character(Unicode.Scalar(collected[1])), .alt)
    case .string where collected.isEmpty, .stringEscape where collected.isEmpty:
      .key(.character(Unicode.Scalar(stringIntroducer)), .alt)
    default: nil
    }
  }

  /// An invalid byte ends the sequence but keeps its own meaning (important for Ctrl-C).
  private mutating func abandon(_ byte: UInt8, at now: UInt64, _ events: inout [InputEvent]) {
    // Another sequence starts, such as a terminal reply.
    if byte == 0x1B, let bareIntroducer { events.append(bareIntroducer) }
    reset()
    if byte != 0x18 && byte != 0x1A { step(byte, at: now, &events) }
  }

  private mutating func string(_ byte: UInt8, at now: UInt64, _ events: inout [InputEvent]) {
    switch byte {
    case UInt8(ascii: "\\") where state == .stringEscape, 0x07:
      if let reply = TerminalReply(string: collected, introducer: stringIntroducer) {
        if hasAltPrefix { events.append(.key(.escape, [])) }
        events.append(.reply(reply))
      }
      reset()
    case 0x18, 0x1A:
      reset()
    case 0x1B where state == .string:
      state = .stringEscape
    case _ where state == .stringEscape:
      if let bareIntroducer { events.append(bareIntroducer) }
      begin(at: now)
      step(byte, at: now, &events)
    case 0x00..<0x20 where byte != 0x09 && byte != 0x0A && byte != 0x0D:
      abandon(byte, at: now, &events)
    default:
      if collected.count < Self.stringCapacity { collected.append(byte) }
    }
  }

  // MARK: Pastes

  /// Handles a byte of a paste: text, its end, or a terminal report in between.
  private mutating func paste(_ byte: UInt8, _ events: inout [InputEvent]) {
    switch byte {
    case 0x03:
      // The way out if a paste never ends.
      events.append(.key(.character("c"), .ctrl))
      pasteIsAbandoned = true
      collected.removeAll()
      pasteSequence.removeAll()
    case 0x1B:
      keep(pasteSequence)
      pasteSequence = [byte]
    case _ where pasteSequence.isEmpty:
      keep([byte])
    default:
      pasteSequence.append(byte)
      if pasteSequence.count == 2, byte == UInt8(ascii: "[") { return }
      if pasteSequence.count > 2, pasteSequence.count < Self.sequenceCapacity, (0x20...0x3F).contains(byte) { return }
      pasteSequenceDidEnd(&events)
    }
  }

  private mutating func pasteSequenceDidEnd(_ events: inout [InputEvent]) {
    defer { pasteSequence.removeAll(keepingCapacity: true) }
    let sequence = pasteSequence.count > 2 ? ControlSequence(pasteSequence.dropFirst(2)) : nil
    guard sequence?.isPasteEnd != true else { return endPaste(&events) }
    switch sequence?.event(expectsCursorReport: expectsCursorReport, alt: []) {
    case .some(let event) where !event.isKey: events.append(event)
    default: keep(pasteSequence)
    }
  }

  private mutating func keep(_ bytes: [UInt8]) {
    guard !pasteIsAbandoned else { return }
    collected.append(contentsOf: bytes.prefix(Self.pasteCapacity - collected.count))
  }

  private mutating func endPaste(_ events: inout [InputEvent]) {
    if !pasteIsAbandoned { events.append(.paste(String(decoding: collected, as: UTF8.self))) }
    reset()
  }

  /// True if a chunk is exactly the rest of a sequence after its ESC; nobody types that at once.
  private static func completesSequence(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count >= 2 else { return false }
    if bytes[0] == UInt8(ascii: "O") { return "ABCDFHPQRS".utf8.contains(bytes[1]) }
    guard bytes[0] == UInt8(ascii: "[") else { return false }
    guard let final = bytes.dropFirst().firstIndex(where: { !(0x20...0x3F).contains($0) }) else {
      return false
    }
    return "ABCDEFHPQRSZ~uMmncytIO".utf8.contains(bytes[final])
  }
}

extension InputEvent {
  /// Only a key can combine with a preceding ESC to an Alt key; otherwise ESC is a key itself.
  fileprivate var isKey: Bool {
    if case .key = self { true } else { false }
  }
}

extension Unicode.Scalar {
  fileprivate var isC1Control: Bool { (0x80...0x9F).contains(value) }
}
