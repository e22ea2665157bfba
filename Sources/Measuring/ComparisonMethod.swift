import Alignment

/// The choices that decide what a comparison tells.
public struct ComparisonMethod: Codable, Hashable, Sendable {
  public let metrics: [Metric]
  /// False if frames were paired by their numbers.
  public let aligns: Bool
  public let syncPoints: [SyncPoint]
}
