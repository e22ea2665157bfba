import Testing

@testable import Sound

/// The engine on a device that a test moves on: which sample is heard when.
@Suite(.timeLimit(.minutes(20))) struct SoundEngineTests {
  let stage = SoundStage()

  /// The samples of 5 ms.
  private let ramp = 240

  @Test func startsAtTheSampleOfTheClock() {
    let producer = StageProducer(stage.engine)
    producer.fill()
    stage.run(milliseconds: 50)
    // Media time 100 ms is due 60 ms from now.
    let due = stage.clock.now + 60 * SoundStage.millisecond
    // The device starts now, and a sample is heard 30 ms after it was taken.
    let index = 48 * (60 - 30)
    producer.voice.play(SoundPlacement(media: 100_000_000, host: due, rate: 1))
    stage.run(milliseconds: 500) { producer.fill() }
    let left = stage.left
    #expect(left[..<index].allSatisfy { $0 == 0 })
    let first = (ramp..<9_000).first { left[index + $0] != producer.sample(4800 + $0) }
    #expect(first == nil)
  }
}
