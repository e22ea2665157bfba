/// The figures of a device.
package struct DeviceTiming: Sendable {
  package var format: SoundFormat
  /// The number of samples that are rendered before the device takes them.
  package var queue: Int
  /// The number of samples that the device takes at once.
  package var burst: Int
  /// The number of samples from taking a burst until its first one is heard.
  package var latency: Int
  /// The error of each reading in nanoseconds, by its number; nil if readings are exact.
  package var readingError: (@Sendable (Int) -> Int64)?
  /// Receives what the device takes.
  package var sink: (@Sendable (_ samples: UnsafeBufferPointer<Float>, _ index: Int64) -> Void)?

  /// Creates the figures of a device that queues 200 ms, and takes 20 ms at once.
  package init(
    format: SoundFormat = .standard, queue: Int? = nil, burst: Int? = nil, latency: Int = 0,
    readingError: (@Sendable (Int) -> Int64)? = nil,
    sink: (@Sendable (_ samples: UnsafeBufferPointer<Float>, _ index: Int64) -> Void)? = nil
  ) {
    (self.format, self.latency) = (format, max(0, latency))
    self.queue = max(1, queue ?? format.sampleCount(nanoseconds: 200_000_000))
    self.burst = max(1, burst ?? format.sampleCount(nanoseconds: 20_000_000))
    (self.readingError, self.sink) = (readingError, sink)
  }
}

/// A device that is only imagined. Used by one thread at a time.
struct TimedDevice {
  let timing: DeviceTiming
  private let queue: SampleQueue
  /// The index after the last sample taken.
  private var taken: Int64 = 0
  /// The moment at which the device started, and the index that it took first; nil while paused.
  private var start: (host: Int64, index: Int64)?
  private var readings = 0

  init(_ timing: DeviceTiming) {
    self.timing = timing
    queue = SampleQueue(capacity: timing.queue + timing.burst, channels: timing.format.channels)
  }

  var isRunning: Bool { start != nil }

  /// The moment of the next burst; nil while paused.
  var nextDue: Int64? {
    start.map { $0.host + Int64((Double(taken - $0.index) * timing.format.sampleDuration).rounded(.up)) }
  }

  mutating func step(
    to now: Int64, isRunning: Bool, rewrites: Bool, _ output: any SoundOutput, _ client: any SoundOutputClient
  ) {
    if !isRunning {
      start = nil
      return
    }
    if start == nil { start = (now, taken) }
    if rewrites, queue.count > 0 {
      let index = taken
      queue.withValues(queue.count) { client.output(output, render: $0, at: index) }
    }
    fill(output, client)
    guard let start else { return }
    let elapsed = timing.format.sampleCount(nanoseconds: now - start.host)
    let due = start.index + Int64((elapsed / timing.burst + 1) * timing.burst)
    while taken < due { take(output, client) }
    fill(output, client)
    let error = timing.readingError.map { $0(readings) }
    readings += 1
    let heard = Double(start.index - Int64(timing.latency)) + Double(now - start.host) / timing.format.sampleDuration
    client.output(
      output, didRead: DeviceReading(heard: heard, host: now + (error ?? 0), taken: taken, isExact: error == nil))
  }

  private func fill(_ output: any SoundOutput, _ client: any SoundOutputClient) {
    let index = taken + Int64(queue.count)
    let count = timing.queue - queue.count
    if count > 0 { queue.add(count) { client.output(output, render: $0, at: index) } }
  }

  private mutating func take(_ output: any SoundOutput, _ client: any SoundOutputClient) {
    let missing = timing.burst - queue.count
    if missing > 0 {
      client.outputDidUnderrun(output)
      queue.add(missing) { $0.update(repeating: 0) }
    }
    queue.withValues(timing.burst) { timing.sink?(UnsafeBufferPointer($0), taken) }
    queue.remove(timing.burst)
    taken += Int64(timing.burst)
  }
}

/// Samples in order. Not safe from threads.
final class SampleQueue {
  let capacity: Int
  private let channels: Int
  private(set) var count = 0
  // Owned.
  private let values: UnsafeMutablePointer<Float>

  init(capacity: Int, channels: Int) {
    (self.capacity, self.channels) = (capacity, channels)
    values = .allocate(capacity: capacity * channels)
    values.initialize(repeating: 0, count: capacity * channels)
  }

  deinit { values.deallocate() }

  /// Calls `body` with the first samples.
  func withValues(_ count: Int, _ body: (UnsafeMutableBufferPointer<Float>) -> Void) {
    body(UnsafeMutableBufferPointer(start: values, count: min(count, self.count) * channels))
  }

  /// Adds samples that `body` writes.
  func add(_ added: Int, _ body: (UnsafeMutableBufferPointer<Float>) -> Void) {
    let added = min(added, capacity - count)
    body(UnsafeMutableBufferPointer(start: values + count * channels, count: added * channels))
    count += added
  }

  func remove(_ removed: Int) {
    let removed = min(removed, count)
    values.update(from: values + removed * channels, count: (count - removed) * channels)
    count -= removed
  }
}
