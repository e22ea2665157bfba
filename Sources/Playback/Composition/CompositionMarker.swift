/// A named time or range in a composition.
public struct CompositionMarker: Hashable, Sendable {
  /// The range on the composition's timeline; empty for a single time.
  public let timeRange: TimeRange
  /// The marker's name; untrusted text that may include control characters.
  public let name: String

  /// Creates a marker.
  public init(timeRange: TimeRange, name: String) {
    self.timeRange = timeRange
    self.name = name
  }
}
