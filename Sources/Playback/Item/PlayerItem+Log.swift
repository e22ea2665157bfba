import Transport

extension PlayerItem {
  /// A period in which one variant of a stream was loaded.
  public struct AccessLogEvent: Hashable, Sendable {
    /// The address of the variant's playlist, without credentials and query.
    public var uri: String
    /// The bit rate that the playlist announces, in bits per second; 0 if it does not.
    public var indicatedBitrate = 0.0
    /// The average rate at which segments have arrived, in bits per second; 0 if unknown.
    public var observedBitrate = 0.0
    /// The number of bytes of segments.
    public var numberOfBytesTransferred: Int64 = 0
    /// The number of segments that were loaded.
    public var numberOfMediaRequests = 0
    /// The duration of the loaded segments, in seconds.
    public var segmentsDownloadedDuration = 0.0
    /// The time for which segments were being loaded, in seconds.
    public var transferDuration = 0.0
    /// The number of times that playback ran out of data.
    public var numberOfStalls = 0
    /// The time from opening the stream to its first segment, in seconds; nil except in the first event.
    public var startupTime: Double?
  }

  /// A request that failed, be it that another attempt has succeeded.
  public struct ErrorLogEvent: Hashable, Sendable {
    /// The address, without credentials and query.
    public var uri: String
    /// The status of the answer; nil if there was none.
    public var errorStatusCode: Int?
    /// The reason in words.
    public var errorComment: String
  }

  /// The loading of an HTTP Live Stream: an event for each change of the variant, oldest first; the last 200. Empty for
  /// other items.
  public var accessLog: [AccessLogEvent] {
    guard let loader = session?.segments?.loader else { return [] }
    let log = loader.log, stalls = currentPlayer?.read { core, _ in core.item.supply.stalls } ?? []
    return log.periods.indices.map { index in
      let period = log.periods[index], next = index + 1 < log.periods.count ? log.periods[index + 1].start : .max
      var event = AccessLogEvent(uri: period.url.displayText, indicatedBitrate: Double(period.bitRate))
      (event.numberOfBytesTransferred, event.numberOfMediaRequests) = (period.bytes, period.requests)
      (event.segmentsDownloadedDuration, event.transferDuration) = (period.mediaSeconds, period.transferSeconds)
      if period.transferSeconds > 0 { event.observedBitrate = Double(period.bytes) * 8 / period.transferSeconds }
      event.numberOfStalls = stalls.count { HostTime(period.start) <= $0 && (next == .max || $0 < HostTime(next)) }
      if index == 0, let end = log.firstEnd { event.startupTime = Double(end - min(end, loader.createdAt)) / 1e9 }
      return event
    }
  }

  /// The requests of an HTTP Live Stream that have failed, oldest first; the last 200. Empty for other items.
  public var errorLog: [ErrorLogEvent] {
    (session?.segments?.loader.log.failures ?? []).map { failure in
      var event = ErrorLogEvent(uri: failure.url.displayText, errorComment: failure.error.description)
      if case .status(let code, _) = failure.error { event.errorStatusCode = code }
      return event
    }
  }
}
