import DecodePool
import Testing

@testable import Sound

/// Which output is used when, with outputs that open and close as a test says.
@Suite(.timeLimit(.minutes(20))) struct OutputSelectionTests {
  private final class ScriptedOutput: SoundOutput {
    let kind: SoundOutputKind
    let calls = Monitor<[String]>([])

    init(_ kind: SoundOutputKind) { self.kind = kind }

    func open(_ client: any SoundOutputClient) { note("open") }
    func setRunning(_ isRunning: Bool) { note(isRunning ? "run" : "pause") }
    func rewrite() {}
    func setTitle(_ title: String) { note("title \(title)") }
    func close() { note("close") }

    private func note(_ call: String) { calls.withLock { $0.append(call) } }
  }

  private let clock = StageClock()
  private let made = Monitor<[ScriptedOutput]>([])
  private let silents = Monitor<[TimedOutput]>([])
  private let statuses = Monitor<[SoundStatus]>([])

  private func makeEngine() -> SoundEngine {
    let (clock, made, silents, statuses) = (clock, made, silents, statuses)
    func maker(_ kind: SoundOutputKind) -> OutputMaker {
      {
        let output = ScriptedOutput(kind)
        made.withLock { $0.append(output) }
        return output
      }
    }
    return SoundEngine(
      outputs: [maker(.pulse), maker(.alsa)],
      makeSilent: { format in
        let output = TimedOutput(DeviceTiming(format: format), now: { clock.now }, pace: .calls)
        silents.withLock { $0.append(output) }
        return output
      },
      now: { clock.now }, onStatus: { status in statuses.withLock { $0.append(status) } })
  }

  private func run(milliseconds: Int) {
    for _ in 0..<milliseconds / 20 {
      silents.withLock { $0.last }?.step()
      clock.advance(milliseconds: 20)
    }
    silents.withLock { $0.last }?.step()
  }

  private var last: ScriptedOutput { made.withLock { $0[$0.count - 1] } }

  private let pulse = SoundDevice(kind: .pulse, name: "Speakers", format: .standard)

  @Test func eachKindIsTriedInTurnAndAgainAfterTwoSeconds() {
    let engine = makeEngine()
    #expect(engine.status == .opening)
    #expect(made.withLock { $0.map(\.kind) } == [.pulse])
    engine.output(last, didCloseBecause: "connection refused")
    #expect(made.withLock { $0.map(\.kind) } == [.pulse, .alsa])
    #expect(engine.status == .opening)
    engine.output(last, didCloseBecause: "no such file or directory")
    #expect(engine.status == .silent(reason: "connection refused"))
    #expect(statuses.withLock { $0 } == [.silent(reason: "connection refused")])
    // While nothing plays, nobody needs a device.
    run(milliseconds: 10_000)
    #expect(made.withLock { $0.count } == 2)
    let producer = StageProducer(engine)
    producer.fill()
    producer.voice.play(SoundPlacement(media: 0, host: clock.now, rate: 1))
    run(milliseconds: 20)
    #expect(made.withLock { $0.map(\.kind) } == [.pulse, .alsa, .pulse])
    engine.output(last, didCloseBecause: "connection refused")
    engine.output(last, didCloseBecause: "no such file or directory")
    run(milliseconds: 1900)
    #expect(made.withLock { $0.count } == 4)
    run(milliseconds: 200)
    #expect(made.withLock { $0.count } == 5)
    // The same reason is told once.
    #expect(statuses.withLock { $0.count } == 1)
    // Silently, the sound went on in time.
    #expect(producer.voice.heard(at: clock.now) == nil)
    producer.fill()
    run(milliseconds: 20)
    producer.seek(to: 0)
    producer.voice.play(SoundPlacement(media: 0, host: clock.now, rate: 1))
    producer.fill()
    run(milliseconds: 100)
    #expect(producer.voice.heard(at: clock.now)?.media == 100_000_000)
  }

  @Test func aServerThatGoesAwayIsReplacedBySilenceInTime() {
    let engine = makeEngine()
    engine.setTitle("clip\u{1B}[2J.mkv")
    let output = last
    engine.output(output, didOpen: pulse)
    #expect(engine.status == .open(pulse))
    // It runs before anything plays, so that its time is known by then.
    #expect(output.calls.withLock { $0 } == ["open", "title clip [2J.mkv", "run"])
    let producer = StageProducer(engine)
    producer.fill()
    producer.voice.play(SoundPlacement(media: 0, host: clock.now, rate: 1))
    var index: Int64 = 0
    func take(_ milliseconds: Int) {
      for _ in 0..<milliseconds / 20 {
        let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: 1920)
        defer { buffer.deallocate() }
        engine.output(output, render: buffer, at: index)
        index += 960
        engine.output(output, didRead: DeviceReading(heard: Double(index) - 960, host: clock.now, taken: index))
        producer.fill()
        clock.advance(milliseconds: 20)
      }
    }
    take(300)
    #expect(producer.voice.heard(at: clock.now)?.media == 300_000_000)
    engine.output(output, didCloseBecause: "connection terminated")
    #expect(engine.status == .silent(reason: "connection terminated"))
    // What the lost output still says is ignored.
    engine.output(output, didRead: DeviceReading(heard: 0, host: clock.now, taken: 0, isExact: true))
    engine.outputDidUnderrun(output)
    for _ in 0..<20 {
      producer.fill()
      run(milliseconds: 20)
    }
    #expect(producer.voice.heard(at: clock.now)?.media == 700_000_000)
    for _ in 0..<90 {
      producer.fill()
      run(milliseconds: 20)
    }
    // Two seconds later it is tried again, and has another rate.
    #expect(made.withLock { $0.count } == 2)
    let generation = producer.voice.demand.generation
    engine.output(last, didOpen: SoundDevice(kind: .pulse, name: "", format: SoundFormat(rate: 44_100)))
    #expect(engine.format.rate == 44_100)
    #expect(producer.voice.demand.generation == generation + 1)
    #expect(engine.statistics.losses == 1 && engine.statistics.underruns == 0)
    engine.close()
    #expect(last.calls.withLock { $0.last } == "close")
  }

  @Test func aServerThatDoesNotAnswerIsGivenUp() {
    let engine = makeEngine()
    let (producer, first) = (StageProducer(engine), last)
    producer.fill()
    producer.voice.play(SoundPlacement(media: 0, host: clock.now, rate: 1))
    run(milliseconds: 14_900)
    #expect(made.withLock { $0.count } == 1)
    run(milliseconds: 200)
    #expect(first.calls.withLock { $0.last } == "close")
    #expect(made.withLock { $0.map(\.kind) } == [.pulse, .alsa])
    // It opens after all, too late.
    engine.output(first, didOpen: pulse)
    #expect(engine.status == .opening)
  }

  @Test func whatAServerSaysMayBeNonsense() {
    let engine = makeEngine()
    let output = last
    engine.output(output, didOpen: pulse)
    let producer = StageProducer(engine)
    producer.fill()
    producer.voice.play(SoundPlacement(media: 0, host: clock.now, rate: 1))
    let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: 1920)
    defer { buffer.deallocate() }
    let values = [1e300, -1e300, .infinity, .nan, 0, 1e18, -1e18]
    for (number, heard) in values.enumerated() {
      for host in [clock.now, .max, .min] {
        for taken in [0, Int64.max, .min] {
          let reading = DeviceReading(heard: heard, host: host, taken: taken, isExact: number % 2 == 0)
          engine.output(output, didRead: reading)
          engine.output(output, render: buffer, at: 0)
          producer.voice.follow(SoundPlacement(media: .max, host: .min, rate: 1e300))
          _ = (engine.statistics, producer.voice.heard(at: host), producer.voice.demand)
          producer.voice.play(SoundPlacement(media: .min, host: .max, rate: 1e-300))
          producer.fill()
        }
      }
    }
  }

  @Test func withoutOutputsThereIsSilence() {
    #expect(SoundEngine(outputs: [], makeSilent: { TimedOutput(DeviceTiming(format: $0), pace: .calls) }).status
      == .silent(reason: "sound is off"))
  }
}
