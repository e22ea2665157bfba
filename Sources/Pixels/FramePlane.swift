/// The part of a frame's coded values to show.
public enum FramePlane: String, CaseIterable, Hashable, Sendable {
  /// The picture in its colours.
  case picture
  /// Luma, Y′. Single planes are shown in grey: the code values, shifted to 8 bits, without regard to their range.
  case luma
  /// The blue-difference plane, Cb.
  case cb
  /// The red-difference plane, Cr.
  case cr
  /// Opacity; white for a frame without any.
  case alpha
}

/// The fields of a frame to show.
public enum FrameFields: String, CaseIterable, Hashable, Sendable {
  /// The field displayed first of an interlaced frame, to avoid combing; all lines of other frames.
  case automatic
  /// The top field: lines 0, 2, 4 and so on, also of frames that are not marked as interlaced.
  case top
  /// The bottom field: lines 1, 3, 5 and so on, also of frames that are not marked as interlaced.
  case bottom
  /// All lines, with both fields woven together.
  case weave
  /// The field displayed first with its lines in their places, and interpolated lines between them.
  case bob
}
