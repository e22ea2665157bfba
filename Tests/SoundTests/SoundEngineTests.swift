import Testing

@testable import Sound

/// The engine on a device that a test moves on: which sample is heard when.
@Suite(.timeLimit(.minutes(20))) struct SoundEngineTests {
  private let stage = SoundStage()

  /// The samples of 5 ms, and of one.
  private let ramp = 240
  private let perMillisecond = 48

  /// The index heard 60 ms after the device started.
  private let start = 30 * 48

  @Test func startsAtTheSampleOfTheClock() {
    let producer = StageProducer(stage.engine)
    producer.fill()
    // Media time 100 ms is due 60 ms from now, when the device starts. A sample is heard 30 ms after it was taken.
    producer.voice.play(stage.placement(milliseconds: 100, in: 60))
    stage.run(milliseconds: 1000) { producer.fill() }
    let left = stage.left
    #expect(left[..<start].allSatisfy { $0 == 0 })
    #expect(left.firstNumber(start + ramp..<left.count) == 100 * perMillisecond + ramp)
    #expect(stage.engine.statistics.underruns == 0)
  }

  @Test func aClockThatRunsIsJoined() {
    let producer = StageProducer(stage.engine)
    producer.fill()
    producer.voice.play(stage.placement(milliseconds: 50))
    stage.run(milliseconds: 300) { producer.fill() }
    let left = stage.left
    // What is taken first is heard 30 ms later, when the clock is at 80 ms. The queue was rendered before the device's first
    // reading, and rewritten without the first 10 ms.
    #expect(left.firstNumber(720..<left.count) == 80 * perMillisecond + 720)
    #expect(left[0] == 0)
  }

  @Test func aSeekIsHeardAtOnce() throws {
    let producer = StageProducer(stage.engine)
    producer.fill()
    producer.voice.play(stage.placement(milliseconds: 0))
    stage.run(milliseconds: 500) { producer.fill() }
    let before = stage.left.count
    producer.seek(to: 60_000)
    producer.voice.play(stage.placement(milliseconds: 1250))
    producer.fill()
    stage.run(milliseconds: 200) { producer.fill() }
    let left = stage.left
    // The sound before goes on up to the first sample that the device has not taken, and is gone 5 ms later.
    #expect(left.firstNumber(720..<before) != nil)
    let number = try #require(left.firstNumber(before + ramp..<left.count))
    // It was taken 10 ms before, and is heard after the device's latency.
    #expect(number == 60_000 + ramp + 480 + stage.latency)
    #expect(producer.voice.heard(at: stage.clock.now)?.media == 1_450_000_000)
  }

  @Test func samplesThatComeLateAreHeardWhereTheyBelong() {
    let producer = StageProducer(stage.engine)
    producer.fill(atMost: 100 * perMillisecond)
    producer.voice.play(stage.placement(milliseconds: 0, in: 60))
    stage.run(milliseconds: 200)
    let silence = stage.left.count
    producer.fill()
    stage.run(milliseconds: 300) { producer.fill() }
    let left = stage.left
    let end = start + 100 * perMillisecond
    #expect(left.firstNumber(start + ramp..<end) == ramp)
    #expect(left[end + ramp..<silence].allSatisfy { $0 == 0 })
    #expect(left.firstNumber(silence + ramp..<left.count) == silence + ramp - start)
    #expect(stage.engine.statistics.starvations == 1)
  }

  @Test func samplesThatComeBeforeTheyAreTakenLeaveNoGap() {
    let producer = StageProducer(stage.engine)
    producer.fill(atMost: 20 * perMillisecond)
    producer.voice.play(stage.placement(milliseconds: 0, in: 60))
    // 200 ms are rendered ahead, and 10 ms are added before each 10 ms are taken.
    stage.run(milliseconds: 400) { producer.fill(atMost: 10 * perMillisecond) }
    let left = stage.left
    #expect(left.firstNumber(start + ramp..<left.count) == ramp)
    #expect(stage.engine.statistics.starvations == 0)
  }

  @Test func stoppingAndPlayingOnKeepsTheSamples() {
    let producer = StageProducer(stage.engine)
    producer.fill()
    producer.voice.play(stage.placement(milliseconds: 0, in: 60))
    stage.run(milliseconds: 500) { producer.fill() }
    let stopped = stage.left.count
    let place = producer.voice.heard(at: stage.clock.now)
    #expect(place?.media == 440_000_000)
    producer.voice.stop()
    #expect(producer.voice.heard(at: stage.clock.now) == nil)
    stage.run(milliseconds: 100)
    let index = stage.left.count
    producer.voice.play(stage.placement(milliseconds: 440, in: 50))
    stage.run(milliseconds: 300) { producer.fill() }
    let left = stage.left
    // Of the 50 ms, 10 ms had been taken, and 30 ms are the device's latency.
    let next = index + 10 * perMillisecond
    #expect(left[stopped + ramp..<next].allSatisfy { $0 == 0 })
    #expect(left.firstNumber(next + ramp..<left.count) == 440 * perMillisecond + ramp)
  }

  @Test func mutingKeepsTheMoment() {
    let producer = StageProducer(stage.engine)
    producer.fill()
    producer.voice.play(stage.placement(milliseconds: 0, in: 60))
    stage.run(milliseconds: 300) { producer.fill() }
    let muted = stage.left.count
    producer.voice.isMuted = true
    stage.run(milliseconds: 100) { producer.fill() }
    let heard = stage.left.count
    producer.voice.isMuted = false
    stage.run(milliseconds: 100) { producer.fill() }
    let left = stage.left
    #expect(left[muted + ramp..<heard].allSatisfy { $0 == 0 })
    #expect(left.firstNumber(heard + ramp..<left.count) == heard + ramp - start)
  }

  @Test func switchingVoicesKeepsTheMoment() {
    let (first, second) = (StageProducer(stage.engine), StageProducer(stage.engine) { -StageProducer.number($0) })
    second.voice.isMuted = true
    for producer in [first, second] {
      producer.fill()
      producer.voice.play(stage.placement(milliseconds: 0, in: 60))
    }
    func fill() { [first, second].forEach { $0.fill() } }
    stage.run(milliseconds: 300) { fill() }
    let index = stage.left.count
    first.voice.isMuted = true
    second.voice.isMuted = false
    stage.run(milliseconds: 100) { fill() }
    let left = stage.left
    #expect(left.firstNumber(start + ramp..<index) == ramp)
    #expect(left.map { -$0 }.firstNumber(index + ramp..<left.count) == index + ramp - start)
  }

  @Test func volumesAreLinearGains() {
    let producer = StageProducer(stage.engine) { _ in 0.5 }
    producer.fill()
    producer.voice.play(stage.placement(milliseconds: 0, in: 60))
    producer.voice.volume = 0.5
    stage.run(milliseconds: 100) { producer.fill() }
    #expect(stage.left.last == 0.25)
    stage.engine.volume = 0.25
    stage.run(milliseconds: 100) { producer.fill() }
    #expect(stage.left.last == 0.0625)
    // From 0.25 to 0.0625 in 5 ms.
    #expect(stage.left.largestStep < 0.26 / Float(ramp))
    producer.voice.volume = .nan
    #expect(producer.voice.volume == 0.5)
    producer.voice.volume = 100
    #expect(producer.voice.volume == 8)
  }

  @Test func severalVoicesStayWithinFullScale() throws {
    let producers = (0..<3).map { _ in StageProducer(stage.engine) { _ in 0.6 } }
    for producer in producers {
      producer.fill()
      producer.voice.play(stage.placement(milliseconds: 0, in: 60))
    }
    stage.run(milliseconds: 200) { producers.forEach { $0.fill() } }
    let loudest = try #require(stage.left.max())
    #expect(loudest > 0.8 && loudest < 1)
    // A single voice is passed as it is.
    producers[1].voice.stop()
    producers[2].voice.stop()
    stage.run(milliseconds: 100) { producers[0].fill() }
    #expect(stage.left.last == 0.6)
  }

  @Test func correctionsOfTheClockMoveNothingBelowATenthOfASecond() {
    let producer = StageProducer(stage.engine)
    producer.fill()
    producer.voice.play(stage.placement(milliseconds: 0, in: 60))
    stage.run(milliseconds: 300) { producer.fill() }
    producer.voice.follow(stage.placement(milliseconds: 240 + 90))
    stage.run(milliseconds: 300) { producer.fill() }
    let index = stage.left.count
    #expect(stage.left.firstNumber(start + ramp..<index) == ramp)
    producer.voice.follow(stage.placement(milliseconds: 540 + 110))
    stage.run(milliseconds: 100) { producer.fill() }
    let left = stage.left
    #expect(left.firstNumber(index + ramp..<left.count) == index + 110 * perMillisecond + ramp - start)
  }

  @Test func stretchedSoundHasItsOwnTimes() {
    let producer = StageProducer(stage.engine)
    producer.fill(stretch: 1.5)
    producer.voice.play(stage.placement(milliseconds: 150, in: 60, rate: 1.5))
    stage.run(milliseconds: 500) { producer.fill(stretch: 1.5) }
    let left = stage.left
    #expect(left.firstNumber(start + ramp..<left.count) == 100 * perMillisecond + ramp)
    let heard = producer.voice.heard(at: stage.clock.now)?.media
    #expect(heard == 810_000_000)
  }

  @Test func timelinesFollowEachOther() throws {
    let producer = StageProducer(stage.engine)
    let voice = producer.voice
    func append(_ count: Int, timeline: Int, value: Float) {
      let values = [Float](repeating: value, count: count * 2)
      _ = values.withUnsafeBufferPointer {
        voice.append(
          $0, at: MediaPlace(media: 0, timeline: timeline), mediaPerSample: 1e9 / 48_000, generation: voice.demand.generation)
      }
    }
    append(4800, timeline: 1, value: 0.5)
    append(4800, timeline: 2, value: 0.25)
    voice.play(stage.placement(milliseconds: 0, in: 60, timeline: 1))
    stage.run(milliseconds: 150)
    #expect(voice.heard(at: stage.clock.now) == MediaPlace(media: 90_000_000, timeline: 1))
    stage.run(milliseconds: 60)
    #expect(voice.heard(at: stage.clock.now) == MediaPlace(media: 50_000_000, timeline: 2))
    let left = stage.left
    #expect(left[start + 4799] == 0.5 && left[start + 4800] == 0.25)
  }

  @Test func theDeviceRestsWhileNothingSounds() throws {
    let producer = StageProducer(stage.engine)
    #expect(!stage.engine.statistics.isRunning)
    producer.fill()
    producer.voice.play(stage.placement(milliseconds: 0))
    #expect(stage.engine.statistics.isRunning)
    stage.run(milliseconds: 100) { producer.fill() }
    producer.voice.stop()
    stage.run(milliseconds: 4900)
    #expect(stage.engine.statistics.isRunning)
    stage.run(milliseconds: 200)
    #expect(!stage.engine.statistics.isRunning)
    let index = stage.left.count
    stage.run(milliseconds: 1000)
    #expect(stage.left.count == index)
    // The device starts again, and places by its new time.
    producer.seek(to: 0)
    producer.fill()
    producer.voice.play(stage.placement(milliseconds: 0, in: 60))
    stage.run(milliseconds: 300) { producer.fill() }
    let left = stage.left
    #expect(left.firstNumber(index + start + ramp..<left.count) == ramp)
  }

  /// The clock of the time before a seek says nothing about the samples that follow.
  @Test func samplesWaitForTheClockAfterASeek() {
    let producer = StageProducer(stage.engine)
    producer.seek(to: 96_000)
    producer.fill()
    producer.voice.play(stage.placement(milliseconds: 2000, in: 60))
    stage.run(milliseconds: 300) { producer.fill() }
    producer.seek(to: 0)
    producer.fill()
    stage.run(milliseconds: 100)
    let index = stage.left.count
    #expect(stage.left.last == 0)
    // 10 ms were taken, and 30 ms are the device's latency.
    producer.voice.play(stage.placement(milliseconds: 0, in: 40))
    stage.run(milliseconds: 300) { producer.fill() }
    let left = stage.left
    #expect(left.firstNumber(index + ramp..<left.count) == ramp)
  }

  @Test func oldGenerationsAreRefused() {
    let voice = stage.engine.makeVoice {}
    let old = voice.demand.generation
    let new = voice.flush()
    let values = [Float](repeating: 0, count: 960)
    func append(_ generation: Int) -> Int? {
      values.withUnsafeBufferPointer {
        voice.append($0, at: MediaPlace(media: 0), mediaPerSample: 1e9 / 48_000, generation: generation)
      }
    }
    #expect(append(old) == nil)
    #expect(append(new) == 480)
    #expect(voice.demand.generation == new)
  }
}
