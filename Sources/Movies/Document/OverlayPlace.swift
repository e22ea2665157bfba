/// The position of an overlay in the frame.
public enum OverlayPlace: Hashable, Sendable {
  /// At an edge, in a corner or in the middle, at its own size.
  case named(Name)
  /// A rectangle in fractions of the frame: x and y of its top left corner, 0 to 1; width and height above 0, at most 1.
  case rectangle(x: Double, y: Double, width: Double, height: Double)

  /// Named places.
  public enum Name: String, Hashable, Sendable, CaseIterable {
    /// The whole frame.
    case full
    /// The middle.
    case center
    /// The middle of the top edge.
    case top
    /// The middle of the bottom edge.
    case bottom
    /// The middle of the left edge.
    case left
    /// The middle of the right edge.
    case right
    /// The top left corner.
    case topLeft = "top-left"
    /// The top right corner.
    case topRight = "top-right"
    /// The bottom left corner.
    case bottomLeft = "bottom-left"
    /// The bottom right corner.
    case bottomRight = "bottom-right"
  }
}
