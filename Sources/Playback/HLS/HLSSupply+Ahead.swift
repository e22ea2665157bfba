import DecodePool
import Libav

/// Loading segments before they are needed.
extension HLSSupply {
  /// The segments that follow the one being played without a gap and are at hand.
  struct Ahead {
    /// The last of them, or the one being played; nil if nothing is.
    var last: Place?
    /// True if the one being played is at hand.
    var hasFront = false
    var duration = MediaTime.zero
    var byteCount = 0
  }

  /// The segments at hand after the one being played.
  var bufferedAhead: Ahead {
    let (front, successors) = state.withLock { ($0.front, $0.successors) }
    guard let front else { return Ahead() }
    var ahead = Ahead(last: front.place, hasFront: byteCount(of: front.place) != nil)
    // Of the one being played, what has arrived and is left.
    if let duration = duration(of: front.place), let share = resource(of: front.place).flatMap(loader.arrivedShare) {
      ahead.duration = MediaTime(seconds: duration.seconds * max(0, share - front.share), preferredTimescale: 1_000_000)
    }
    while ahead.hasFront, let last = ahead.last, let next = successors[last], let bytes = byteCount(of: next), next != front.place
    {
      ahead.last = next
      ahead.byteCount += bytes
      ahead.duration = ahead.duration + (duration(of: next) ?? .zero)
    }
    return ahead
  }

  /// The data that have arrived ahead of playback.
  var report: DataSupply.Report {
    let ahead = bufferedAhead
    var isLast = false
    if let last = ahead.last, ahead.hasFront, case .end? = known(last.stream)?.following(last.number) { isLast = true }
    return DataSupply.Report(
      bytesAhead: Int64(ahead.byteCount), hasArrived: isLast || failure != nil, isFull: isEnough(ahead),
      seconds: ahead.duration.seconds)
  }

  private func isEnough(_ ahead: Ahead) -> Bool {
    ahead.duration >= preferences.value.buffer || ahead.byteCount >= loader.budget / 2
  }

  private func duration(of place: Place) -> MediaTime? {
    known(place.stream)?.timeline.timeRange(ofSegment: place.number)?.duration
  }

  /// The number of a segment's bytes; nil unless it is at hand.
  private func byteCount(of place: Place) -> Int? { resource(of: place).flatMap(loader.byteCount) }

  /// Notes that playback has reached a place, and loads what follows.
  func didReach(_ place: Place, share: Double) {
    let begins = state.withLock { state in
      if state.front?.place != place { state.failedAhead = [] }
      state.front = (place, share)
      guard !state.isLoadingAhead, !loader.ending.isInterrupted else { return false }
      state.isLoadingAhead = true
      return true
    }
    guard begins else { return }
    do throws(ThreadError) {
      try detachThread { [self] in loadAhead() }
    } catch {
      state.withLock { $0.isLoadingAhead = false }
    }
  }

  /// The time until the next look if nothing has changed, in nanoseconds.
  private static let interval: UInt64 = 100_000_000
  /// The time after which a download is judged, in nanoseconds.
  private static let patience: UInt64 = 1_000_000_000

  private func loadAhead() {
    while !loader.ending.isInterrupted {
      if let (former, place) = nextToLoad() {
        load(place, after: former)
      } else {
        _ = state.wait(until: monotonicNanoseconds() + Self.interval) { _ in Void?.none }
      }
    }
    state.withLock { $0.isLoadingAhead = false }
  }

  /// Returns the segment to load next, and the one before it; nil for none.
  private func nextToLoad() -> (Place, Place)? {
    let ahead = bufferedAhead
    guard let last = ahead.last, ahead.hasFront, !isEnough(ahead),
      case .place(let next) = try? peek(after: last, loader.ending), byteCount(of: next) == nil,
      !state.withLock({ $0.failedAhead.contains(next) })
    else { return nil }
    return (last, next)
  }

  private func load(_ place: Place, after former: Place) {
    guard let resource = resource(of: place), let use = try? use(resource, of: place) else { return noteFailure(place) }
    let start = monotonicNanoseconds()
    while !use.bytes.isOver {
      use.bytes.waitUntilOver(until: monotonicNanoseconds() + Self.interval)
      if loader.ending.isInterrupted || !isPlanned(place) { return }
      if let rate = slowRate(of: use.bytes.count, since: start, place) {
        return state.withLock { state in
          state.slowRate = rate
          state.successors[former] = nil
        }
      }
    }
    guard use.bytes.isComplete else { return noteFailure(place) }
    // The estimate of the bandwidth may take some downloads to fall.
    let bandwidth = loader.bandwidth ?? 0
    state.withLock { $0.slowRate = $0.slowRate.flatMap { 2 * $0 < bandwidth ? 2 * $0 : nil } }
  }

  /// Whoever needs the segment tries again, and says why it fails.
  private func noteFailure(_ place: Place) { state.withLock { _ = $0.failedAhead.insert(place) } }

  /// Returns true if a segment is still to be played after the current one.
  private func isPlanned(_ place: Place) -> Bool {
    state.withLock { state in
      var next = state.front?.place, count = 0
      while let current = next, count <= state.successors.count {
        if current == place { return true }
        (next, count) = (state.successors[current], count + 1)
      }
      return false
    }
  }

  /// Returns the rate of a download in bits per second if it will not end in time, and a lower variant is to be loaded instead.
  private func slowRate(of count: Int, since start: UInt64, _ place: Place) -> Double? {
    let now = monotonicNanoseconds()
    guard now >= start + Self.patience, preferences.value.variant == nil, let duration = duration(of: place)?.seconds,
      let bandwidth = state.withLock({ state -> Double? in
        guard let choice = state.choice, choice.hasCheaper(than: place.stream), state.front?.place != place else { return nil }
        let variant = choice.variants[place.stream]
        return Double(variant.averageBandwidth ?? variant.bandwidth)
      })
    else { return nil }
    let rate = max(1, Double(count) * 8 / (Double(now - start) / 1e9))
    let left = bandwidth * duration - Double(count) * 8
    return left / rate > max(bufferedAhead.duration.seconds, duration / 2) ? rate : nil
  }
}
