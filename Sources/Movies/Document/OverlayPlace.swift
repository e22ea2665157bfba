/// Where in the frame an overlay lies.
public enum OverlayPlace: Hashable, Sendable {
  /// At an edge, in a corner or in the middle, as large as it is.
  case named(Name)
  /// In a rectangle of fractions of the frame: x and y of its upper left corner, 0 to 1; width and height above 0, up to 1.
  case rectangle(x: Double, y: Double, width: Double, height: Double)

  /// Places that have names.
  public enum Name: String, Hashable, Sendable, CaseIterable {
    /// The whole frame.
    case full
    /// The middle.
    case center
    /// The middle of the upper edge.
    case top
    /// The middle of the lower edge.
    case bottom
    /// The middle of the left edge.
    case left
    /// The middle of the right edge.
    case right
    /// The corner up on the left.
    case topLeft = "top-left"
    /// The corner up on the right.
    case topRight = "top-right"
    /// The corner down on the left.
    case bottomLeft = "bottom-left"
    /// The corner down on the right.
    case bottomRight = "bottom-right"
  }
}
