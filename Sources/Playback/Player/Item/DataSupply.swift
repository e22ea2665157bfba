/// The arrival of an item's data, as far as playback depends on it: a value.
struct DataSupply {
  /// A report about the data that follow the player's position.
  struct Report: Equatable {
    /// The number of bytes that have arrived ahead of the reader.
    var bytesAhead: Int64 = 0
    /// The offset that the reader has reached.
    var offset: Int64 = 0
    /// True if everything up to the end has arrived, or nothing more will.
    var hasArrived = false
    /// True if nothing more arrives before playback goes on.
    var isFull = false
    /// The playback time that has arrived ahead of the reader, in seconds at rate 1; nil to estimate it from the bytes.
    var seconds: Double?
    /// The end of what has arrived of a live source, in seconds of the item; nil for other sources.
    var edge: Double?
  }

  /// True while the source waits for data.
  private(set) var isWaiting = false
  /// The last report; nil if all data are at hand, as in a local file.
  private(set) var report: Report?
  /// The host times at which playback ran out of data; the last ones.
  private(set) var stalls: [HostTime] = []
  private static let maxStalls = 1000
  /// Keeps playback near the edge of a live source.
  var live = LiveFollowing()

  /// The end of what has arrived of a live source, in seconds of the item; nil for other sources.
  var edge: Double? { report?.edge }

  /// The playback time that must have arrived before the clock goes on after a stall, in seconds.
  static let usualBuffer = 1.0

  mutating func note(_ report: Report?) { self.report = report }

  mutating func noteStall(at host: HostTime) {
    if stalls.count == Self.maxStalls { stalls.removeFirst() }
    stalls.append(host)
  }

  mutating func setWaiting(_ isWaiting: Bool) { self.isWaiting = isWaiting }

  /// Returns the playback time that has arrived ahead of the reader, in seconds at rate 1.
  ///
  /// - Parameter time: the media time that the reader has reached, in seconds.
  func secondsAhead(from time: Double, _ report: Report? = nil) -> Double {
    guard let report = report ?? self.report else { return .infinity }
    if let seconds = report.seconds { return seconds }
    guard report.offset > 0, time > 0 else { return 0 }
    return Double(report.bytesAhead) * time / Double(report.offset)
  }

  /// Returns true if playback can go on for a while.
  ///
  /// - Parameters:
  ///   - time: as for `secondsAhead(from:)`.
  ///   - rate: the rate of playback, above 0.
  func isLikelyToKeepUp(from time: Double, rate: Double) -> Bool {
    guard let report else { return true }
    // Of a live source, the next frame is shown at once.
    if report.hasArrived || report.isFull || report.edge != nil { return true }
    return !isWaiting && secondsAhead(from: time) >= Self.usualBuffer * rate
  }
}
