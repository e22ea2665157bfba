/// The times at which a live playlist is loaded again, and whether it still changes.
struct HLSReloadSchedule: Sendable {
  private let targetDuration: Int64
  private let lastLoad: HostTime
  /// The host time of the load that last brought something new.
  private let lastChange: HostTime

  /// Creates the schedule of a playlist that was loaded for the first time.
  ///
  /// - Parameters:
  ///   - targetDuration: the playlist's target duration in nanoseconds.
  ///   - now: the host time at which the load began.
  init(targetDuration: Int64, at now: HostTime) { self.init(targetDuration, now.withinReach, now.withinReach) }

  private init(_ targetDuration: Int64, _ lastLoad: HostTime, _ lastChange: HostTime) {
    (self.targetDuration, self.lastLoad, self.lastChange) = (targetDuration, lastLoad, lastChange)
  }

  /// Returns the schedule after another load, with its target duration in nanoseconds.
  ///
  /// - Parameter hasNews: true if it brought new segments, or the end.
  func loaded(at now: HostTime, targetDuration: Int64, hasNews: Bool) -> HLSReloadSchedule {
    HLSReloadSchedule(targetDuration, now.withinReach, hasNews ? now.withinReach : lastChange)
  }

  /// The nanoseconds between the beginnings of two loads: the target duration after a change, else half of it.
  ///
  /// At least half a second, and at most a minute, whatever a playlist announces.
  var interval: Int64 {
    let interval = lastChange == lastLoad ? targetDuration : targetDuration / 2
    return min(max(interval, 500_000_000), 60_000_000_000)
  }

  /// The host time at which to load next.
  var nextLoad: HostTime { lastLoad + interval }

  /// Returns the nanoseconds since something has changed, if that is three times as long as servers may take: 4.5 target durations.
  func silence(at now: HostTime) -> HostTime? {
    let silence = now.withinReach - lastChange
    return silence > targetDuration / 2 * 9 ? silence : nil
  }
}
