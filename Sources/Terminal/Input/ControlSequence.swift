/// A parsed control sequence (CSI): prefix, parameters and final byte.
///
/// Source: ECMA-48 5.4; meanings from Xterm Control Sequences, with the keys of rxvt and the VT220.
struct ControlSequence: Equatable {
  /// `<`, `=`, `>` or `?` before the parameters, or 0.
  private(set) var prefix: UInt8 = 0
  /// The parameters; 0 if omitted.
  private(set) var parameters: [Int] = []
  /// The part after a colon in the second parameter: kitty's event type (3 is a release).
  private(set) var keyEventKind = 1
  private(set) var intermediate: UInt8 = 0
  let final: UInt8

  private static let largestParameter = 999_999
  private static let maxParameters = 16

  /// Parses the bytes after the introducer; nil if they are not a well-formed sequence.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard let last = bytes.last else { return nil }
    final = last
    var rest = bytes.dropLast()
    if let first = rest.first, (0x3C...0x3F).contains(first) {
      prefix = first
      rest = rest.dropFirst()
    }
    var value = 0
    var part = 0
    var subvalue = 0
    var isEmpty = true
    for byte in rest {
      switch byte {
      case 0x30...0x39:
        guard intermediate == 0 else { return nil }
        isEmpty = false
        if part == 0 {
          value = min(value * 10 + Int(byte - 0x30), Self.largestParameter)
        } else if part == 1 {
          subvalue = min(subvalue * 10 + Int(byte - 0x30), Self.largestParameter)
        }
      case 0x3A:
        part += 1
      case 0x3B:
        if parameters.count == 1 && part > 0 { keyEventKind = subvalue }
        guard parameters.count < Self.maxParameters else { return nil }
        parameters.append(value)
        (value, part, subvalue, isEmpty) = (0, 0, 0, false)
      case 0x20...0x2F:
        intermediate = byte
      default:
        return nil
      }
    }
    if parameters.count == 1 && part > 0 { keyEventKind = subvalue }
    if !isEmpty { parameters.append(value) }
  }

  private func parameter(_ index: Int, default value: Int) -> Int {
    index < parameters.count && parameters[index] != 0 ? parameters[index] : value
  }

  private var modifiers: Modifiers { Modifiers(xtermParameter: parameter(1, default: 1)) }

  var isPasteStart: Bool { final == UInt8(ascii: "~") && prefix == 0 && parameters == [200] }

  var isPasteEnd: Bool { final == UInt8(ascii: "~") && prefix == 0 && parameters == [201] }

  /// The event; nil if the sequence is unknown or irrelevant.
  func event(expectsCursorReport: Bool, alt: Modifiers) -> InputEvent? {
    if let reply = reply(expectsCursorReport: expectsCursorReport) { return .reply(reply) }
    if prefix == UInt8(ascii: "<") { return mouse.map(InputEvent.mouse) }
    if prefix == 0, intermediate == 0, parameters.isEmpty {
      if final == UInt8(ascii: "I") { return .focus(true) }
      if final == UInt8(ascii: "O") { return .focus(false) }
    }
    return key.map { .key($0.key, $0.modifiers.union(alt)) }
  }

  // MARK: Replies

  private func reply(expectsCursorReport: Bool) -> TerminalReply? {
    switch (prefix, intermediate, final) {
    case (0, 0, UInt8(ascii: "n")) where parameters == [0]:
      return .operatingStatus
    case (0, 0, UInt8(ascii: "R")) where expectsCursorReport && parameters.count == 2:
      return .cursorPosition(row: parameters[0], column: parameters[1])
    case (UInt8(ascii: "?"), 0, UInt8(ascii: "c")):
      return .primaryAttributes(parameters)
    case (UInt8(ascii: ">"), 0, UInt8(ascii: "c")):
      return .secondaryAttributes(parameters)
    case (UInt8(ascii: "?"), UInt8(ascii: "$"), UInt8(ascii: "y")) where parameters.count == 2:
      return .privateMode(parameters[0], TerminalReply.ModeState(rawValue: parameters[1]) ?? .unknown)
    case (0, 0, UInt8(ascii: "t")) where parameters.count == 3 && parameters[0] == 6:
      return .cellPixels(width: parameters[2], height: parameters[1])
    case (UInt8(ascii: "?"), 0, UInt8(ascii: "S")) where parameters.count == 4 && parameters[0] == 2 && parameters[1] == 0:
      return .sixelGeometry(width: parameters[2], height: parameters[3])
    default:
      return nil
    }
  }

  // MARK: Mouse

  private var mouse: MouseEvent? {
    let isRelease = final == UInt8(ascii: "m")
    guard isRelease || final == UInt8(ascii: "M"), intermediate == 0, parameters.count == 3 else {
      return nil
    }
    let code = parameters[0]
    guard code < 128 else { return nil }  // Buttons 8–11.
    var modifiers: Modifiers = []
    if code & 4 != 0 { modifiers.insert(.shift) }
    if code & 8 != 0 { modifiers.insert(.alt) }
    if code & 16 != 0 { modifiers.insert(.ctrl) }
    let kind: MouseEvent.Kind
    if code & 64 != 0 {
      guard !isRelease else { return nil }
      let wheel: [MouseEvent.Kind] = [.wheelUp, .wheelDown, .wheelLeft, .wheelRight]
      kind = wheel[code & 3]
    } else {
      let buttons: [MouseEvent.Button] = [.left, .middle, .right, .none]
      let button = buttons[code & 3]
      if isRelease {
        kind = .release(button)
      } else if code & 32 != 0 {
        kind = button == .none ? .move : .drag(button)
      } else {
        kind = .press(button)
      }
    }
    return MouseEvent(
      kind, column: max(0, parameters[1] - 1), row: max(0, parameters[2] - 1), modifiers: modifiers)
  }

  // MARK: Keys

  private var key: KeyStroke? {
    guard prefix == 0, keyEventKind != 3 else { return nil }
    switch (intermediate, final) {
    case (0, UInt8(ascii: "~")):
      if parameters.count == 3, parameters[0] == 27 { return encodedKey(parameters[2]) }
      return parameters.count <= 2 ? numbered(modifiers) : nil
    case (0, UInt8(ascii: "u")):
      return encodedKey(parameter(0, default: 0))
    case (0, UInt8(ascii: "Z")):
      return KeyStroke(.tab, modifiers.union(.shift))
    // rxvt encodes the modifier in the final byte.
    case (0, UInt8(ascii: "^")):
      return numbered(.ctrl)
    case (0, UInt8(ascii: "@")):
      return numbered([.ctrl, .shift])
    case (0, UInt8(ascii: "a")...UInt8(ascii: "d")) where parameters.isEmpty:
      return Self.lettered(final - 0x20).map { KeyStroke($0, .shift) }
    case (0, _):
      let count = parameters.count
      guard count == 0 || count == 2 && parameters[0] <= 1, let key = Self.lettered(final) else { return nil }
      return KeyStroke(key, modifiers)
    default:
      return nil
    }
  }

  /// The key of an SS3 sequence; a number before the final byte is the modifier.
  var singleShiftKey: KeyStroke? {
    guard prefix == 0, intermediate == 0 else { return nil }
    let modifiers = Modifiers(xtermParameter: parameters.last ?? 1)
    if let key = Self.lettered(final) { return KeyStroke(key, modifiers) }
    switch final {
    case UInt8(ascii: "a")...UInt8(ascii: "d"):
      return Self.lettered(final - 0x20).map { KeyStroke($0, .ctrl) }
    case UInt8(ascii: "M"):
      return KeyStroke(.enter, modifiers)
    case UInt8(ascii: "I"):
      return KeyStroke(.tab, modifiers)
    // The keypad in application mode: codes are 0x40 above the characters on the keys.
    case UInt8(ascii: "j")...UInt8(ascii: "y"), UInt8(ascii: "X"), UInt8(ascii: " "):
      let scalar = final == UInt8(ascii: "X") ? "=" : Unicode.Scalar(final == 0x20 ? 0x20 : final - 0x40)
      return KeyStroke(.character(scalar), modifiers.subtracting(.shift))
    default:
      return nil
    }
  }

  private static func lettered(_ final: UInt8) -> Key? {
    switch final {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "E"): .begin
    case UInt8(ascii: "F"): .end
    case UInt8(ascii: "H"): .home
    case UInt8(ascii: "P"): .function(1)
    case UInt8(ascii: "Q"): .function(2)
    case UInt8(ascii: "R"): .function(3)
    case UInt8(ascii: "S"): .function(4)
    default: nil
    }
  }

  private func numbered(_ modifiers: Modifiers) -> KeyStroke? {
    switch parameter(0, default: 0) {
    case 1, 7: return KeyStroke(.home, modifiers)
    case 2: return KeyStroke(.insert, modifiers)
    case 3: return KeyStroke(.delete, modifiers)
    case 4, 8: return KeyStroke(.end, modifiers)
    case 5: return KeyStroke(.pageUp, modifiers)
    case 6: return KeyStroke(.pageDown, modifiers)
    case let code:
      // The VT220's numbers of F1…F20, with gaps; F13 and above are Shift with F1…F8.
      let codes = [11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24, 25, 26, 28, 29, 31, 32, 33, 34]
      guard let index = codes.firstIndex(of: code) else { return nil }
      return index < 12
        ? KeyStroke(.function(index + 1), modifiers)
        : KeyStroke(.function(index - 11), modifiers.union(.shift))
    }
  }

  /// A key given by its character code (xterm's modifyOtherKeys, kitty's keyboard protocol).
  private func encodedKey(_ code: Int) -> KeyStroke? {
    let modifiers = modifiers
    switch code {
    case 9: return KeyStroke(.tab, modifiers)
    case 13: return KeyStroke(.enter, modifiers)
    case 27: return KeyStroke(.escape, modifiers)
    case 8, 127: return KeyStroke(.backspace, modifiers)
    case 0xE000...0xF8FF: return nil  // kitty's keys without a character.
    default:
      guard code >= 0x20, !(0x80...0x9F).contains(code), let value = UInt32(exactly: code),
        let scalar = Unicode.Scalar(value)
      else { return nil }
      // Normalises a key: Shift becomes part of a character that has a capital.
      var name = modifiers.contains(.ctrl) ? "ctrl-" : ""
      if modifiers.contains(.alt) { name += "alt-" }
      let shifted = modifiers.contains(.shift) ? KeyStroke(name + "shift-\(scalar)") : nil
      return shifted ?? KeyStroke(.character(scalar), modifiers.subtracting(.shift))
    }
  }
}

