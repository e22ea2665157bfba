/// A lane's recent load: time spent working, and time spent ready and waiting for a worker.
struct LaneLoad {
  private var worked: HostTime = 0
  private var waited: HostTime = 0
  private var began: HostTime?
  private var ready: HostTime?
  /// The time span considered, in nanoseconds.
  private static let memory: HostTime = 500_000_000

  mutating func begin(at host: HostTime) {
    if let ready { waited += max(0, host - ready) }
    ready = nil
    began = host
  }

  /// Notes that a step has ended; the next one is due at `next`.
  mutating func end(at host: HostTime, next: HostTime) {
    if let began { worked += max(0, host - began) }
    began = nil
    ready = max(host, next)
    if worked + waited > Self.memory {
      worked /= 2
      waited /= 2
    }
  }

  /// True if the lane is held up by others to a good part, rather than slow by itself: three lanes that take turns at
  /// two workers wait half as long as they work.
  var isHeldUp: Bool { 5 * waited > 2 * worked }
}
