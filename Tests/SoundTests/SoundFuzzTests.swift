import Glibc
import Testing

@testable import Sound

/// Random calls in any order: whatever happens, nothing clicks, and what is heard is what the engine says.
@Suite(.timeLimit(.minutes(20))) struct SoundFuzzTests {
  /// A slow wave, whose value tells the media time over a second.
  private static let wave: @Sendable (Int) -> Float = { 0.4 * Float(sin(2 * Double.pi * Double($0) / 48_000)) }

  @Test(arguments: 1...16 as ClosedRange<UInt64>) func nothingClicks(seed: UInt64) {
    var noise = Noise(seed: seed)
    let stage = SoundStage(
      DeviceTiming(queue: 3000 + noise.below(20_000), burst: 48 + noise.below(1500), latency: noise.below(5000)))
    let producers = (0..<2).map { _ in StageProducer(stage.engine, Self.wave) }
    for _ in 0..<400 {
      let producer = producers[noise.below(2)]
      let voice = producer.voice
      switch noise.below(12) {
      case 0: producer.seek(to: noise.below(100_000))
      case 1, 2: voice.play(stage.placement(milliseconds: noise.below(2000), in: noise.below(100) - 50))
      case 3: voice.stop()
      case 4: voice.isMuted.toggle()
      case 5: voice.volume = Float(noise.next())
      case 6: voice.follow(stage.placement(milliseconds: noise.below(2000)))
      case 7: stage.engine.volume = Float(noise.next())
      case 8: producer.fill(atMost: noise.below(2000))
      default: for producer in producers { producer.fill() }
      }
      stage.run(milliseconds: 10 * noise.below(4))
    }
    #expect(stage.engine.statistics.underruns == 0)
    // Two waves at most appear or go within 5 ms, or change sides.
    #expect(stage.left.largestStep < 2.5 * 0.8 / 240)
    #expect(!stage.left.isEmpty)
  }

  /// Far from any change, the sample heard is the one that the voice tells.
  @Test(arguments: 1...8 as ClosedRange<UInt64>) func whatIsToldIsHeard(seed: UInt64) {
    var noise = Noise(seed: seed)
    let latency = noise.below(3000)
    let stage = SoundStage(DeviceTiming(queue: 9600, burst: 480, latency: latency))
    let producer = StageProducer(stage.engine)
    var checked = 0
    for _ in 0..<30 {
      let target = noise.below(60_000)
      producer.seek(to: target)
      let place = SoundPlacement(
        media: Int64((Double(target) / 48e-6).rounded()), host: stage.clock.now + Int64(noise.below(50)) * 1_000_000, rate: 1)
      producer.voice.play(place)
      let steps = 25 + noise.below(30)
      for _ in 0..<steps { stage.run(milliseconds: 10) { producer.fill(atMost: 480 + noise.below(960)) } }
      guard let heard = producer.voice.heard(at: stage.clock.now) else { continue }
      let elapsed = Int((Double(stage.clock.now - StageClock.start) * 48e-6).rounded())
      let index = elapsed - latency
      let number = stage.left.firstNumber(index..<index + 1)
      let wanted = (Double(place.media + stage.clock.now - place.host) * 48e-6).rounded()
      #expect(number == Int(wanted))
      #expect(abs(Double(heard.media) * 48e-6 - wanted) < 0.01)
      checked += 1
    }
    #expect(checked > 20)
  }
}
