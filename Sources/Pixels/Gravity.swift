/// How a frame fills its box when their shapes differ.
public enum Gravity: String, CaseIterable, Hashable, Sendable {
  /// The whole frame, with bars where the box is longer.
  case resizeAspect
  /// The whole box, with the frame's longer side cropped.
  case resizeAspectFill
  /// The whole frame in the whole box, its shape given up.
  case resize

  /// The next one in the order of `allCases`, the first after the last.
  public var next: Gravity {
    let all = Self.allCases
    let i = all.firstIndex(of: self) ?? all.startIndex
    return all[(i + 1) % all.count]
  }
}
