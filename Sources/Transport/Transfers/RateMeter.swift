/// Measures the rate at which bytes arrived in the last seconds, without the time in which nobody took them.
struct RateMeter {
  private static let slotLength: UInt64 = 250_000_000
  private static let slotCount: UInt64 = 8

  private var slots = [Int](repeating: 0, count: Int(slotCount))
  /// The slot that is being filled, counted from the start.
  private var current: UInt64 = 0
  private var start: UInt64
  private var pausedSince: UInt64?

  /// - Parameter now: nanoseconds.
  init(start now: UInt64) { start = now }

  mutating func didReceive(_ bytes: Int, at now: UInt64) {
    advance(to: now)
    slots[Int(current % Self.slotCount)] += bytes
  }

  /// Notes that nobody takes bytes from now on.
  mutating func pause(at now: UInt64) { if pausedSince == nil { pausedSince = now } }

  mutating func resume(at now: UInt64) {
    guard let since = pausedSince else { return }
    start += now - min(now, since)
    pausedSince = nil
  }

  /// The bytes per second; nil within the first tenth of a second, which tells nothing.
  func rate(at now: UInt64) -> Double? {
    var meter = self
    let elapsed = meter.elapsed(at: now)
    guard elapsed >= 100_000_000 else { return nil }
    meter.advance(to: now)
    let slotStart = meter.current * Self.slotLength
    let covered = min(elapsed, elapsed - slotStart + (Self.slotCount - 1) * Self.slotLength)
    return Double(meter.slots.reduce(0, +)) / (Double(covered) / 1e9)
  }

  private func elapsed(at now: UInt64) -> UInt64 {
    let end = min(now, pausedSince ?? now)
    return end - min(end, start)
  }

  private mutating func advance(to now: UInt64) {
    let slot = elapsed(at: now) / Self.slotLength
    guard slot > current else { return }
    for n in 1...min(slot - current, Self.slotCount) { slots[Int((current + n) % Self.slotCount)] = 0 }
    current = slot
  }
}
