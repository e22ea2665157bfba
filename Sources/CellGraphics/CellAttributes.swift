/// The attributes of a cell other than its colours.
public struct CellAttributes: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let bold = CellAttributes(rawValue: 1)
  public static let dim = CellAttributes(rawValue: 2)
  public static let italic = CellAttributes(rawValue: 4)
  public static let underline = CellAttributes(rawValue: 8)
  public static let reverse = CellAttributes(rawValue: 16)

  /// The attributes that are visible on an empty cell.
  static let visibleOnBlank: CellAttributes = [.underline, .reverse]
}
