/// The item's duration, as announced by the file and as found by decoding.
struct ItemDuration {
  /// The announced duration; indefinite if there is none.
  private let announced: MediaTime
  /// True if the duration is only estimated, so that an earlier end is no error.
  private let isEstimate: Bool
  /// The end of the last frame in nanoseconds, once it has been decoded.
  private(set) var knownEnd: Int64?
  /// True if frames before it may have been skipped.
  private var isGuess = false
  /// The time of the early end that was reported.
  private var reportedEarlyEnd: Int64?

  init(announced: MediaTime = .indefinite, isEstimate: Bool = false) {
    self.announced = announced
    self.isEstimate = isEstimate
  }

  // MARK: - Questions

  /// The duration as far as known; corrected once the end has been decoded.
  var value: MediaTime { knownEnd.map { MediaTime(nanoseconds: $0) } ?? announced }

  /// The end as far as known, in nanoseconds: decoded, else announced.
  var expectedEnd: Int64? { knownEnd ?? announced.clockNanoseconds }

  /// Returns the last time of the item, as far as known; +∞ if unknown.
  ///
  /// - Parameter displayed: the frame on display, which exists whatever the file announces.
  func lastTime(displaying displayed: FrameTiming?) -> MediaTime {
    if let knownEnd { return MediaTime(nanoseconds: max(0, knownEnd)) }
    return announced.isNumeric ? max(.zero, announced, displayed?.end ?? .zero) : .positiveInfinity
  }

  /// Returns true if a time is at or after the decoded end.
  func isAtEnd(_ time: MediaTime) -> Bool { knownEnd.map { time.nanoseconds ?? 0 >= $0 } ?? false }

  /// Returns true if a frame ends at or after the announced end, which then says nothing about what follows.
  func isBehindAnnounced(_ end: Int64) -> Bool { knownEnd == nil && end >= announced.clockNanoseconds ?? 0 }

  // MARK: - Finding out

  /// Notes that the data has ended; returns events for observers.
  ///
  /// - Parameter isGuess: true if skipped frames may have followed.
  mutating func note(end: Int64, isGuess: Bool, isCutOff: Bool) -> [PlayerEvent] {
    // Skipped frames may extend to the announced end.
    let end = isGuess ? max(end, announced.clockNanoseconds ?? end) : end
    var events: [PlayerEvent] = []
    if knownEnd == nil || (self.isGuess && !isGuess) {
      self.isGuess = isGuess
      events += setEnd(end)
    }
    // Even if the end was already known, the file may only now have been found to be truncated.
    if end == knownEnd, isCutOff || isEarly(end) { events += reportEarlyEnd(end) }
    return events
  }

  /// Notes the end found by a decode of the whole clip.
  mutating func noteDecoded(end: Int64, isCutOff: Bool) -> [PlayerEvent] {
    let end = end.withinReach
    if knownEnd == nil, isCutOff || isEarly(end) {
      // The announced duration is kept until playback reaches the end of the data.
      return reportEarlyEnd(end)
    }
    isGuess = false
    return setEnd(end)
  }

  /// Sets the end, and reports the duration if it has changed.
  private mutating func setEnd(_ end: Int64) -> [PlayerEvent] {
    let former = knownEnd ?? announced.clockNanoseconds
    knownEnd = end
    return end == former ? [] : [.durationChanged(MediaTime(nanoseconds: end))]
  }

  /// Returns true if the data ends so long before the announced end that the rest must be missing.
  private func isEarly(_ end: Int64) -> Bool {
    guard !isEstimate, let expected = announced.clockNanoseconds else { return false }
    return expected - end > max(1_000_000_000, expected / 20)
  }

  private mutating func reportEarlyEnd(_ end: Int64) -> [PlayerEvent] {
    guard reportedEarlyEnd != end else { return [] }
    reportedEarlyEnd = end
    let isBehind = announced.clockNanoseconds.map { $0 > end } ?? false
    return [.endedEarly(at: MediaTime(nanoseconds: end), announced: isBehind ? announced : .indefinite)]
  }
}
