extension Array where Element: Equatable {
  /// The element after another; the first after the last one and after others.
  func next(after element: Element) -> Element {
    self[((firstIndex(of: element) ?? count - 1) + 1) % count]
  }
}
