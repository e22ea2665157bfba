/// The way an image with more pixels than its frame is made.
public enum MagnificationFilter: String, CaseIterable, Hashable, Sendable {
  /// Interpolates between the frame's pixels.
  case smooth
  /// Repeats the frame's pixels: every colour is one of the frame.
  case nearest
}
