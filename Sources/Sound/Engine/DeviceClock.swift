/// The relation of a device's sample indexes to the host's clock, from readings that are each a few milliseconds off.
///
/// The clock is the median of the latest readings, after the device's drift has been removed. It starts with few readings, and
/// then follows what later ones say without a step that could be heard or seen.
struct DeviceClock {
  let rate: Int
  private var readings: [Reading] = []
  /// Index of the oldest of `readings` once there are `window` of them.
  private var oldest = 0
  private var line: Line?
  private var drift = DriftEstimate()
  /// Median deviation of the readings from the line, in nanoseconds.
  private(set) var spread: Double?
  // Scratch space of `median`.
  private var sorted: [Double] = []

  /// The origin is the host time of index 0 at the nominal rate. It moves as the device drifts.
  private struct Reading {
    let host: Double
    let origin: Double
  }

  /// The clock that others see: the origin at a moment, and how it moves.
  private struct Line {
    let origin: Double
    let pivot: Double
    let slope: Double

    func origin(at host: Double) -> Double { origin + slope * (host - pivot) }
  }

  /// The number of readings considered.
  static let window = 41
  /// The number of readings needed for a line.
  static let minCount = 5
  /// The largest correction by one reading, in nanoseconds.
  static let maxStep = 200_000.0
  /// The deviation of several readings in a row, in nanoseconds, that means another device or another place.
  static let maxStray = 20_000_000.0
  private static let maxStrays = 7

  init(rate: Int) {
    self.rate = rate
    readings.reserveCapacity(Self.window)
    sorted.reserveCapacity(Self.window)
  }

  private var sampleDuration: Double { 1e9 / Double(rate) }

  // MARK: Readings

  /// The effect of a reading on the clock.
  enum Change: Hashable {
    case none
    /// The relation is known now, or known to be another one than before.
    case started
  }

  /// Forgets all readings; the drift is kept.
  mutating func restart() {
    readings.removeAll(keepingCapacity: true)
    oldest = 0
    line = nil
    spread = nil
    drift.restart()
  }

  mutating func add(_ reading: DeviceReading) -> Change {
    let host = Double(reading.host)
    let origin = host - reading.heard * sampleDuration
    guard origin.isFinite else { return .none }
    if readings.count < Self.window {
      readings.append(Reading(host: host, origin: origin))
    } else {
      readings[oldest] = Reading(host: host, origin: origin)
      oldest = (oldest + 1) % Self.window
    }
    drift.add(origin, at: host)
    if line != nil, hasStrayed { return restart(fromLatest: Self.maxStrays, at: host) }
    guard line != nil || reading.isExact || readings.count >= Self.minCount else { return .none }
    let slope = drift.value ?? 0
    let target = median { $0.origin + slope * (host - $0.host) }
    defer { spread = line.map { line in median { abs($0.origin - line.origin(at: $0.host)) } } }
    guard let previous = line?.origin(at: host) else {
      line = Line(origin: target, pivot: host, slope: slope)
      return .started
    }
    let step = min(max(target - previous, -Self.maxStep), Self.maxStep)
    line = Line(origin: previous + step, pivot: host, slope: slope)
    return .none
  }

  /// The latest readings, newest first.
  private func latest(_ count: Int) -> some Collection<Reading> {
    (1...max(1, count)).lazy.map { readings[(oldest + readings.count - $0) % readings.count] }
  }

  /// True if the latest readings are all far from the line, on the same side.
  private var hasStrayed: Bool {
    guard let line, readings.count >= Self.maxStrays else { return false }
    let latest = latest(Self.maxStrays)
    return latest.allSatisfy { $0.origin - line.origin(at: $0.host) > Self.maxStray }
      || latest.allSatisfy { $0.origin - line.origin(at: $0.host) < -Self.maxStray }
  }

  private mutating func restart(fromLatest count: Int, at host: Double) -> Change {
    let kept = Array(latest(count).reversed())
    restart()
    readings += kept
    line = Line(origin: median { $0.origin }, pivot: host, slope: drift.value ?? 0)
    return .started
  }

  private mutating func median(_ value: (Reading) -> Double) -> Double {
    sorted.removeAll(keepingCapacity: true)
    for reading in readings { sorted.append(value(reading)) }
    sorted.sort()
    return sorted[sorted.count / 2]
  }

  // MARK: Times

  /// True if times are known.
  var isRunning: Bool { line != nil }

  /// The host time at which an index is heard; nil if not known yet.
  func host(of index: Double) -> Double? {
    line.map { ($0.origin + index * sampleDuration - $0.slope * $0.pivot) / (1 - $0.slope) }
  }

  /// The index that is heard at a host time; nil if not known yet.
  func index(at host: Double) -> Double? { line.map { (host - $0.origin(at: host)) / sampleDuration } }

  /// The speed of the device against its nominal rate by the host's clock, as a fraction; nil until measured.
  var measuredDrift: Double? { drift.value.map { -$0 } }
}
