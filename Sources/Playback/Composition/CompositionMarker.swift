/// A moment or a stretch of a composition that somebody has marked.
public struct CompositionMarker: Hashable, Sendable {
  /// On the composition's timeline; a moment has no length.
  public let timeRange: TimeRange
  /// What it says. Any text, control characters included.
  public let name: String

  /// A marker as its properties say.
  public init(timeRange: TimeRange, name: String) {
    self.timeRange = timeRange
    self.name = name
  }
}
