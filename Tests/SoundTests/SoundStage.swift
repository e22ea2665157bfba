import DecodePool
import Synchronization

@testable import Sound

/// A clock that stands until a test moves it.
final class StageClock: Sendable {
  private let time = Atomic<Int64>(StageClock.start)

  static let start: Int64 = 1_000_000_000_000

  var now: Int64 { time.load(ordering: .acquiring) }

  func advance(milliseconds: Int) {
    time.wrappingAdd(Int64(milliseconds) * 1_000_000, ordering: .acquiringAndReleasing)
  }
}

/// An engine on a device that the test moves on, with all that the device took.
final class SoundStage: Sendable {
  let clock = StageClock()
  let engine: SoundEngine
  let output: TimedOutput
  private let recording = Monitor<[Float]>([])

  /// Samples from taking one until it is heard.
  let latency: Int

  /// - Parameter timing: figures of the device; one that queues 200 ms, takes 10 ms at once, and is 30 ms late by default.
  init(_ timing: DeviceTiming = DeviceTiming(burst: 480, latency: 1440)) {
    var timing = timing
    latency = timing.latency
    let (clock, recording) = (clock, recording)
    timing.sink = { samples, _ in recording.withLock { $0 += samples } }
    let output = TimedOutput(timing, now: { clock.now }, pace: .calls)
    self.output = output
    engine = SoundEngine(outputs: [], makeSilent: { _ in output }, now: { clock.now })
  }

  /// What the device took, one value for each sample: the first channel.
  var left: [Float] {
    let channels = engine.format.channels
    return recording.withLock { values in stride(from: 0, to: values.count, by: channels).map { values[$0] } }
  }

  /// Lets the device run, in steps of 10 ms.
  func run(milliseconds: Int, each: () -> Void = {}) {
    for _ in 0..<milliseconds / 10 {
      each()
      output.step()
      clock.advance(milliseconds: 10)
      output.step()
    }
  }

  /// A clock of a player that is at a media time now.
  func placement(milliseconds: Int, in delay: Int = 0, rate: Double = 1, timeline: Int = 0) -> SoundPlacement {
    SoundPlacement(
      media: Int64(milliseconds) * 1_000_000, host: clock.now + Int64(delay) * 1_000_000, rate: rate, timeline: timeline)
  }
}

/// Fills a voice with samples that tell their number.
final class StageProducer: Sendable {
  let voice: SoundVoice
  private let state = Monitor(State())
  private let value: @Sendable (Int) -> Float

  private struct State {
    var next = 0
    var timeline = 0
  }

  init(_ engine: SoundEngine, _ value: @escaping @Sendable (Int) -> Float = StageProducer.number) {
    self.value = value
    voice = engine.makeVoice {}
  }

  /// A value that tells a sample's number, if it is less than 2^17.
  static let number: @Sendable (Int) -> Float = { Float($0 & 0x1FFFF) / Float(1 << 18) + 0.25 }

  /// Seeks: the next sample added is this one.
  func seek(to sample: Int, timeline: Int = 0) {
    voice.flush()
    state.withLock { ($0.next, $0.timeline) = (sample, timeline) }
  }

  /// Adds as many samples as there is room for, or fewer, and returns how many.
  @discardableResult func fill(atMost limit: Int = .max, stretch: Double = 1) -> Int {
    let demand = voice.demand
    let count = min(demand.room, limit)
    return state.withLock { state in
      let channels = demand.format.channels
      let values = (0..<count * channels).map { value(state.next + $0 / channels) }
      let duration = demand.format.sampleDuration * stretch
      let place = MediaPlace(media: Int64((Double(state.next) * duration).rounded()), timeline: state.timeline)
      let taken = values.withUnsafeBufferPointer {
        voice.append($0, at: place, mediaPerSample: duration, generation: demand.generation)
      }
      state.next += taken ?? 0
      return taken ?? 0
    }
  }
}

extension Array where Element == Float {
  /// The number of samples told by a range of values; nil unless they follow each other.
  func firstNumber(_ range: Range<Int>) -> Int? {
    guard range.upperBound <= count, let first = range.first else { return nil }
    let number = Int((self[first] - 0.25) * Float(1 << 18))
    return range.allSatisfy { self[$0] == StageProducer.number(number + $0 - first) } ? number : nil
  }

  /// The largest difference of neighbours.
  var largestStep: Float { zip(self, dropFirst()).reduce(0) { Swift.max($0, abs($1.1 - $1.0)) } }
}
