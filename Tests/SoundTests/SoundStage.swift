import DecodePool
import Synchronization

@testable import Sound

/// A clock that stands until a test moves it.
final class StageClock: Sendable {
  private let time = Atomic<Int64>(1_000_000_000_000)

  var now: Int64 { time.load(ordering: .acquiring) }

  func advance(by nanoseconds: Int64) { time.wrappingAdd(nanoseconds, ordering: .acquiringAndReleasing) }
}

/// An engine on a device that the test moves on, with all that the device took.
final class SoundStage: Sendable {
  let clock = StageClock()
  let engine: SoundEngine
  let output: TimedOutput
  private let recording = Monitor<[Float]>([])

  static let millisecond: Int64 = 1_000_000

  /// - Parameter timing: figures of the device; one that queues 200 ms, takes 10 ms at once, and is 30 ms late by default.
  init(_ timing: DeviceTiming = DeviceTiming(burst: 480, latency: 1440)) {
    var timing = timing
    let (clock, recording) = (clock, recording)
    timing.sink = { samples, _ in recording.withLock { $0 += samples } }
    let output = TimedOutput(timing, now: { clock.now }, pace: .calls)
    self.output = output
    engine = SoundEngine(outputs: [], makeSilent: { _ in output }, now: { clock.now })
    output.step()
  }

  /// What the device took, one value for each sample: the first channel.
  var left: [Float] {
    recording.withLock { values in stride(from: 0, to: values.count, by: engine.format.channels).map { values[$0] } }
  }

  /// Lets the device run, in steps of 10 ms.
  func run(milliseconds: Int, each: () -> Void = {}) {
    for _ in 0..<milliseconds / 10 {
      each()
      output.step()
      clock.advance(by: 10 * Self.millisecond)
      output.step()
    }
  }

  /// The index that is heard now.
  var heardIndex: Int { Int((Double(clock.now - 1_000_000_000_000) * 48e-6).rounded()) - 1440 }
}

/// Fills a voice with samples that tell their number.
final class StageProducer: Sendable {
  let voice: SoundVoice
  private let next = Monitor(0)
  private let value: @Sendable (Int) -> Float

  init(_ engine: SoundEngine, _ value: @escaping @Sendable (Int) -> Float = { Float($0 % 4096) / 8192 + 0.25 }) {
    self.value = value
    voice = engine.makeVoice {}
  }

  /// Seeks: the next sample added is this one.
  func seek(to sample: Int) {
    voice.flush()
    next.withLock { $0 = sample }
  }

  /// Adds as many samples as there is room for, or fewer.
  @discardableResult func fill(atMost limit: Int = .max) -> Int {
    let demand = voice.demand
    let count = min(demand.room, limit)
    return next.withLock { next in
      let channels = demand.format.channels
      let values = (0..<count * channels).map { value(next + $0 / channels) }
      let place = MediaPlace(media: Int64((Double(next) * demand.format.sampleDuration).rounded()))
      let taken = values.withUnsafeBufferPointer {
        voice.append($0, at: place, mediaPerSample: demand.format.sampleDuration, generation: demand.generation)
      }
      next += taken ?? 0
      return taken ?? 0
    }
  }

  func sample(_ number: Int) -> Float { value(number) }
}
