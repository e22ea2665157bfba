import CellGraphics

/// The style of chrome: two colours and attributes.
public struct ChromeStyle: Hashable, Sendable {
  public var foreground: CellColor
  public var background: CellColor
  public var attributes: CellAttributes

  public init(
    foreground: CellColor = .default, background: CellColor = .default, attributes: CellAttributes = []
  ) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }

  /// The terminal's default colours without attributes.
  public static let plain = ChromeStyle()
}
