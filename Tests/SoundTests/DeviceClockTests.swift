import Testing

@testable import Sound

/// The clock made of a device's readings.
@Suite(.timeLimit(.minutes(20))) struct DeviceClockTests {
  /// A device that runs at a rate of its own, and tells its position with errors.
  private struct Device {
    var start = 5e12
    var drift = 0.0
    /// The host time of an index, in nanoseconds.
    func host(of index: Double) -> Double { start + index / 48e-6 / (1 + drift) }
    func index(at host: Double) -> Double { (host - start) * 48e-6 * (1 + drift) }
  }

  private func error(_ clock: DeviceClock, _ device: Device, at host: Double) -> Double {
    let index = device.index(at: host)
    return (clock.host(of: index) ?? .infinity) - device.host(of: index)
  }

  @Test func unknownUntilFiveReadings() {
    var clock = DeviceClock(rate: 48_000)
    for number in 0..<5 {
      #expect(clock.host(of: 0) == nil && clock.index(at: 0) == nil)
      let change = clock.add(DeviceReading(heard: Double(number * 480), host: Int64(number) * 10_000_000, taken: 0))
      #expect(change == (number == 4 ? .started : .none))
    }
    #expect(clock.host(of: 4800) == 100_000_000)
    #expect(clock.index(at: 100_000_000) == 4800)
    clock.restart()
    #expect(!clock.isRunning)
  }

  @Test func oneExactReadingIsEnough() {
    var clock = DeviceClock(rate: 48_000)
    #expect(clock.add(DeviceReading(heard: 480, host: 10_000_000, taken: 480, isExact: true)) == .started)
    #expect(clock.host(of: 960) == 20_000_000)
  }

  /// Readings are up to 2 ms off, a tenth of them up to 30 ms late, and the device is 100 ppm fast.
  @Test(arguments: 1...8 as ClosedRange<UInt64>) func isExactWithinAMillisecond(seed: UInt64) throws {
    var noise = Noise(seed: seed)
    let device = Device(drift: 100e-6)
    var clock = DeviceClock(rate: 48_000)
    var time = device.start
    var deviations: [Double] = []
    for number in 0..<4000 {
      time += number < 40 ? 10e6 : 50e6
      let late = noise.next() < 0.1 ? noise.next() * 30e6 : 0
      let error = (noise.next() - 0.5) * 4e6 + late
      _ = clock.add(DeviceReading(heard: device.index(at: time), host: Int64(time + error), taken: 0))
      if clock.isRunning { deviations.append(self.error(clock, device, at: time)) }
    }
    #expect(deviations.allSatisfy { abs($0) < 2e6 })
    let late = deviations.dropFirst(400).map { abs($0) }.sorted()
    #expect(late[late.count / 2] < 0.35e6)
    #expect(late[late.count * 95 / 100] < 1e6)
    // What is published never jumps.
    #expect(zip(deviations, deviations.dropFirst()).allSatisfy { abs($1 - $0) < 0.25e6 })
    let drift = try #require(clock.measuredDrift)
    #expect(abs(drift - 100e-6) < 10e-6)
  }

  @Test func anotherPlaceIsFoundAfterAFewReadings() {
    var clock = DeviceClock(rate: 48_000)
    var (time, changes) = (0.0, 0)
    var device = Device(start: 0)
    for number in 0..<200 {
      time += 50e6
      // Another sink, 80 ms later.
      if number == 100 { device.start = 80e6 }
      if clock.add(DeviceReading(heard: device.index(at: time), host: Int64(time), taken: 0)) == .started { changes += 1 }
      if number == 99 || number > 107 { #expect(abs(error(clock, device, at: time)) < 1) }
    }
    #expect(changes == 2)
  }

  @Test func readingsThatMakeNoSenseAreHarmless() {
    var clock = DeviceClock(rate: 48_000)
    for heard in [Double.nan, .infinity, -.infinity] {
      #expect(clock.add(DeviceReading(heard: heard, host: 0, taken: 0)) == .none)
    }
    for host in [Int64.max, .min, 0, 1, .max, .min, 5, 7, 9] as [Int64] {
      _ = clock.add(DeviceReading(heard: 1e300, host: host, taken: .max))
      _ = clock.add(DeviceReading(heard: 0, host: host, taken: .min))
    }
    for index in [-1e300, 0, 1e300] { _ = (clock.host(of: index), clock.index(at: index)) }
  }
}

/// Numbers from 0 to 1, the same in every run.
struct Noise {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func next() -> Double {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Double(state >> 11) / Double(1 << 53)
  }

  mutating func below(_ limit: Int) -> Int { min(limit - 1, Int(next() * Double(limit))) }
}
