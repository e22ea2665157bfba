import Testing

@testable import Sound

/// When a server is asked, and from where samples are replaced.
@Suite(.timeLimit(.minutes(20))) struct PulseTimingTests {
  private let format = SoundFormat.standard
  private let millisecond: Int64 = 1_000_000

  /// A reading in which the device has taken some milliseconds ahead of what is heard.
  private func reading(_ host: Int64, ahead: Int64) -> DeviceReading {
    DeviceReading(heard: Double(host) * 48e-6, host: host, taken: (host / millisecond + ahead) * 48)
  }

  @Test func asksQuicklyAtFirst() {
    var timing = PulseTiming()
    var asked: [Int64] = []
    for time in 0..<3000 where timing.takeQuestion(Int64(time) * millisecond) {
      asked.append(Int64(time))
      timing.didAnswer()
      // The device takes its first samples after 100 ms.
      guard timing.noteMoving(isPlaying: time > 100) else { continue }
      _ = timing.add(reading(Int64(time) * millisecond, ahead: 10), at: 0, transport: 0)
    }
    let steps = zip(asked, asked.dropFirst()).map { $1 - $0 }
    #expect(steps.prefix(30).allSatisfy { $0 == 4 })
    #expect(steps.suffix(20).allSatisfy { $0 == 50 })
    let early = timing.takeQuestion(2999 * millisecond)
    timing.restart()
    let restarted = timing.takeQuestion(2999 * millisecond)
    #expect(!early && restarted)
  }

  @Test func aServerThatDoesNotAnswerIsLeftInPeace() {
    var timing = PulseTiming()
    var asked = 0
    for time in 0..<1000 where timing.takeQuestion(Int64(time) * 100 * millisecond) { asked += 1 }
    #expect(asked == 8)
  }

  @Test func replacingBeginsAfterWhatTheDeviceMayHaveTaken() throws {
    var timing = PulseTiming()
    #expect(timing.earliest(0, format) == nil)
    let moves = (timing.noteMoving(isPlaying: false), timing.noteMoving(isPlaying: true))
    #expect(moves == (false, true))
    for number in 0..<10 as Range<Int64> {
      let time = number * 10 * millisecond
      _ = timing.add(reading(time, ahead: number == 3 ? 20 : 5), at: time, transport: 2 * millisecond)
    }
    // 100 ms are heard. Once, 20 ms more were taken; it is 2 ms to the server, and 6 ms are to be sure: 128 ms.
    let earliest = try #require(timing.earliest(100 * millisecond, format))
    #expect(earliest == 6144)
  }

  @Test func theQueueSpansTheRoundTrip() {
    var timing = PulseTiming()
    _ = timing.noteMoving(isPlaying: true)
    var trips: [Int64] = []
    for number in 0..<200 as Range<Int64> {
      let transport: Int64 = number < 100 ? 1 : 40
      trips += [timing.add(reading(number, ahead: 5), at: number, transport: transport * millisecond)].compactMap { $0 }
    }
    #expect(trips == [80 * millisecond])
  }
}
