/// Frames of two players that are on display at the same moment.
public struct FramePair: Sendable {
  /// The frame of the first player.
  public var first: RenderedFrame
  /// The frame of the second player.
  public var second: RenderedFrame
  /// The host time at which the later of the two was due.
  public var due: HostTime

  /// Creates a pair.
  public init(first: RenderedFrame, second: RenderedFrame, due: HostTime) {
    (self.first, self.second, self.due) = (first, second, due)
  }
}
