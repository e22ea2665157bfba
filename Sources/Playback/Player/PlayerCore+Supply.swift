/// Waiting for data that have yet to arrive.
extension PlayerCore {
  /// Notes that the source begins or ends to wait for data.
  mutating func sourceWaits(_ isWaiting: Bool, _ report: DataSupply.Report?, at host: HostTime) {
    item.supply.setWaiting(isWaiting)
    noteSupply(report, at: host)
  }

  /// Notes the data that have arrived.
  mutating func noteSupply(_ report: DataSupply.Report?, at host: HostTime) {
    item.supply.note(report)
    advance(to: host)
    endStall(at: host)
    leaveBacklog(at: host)
  }

  /// Makes the clock wait where the frames end, if the source waits for the data of the next one. Returns true if it does.
  mutating func stallIfStarved(at host: HostTime) -> Bool {
    guard let end = item.starvedEnd(clockView, at: host) else { return false }
    let hostAtEnd = clock.host(passing: end, by: host)
    clock.setBuffering(.nextData)
    perform(clock.wait(atEnd: end, .buffering, at: hostAtEnd))
    // At the edge of a live source, each frame may come a little late.
    if item.supply.edge != nil {
      item.supply.live.didReachEdge()
    } else {
      item.supply.noteStall(at: host)
      clock.report(.stalled(at: MediaTime(nanoseconds: end)))
    }
    wake([.lane, .display, .observers])
    return true
  }

  /// Lets the clock go on once enough data have arrived.
  mutating func endStall(at host: HostTime) {
    guard clock.buffering == .nextData, item.hasNextFrame,
      !waitsToMinimizeStalling || item.supply.isLikelyToKeepUp(from: item.decodedSeconds, rate: abs(clock.rate))
    else { return }
    setBuffering(nil, at: host)
  }

  /// Waits for more than the next frame after data have run out, or not.
  mutating func setWaitsToMinimizeStalling(_ waits: Bool, at host: HostTime) {
    waitsToMinimizeStalling = waits
    endStall(at: host)
  }

  // MARK: - Live

  /// The distance from the edge in seconds from which playback skips to it without decoding what lies between.
  private static let maxBacklog = 2.0

  /// Notes that the viewer has chosen a time, or goes on from it.
  mutating func noteChosenTime(at host: HostTime) {
    if let edge = item.supply.edge { item.supply.live.go(to: currentTime(at: host).seconds, edge: edge) }
  }

  /// Skips what a live source has sent while playback could not follow.
  private mutating func leaveBacklog(at host: HostTime) {
    guard let edge = item.supply.edge, item.supply.live.isFollowing, clock.rate > 0, clock.isRunning, !seeks.isUnderWay
    else { return }
    let lag = edge - Double(clock.media(at: host)) / 1e9
    if lag > Self.maxBacklog { clock.shift(by: HostTime(saturating: lag * 1e9), at: host) }
  }

  /// Skips a part of the time by which frames of a live source come before they are due.
  mutating func followEdge(at host: HostTime) {
    guard item.supply.edge != nil, clock.rate > 0, clock.isRunning, !seeks.isUnderWay, pacing == .clock,
      let newest = item.presentation.waiting.last?.timing.ptsNanoseconds
    else { return }
    let skip = item.supply.live.skip(slack: newest - clock.media(at: host), at: host)
    guard skip > 0 else { return }
    clock.shift(by: skip, at: host)
    wake(.display)
  }

  /// True if the source waits for data while a seek waits for the source.
  var isBlockingSeek: Bool { item.supply.isWaiting && seeks.waiting != nil }

  /// Notes that the source has abandoned a read, so that it must move before it decodes further. The waiting seek is next.
  mutating func readWasAbandoned(at host: HostTime) {
    if seeks.waiting != nil { perform(.complete(seeks.abandonActive())) }
    item.readWasAbandoned()
  }
}

extension ItemPlayback {
  /// Returns the end of the displayed frame in nanoseconds, if the clock has reached it and the source waits for the data of
  /// the next one.
  func starvedEnd(_ clock: ClockView, at host: HostTime) -> Int64? {
    guard supply.isWaiting, clock.rate > 0, clock.pacing == .clock, presentation.waiting.isEmpty, passes.areTogether,
      decode.isStreaming, let displayed = presentation.displayed
    else { return nil }
    let end = displayed.timing.endNanoseconds
    return clock.media(at: host) >= end ? end : nil
  }

  /// True if there is a frame to go on with, or there will be none.
  var hasNextFrame: Bool { !presentation.waiting.isEmpty || decode.end != nil }

  /// The media time that the source has reached, in seconds.
  var decodedSeconds: Double { (decode.last ?? presentation.displayed?.timing)?.end.seconds ?? 0 }

  mutating func readWasAbandoned() {
    decode.willMove()
    if decode.search != nil { decode.stream() }
  }
}
