/// Keeps playback near the edge of a live source: a value that says how much time to skip.
///
/// The measure is a frame's slack: the time from when it could be displayed until it is due. The least slack of the last second
/// or two is what playback could skip without being late for any frame. It is skipped a little at a time, which nobody sees;
/// only after a pause of the source, when many frames come at once, all of it is skipped. A frame that is late makes the clock
/// wait, by which all later ones gain slack.
struct LiveFollowing {
  private enum State {
    /// Playback stays at the edge.
    case following
    /// The viewer has gone back, or was paused.
    case behind
  }

  private var state = State.following
  /// The least slack of the last period and of the present one.
  private var least: (former: HostTime?, present: HostTime?) = (nil, nil)
  private var periodEnd: HostTime = 0

  private static let period: HostTime = 1_000_000_000
  /// The slack that is left, in nanoseconds.
  private static let margin: HostTime = 15_000_000
  /// The slack in nanoseconds from which all is skipped at once.
  static let maxSlack: HostTime = 300_000_000
  /// The maximum to skip at a frame otherwise.
  private static let maxStep: HostTime = 4_000_000
  /// The distance from the edge in seconds that counts as being there.
  private static let near = 1.0

  var isFollowing: Bool { state == .following }

  /// Notes that the viewer has chosen a time, or goes on from it.
  mutating func go(to seconds: Double, edge: Double) { state = edge - seconds < Self.near ? .following : .behind }

  /// Notes that playback waits for the next frame to arrive.
  mutating func didReachEdge() { state = .following }

  /// Returns the time to skip now that a frame could be displayed.
  mutating func skip(slack: HostTime, at host: HostTime) -> HostTime {
    guard isFollowing else { return 0 }
    if host >= periodEnd { (least, periodEnd) = ((least.present, nil), host + Self.period) }
    if slack > Self.maxSlack {
      least = (nil, nil)
      return slack - Self.margin
    }
    least.present = min(least.present ?? slack, slack)
    guard let former = least.former, let present = least.present else { return 0 }
    let step = max(0, min(min(former, present) - Self.margin, Self.maxStep))
    least = (former - step, present - step)
    return step
  }
}
