/// A key with its modifiers, and its name in the settings file.
///
/// Names are modifiers and a key joined by hyphens: `space`, `left`, `shift-left`, `ctrl-c`, `alt-1`, `f1`,
/// `a`, `L`, `=`, `-`. Names of keys and modifiers ignore case; single characters do not.
public struct KeyStroke: Hashable, Sendable {
  public var key: Key
  public var modifiers: Modifiers

  public init(_ key: Key, _ modifiers: Modifiers = []) {
    self.key = key
    self.modifiers = modifiers
  }
}

extension KeyStroke: CustomStringConvertible {
  /// The name, which `init(_:)` parses.
  public var description: String {
    var name = ""
    if modifiers.contains(.ctrl) { name += "ctrl-" }
    if modifiers.contains(.alt) { name += "alt-" }
    if modifiers.contains(.shift) { name += "shift-" }
    switch key {
    case .function(let number): name += "f\(number)"
    case .character(let scalar) where scalar != " ": name.unicodeScalars.append(scalar)
    default: name += Key.named.first { $0.key == key }?.name ?? ""
    }
    return name
  }
}

extension KeyStroke: LosslessStringConvertible {
  /// Parses a name; nil if there is no such key or no terminal can send it (`shift-1`: its name is `!`).
  public init?(_ name: String) {
    var rest = Substring(name)
    var modifiers: Modifiers = []
    let prefixes: [(String, Modifiers)] = [
      ("ctrl-", .ctrl), ("control-", .ctrl), ("alt-", .alt), ("meta-", .alt), ("shift-", .shift),
    ]
    while let (prefix, modifier) = prefixes.first(where: { prefix, _ in
      rest.utf8.count > prefix.utf8.count && rest.prefix(prefix.count).lowercased() == prefix
    }) {
      guard !modifiers.contains(modifier) else { return nil }
      modifiers.insert(modifier)
      rest = rest.dropFirst(prefix.count)
    }
    if let scalar = rest.unicodeScalars.first, rest.unicodeScalars.count == 1 {
      guard let stroke = KeyStroke(character: scalar, modifiers) else { return nil }
      self = stroke
      return
    }
    let lower = rest.lowercased()
    if let entry = Key.named.first(where: { $0.name == lower || $0.aliases.contains(lower) }) {
      self.init(entry.key, modifiers)
    } else if lower.first == "f", let number = Int(lower.dropFirst()), (1...12).contains(number) {
      self.init(.function(number), modifiers)
    } else {
      return nil
    }
  }

  private init?(character scalar: Unicode.Scalar, _ modifiers: Modifiers) {
    guard scalar.properties.generalCategory != .control else { return nil }
    var scalar = scalar
    var modifiers = modifiers
    let isLetter = scalar.properties.isAlphabetic
    if modifiers.contains(.ctrl), isLetter, let lower = scalar.properties.lowercaseMapping.onlyScalar {
      scalar = lower
    } else if modifiers.contains(.shift), isLetter,
      let upper = scalar.properties.uppercaseMapping.onlyScalar
    {
      scalar = upper
      modifiers.remove(.shift)
    }
    guard !modifiers.contains(.shift) || modifiers.contains(.ctrl) || scalar == " " else { return nil }
    self.init(.character(scalar), modifiers)
  }
}

extension String {
  /// The only scalar of a string; nil if there are more.
  fileprivate var onlyScalar: Unicode.Scalar? {
    unicodeScalars.count == 1 ? unicodeScalars.first : nil
  }
}