extension TerminalReply {
  /// Parses the contents of a control string; nil for unrequested ones.
  init?(string bytes: [UInt8], introducer: UInt8) {
    switch introducer {
    case UInt8(ascii: "P"):
      if bytes.starts(with: Array(">|".utf8)) {
        // XTVERSION replies DCS >
        // text ST.
        self = .version(String(decoding: bytes.dropFirst(2), as: UTF8.self))
      } else if bytes.starts(with: Array("1$r".utf8)), bytes.last == UInt8(ascii: "m") {
        // DECRQSS replies DCS 1 $ r parameters m ST; colour parameters may be separated by colons, with an empty one.
        let parameters = bytes.dropFirst(3).dropLast().split { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ":") }
        self = .graphicRendition(parameters.compactMap { Int(String(decoding: $0, as: UTF8.self)) })
      } else {
        return nil
      }
    case UInt8(ascii: "]"):
      // OSC 4 ; index ; rgb:RRRR/GGGG/BBBB ST, with one to four digits per component.
      let fields = bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      guard fields.count == 3, fields[0].elementsEqual("4".utf8), fields[2].starts(with: Array("rgb:".utf8)),
        let index = Int(String(decoding: fields[1], as: UTF8.self))
      else { return nil }
      let components = fields[2].dropFirst(4).split(separator: UInt8(ascii: "/")).compactMap(Self.component)
      guard components.count == 3 else { return nil }
      self = .paletteColor(index, red: components[0], green: components[1], blue: components[2])
    case UInt8(ascii: "_"):
      // APC G i=number ; OK ST, or a message in its place. There may be other keys.
      guard bytes.first == UInt8(ascii: "G"), let semicolon = bytes.firstIndex(of: UInt8(ascii: ";")) else { return nil }
      let keys = bytes[1..<semicolon].split(separator: UInt8(ascii: ","))
      guard let key = keys.first(where: { $0.starts(with: Array("i=".utf8)) }),
        let number = Int(String(decoding: key.dropFirst(2), as: UTF8.self))
      else { return nil }
      self = .image(number, isAccepted: bytes[(semicolon + 1)...].elementsEqual("OK".utf8))
    default:
      return nil
    }
  }

  /// A colour component, 0–255, from its hexadecimal digits.
  private static func component(_ digits: ArraySlice<UInt8>) -> Int? {
    guard (1...4).contains(digits.count), let value = Int(String(decoding: digits, as: UTF8.self), radix: 16) else {
      return nil
    }
    let most = 1 << (4 * digits.count) - 1
    return (value * 255 + most / 2) / most
  }
}
