/// The modifier keys held with a key or a mouse button.
///
/// The bits are xterm's, whose parameter for modified keys is 1 plus these.
public struct Modifiers: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let shift = Modifiers(rawValue: 1)
  public static let alt = Modifiers(rawValue: 2)
  public static let ctrl = Modifiers(rawValue: 4)

  /// Decodes xterm's modifier parameter; Meta counts as Alt, higher bits are ignored.
  init(xtermParameter parameter: Int) {
    let bits = max(0, parameter - 1)
    var value = Modifiers(rawValue: UInt8(truncatingIfNeeded: bits & 7))
    if bits & 8 != 0 { value.insert(.alt) }
    self = value
  }
}
