import Synchronization

/// A view of two players' frames as pairs: both frames on display at one moment, or neither.
///
/// The distance of the players is that of their clocks, so players that seek and play together (`PlayerGroup`) stay together
/// whatever their frame rates. If frames come too late to form pairs with those on display, the newest pair that is complete is
/// returned, and others are dropped as a whole. While both players rest, the pair is what each displays. Safe to use from any
/// thread. Retains both players.
public final class PairedOutput: Sendable {
  /// The output of the first player; only the paired output may take its frames.
  public let first: VideoOutput
  /// The output of the second player; only the paired output may take its frames.
  public let second: VideoOutput
  private let matcher = Mutex(PairMatcher())

  /// Creates an output of two players; nothing is requested yet.
  public init(_ first: Player, _ second: Player) {
    self.first = VideoOutput(first)
    self.second = VideoOutput(second)
  }

  /// The requests to render the frames for; nil while they are not displayed.
  public var requests: (first: RenderRequest, second: RenderRequest)? {
    get { matcher.withLock { $0.requests } }
    set {
      matcher.withLock { $0.setRequests(first: newValue?.first, second: newValue?.second) }
      first.request = newValue?.first
      second.request = newValue?.second
    }
  }

  /// Pairs frames of running players by their numbers instead of the players' clocks; nil goes by the clocks.
  package func setNumberings(_ numberings: (first: FrameNumbering, second: FrameNumbering)?) {
    matcher.withLock { $0.numberings = numberings }
  }

  /// Returns the newest pair due at `host`, unless it has already been taken.
  ///
  /// - Parameter host: as in `VideoOutput.copyFrame(at:)`.
  public func copyPair(at host: HostTime) -> FramePair? {
    let one = first.copyFrame(at: host), other = second.copyFrame(at: host)
    let moments = (first.moment(at: host), second.moment(at: host))
    return matcher.withLock { matcher in
      matcher.add(first: one, second: other)
      return matcher.takePair(moments.0, moments.1)
    }
  }

  /// Returns when to call `copyPair(at:)` next; nil if no frame waits or the clocks are stopped.
  public func nextFrameTime(after host: HostTime) -> HostTime? {
    [first, second].compactMap { $0.nextFrameTime(after: host) }.min()
  }

  /// The number of pairs dropped because one of their frames was missing.
  public var droppedPairs: Int { matcher.withLock { $0.dropped } }

  /// Sets a closure to call when there may be something new to show, as `VideoOutput.setWaker(_:)` does.
  public func setWaker(_ wake: (@Sendable () -> Void)?) {
    first.setWaker(wake)
    second.setWaker(wake)
  }

  /// Counts the frames of a pair as shown in the statistics of their players.
  public func didShow(_ pair: FramePair, at host: HostTime) {
    first.didShow(due: pair.due, at: host)
    second.didShow(due: pair.due, at: host)
  }
}

extension VideoOutput {
  fileprivate func moment(at host: HostTime) -> PairMatcher.Moment { player.read { core, _ in core.pairMoment(at: host.withinReach) } }
}
