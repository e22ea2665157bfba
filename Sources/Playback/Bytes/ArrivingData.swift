/// The data of a clip that arrive over time, as playback and its viewers see them.
protocol ArrivingData: AnyObject, Sendable {
  /// The data that have arrived ahead of playback.
  var report: DataSupply.Report { get }
  /// The rate at which bytes have arrived lately.
  var bytesPerSecond: Double { get }
  /// The number of bytes that are at hand.
  var keptByteCount: Int { get }
  /// True if data have yet to arrive.
  var isLoading: Bool { get }

  /// Calls `body` on another thread when data have arrived, or no more come; must be quick.
  ///
  /// - Returns: a number to end it with.
  func observe(_ body: @escaping @Sendable () -> Void) -> Int
  func endObserving(_ number: Int)
}

extension Arrivals: ArrivingData {
  var keptByteCount: Int { keptRanges.reduce(0) { $0 + $1.count } }
  var isLoading: Bool { !report.hasArrived }
}

extension HLSSource: ArrivingData {
  var report: DataSupply.Report { video.report }
  var bytesPerSecond: Double { loader.bytesPerSecond }
  var keptByteCount: Int { loader.keptByteCount }
  func observe(_ body: @escaping @Sendable () -> Void) -> Int { loader.observe(body) }
  func endObserving(_ number: Int) { loader.endObserving(number) }
}

extension LiveSource: ArrivingData {
  var bytesPerSecond: Double { packets.bytesPerSecond }
  var keptByteCount: Int { Int(clamping: packets.byteCount) }
  var isLoading: Bool { packets.failure == nil }
  func observe(_ body: @escaping @Sendable () -> Void) -> Int { packets.observe(body) }
  func endObserving(_ number: Int) { packets.endObserving(number) }
}
