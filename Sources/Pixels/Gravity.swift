/// The way a frame fills a box of a different shape.
public enum Gravity: String, CaseIterable, Hashable, Sendable {
  /// Fits the whole frame in the box, with bars where the box is longer.
  case resizeAspect
  /// Fills the whole box, cropping the frame's longer side.
  case resizeAspectFill
  /// Stretches the whole frame to the whole box, ignoring its shape.
  case resize

  /// The next value in the order of `allCases`, wrapping around.
  public var next: Gravity {
    let all = Self.allCases
    let i = all.firstIndex(of: self) ?? all.startIndex
    return all[(i + 1) % all.count]
  }
}
