import DecodePool
import Foundation
import TestSupport
import Testing

@testable import Sound

/// Real servers, in real time.
@Suite(.timeLimit(.minutes(20)), .serialized, .enabled(if: PulseServer.isInstalled, "pulseaudio is not installed"))
struct PulseOutputTests {
  private final class Player: Sendable {
    let statuses = Monitor<[SoundStatus]>([])
    let engine: SoundEngine
    let producer: StageProducer
    private let wakes: Monitor<Int>

    init(_ address: String) {
      let (statuses, wakes) = (statuses, Monitor(0))
      self.wakes = wakes
      engine = SoundEngine(
        outputs: [{ PulseOutput(server: address) }], onStatus: { status in statuses.withLock { $0.append(status) } })
      producer = StageProducer(engine)
    }

    /// Adds samples until a moment.
    func play(until end: Int64) {
      while SoundEngine.monotonicNow() < end {
        producer.fill()
        _ = wakes.wait(until: UInt64(SoundEngine.monotonicNow() + 10_000_000)) { _ in nil as Int? }
      }
    }

    /// Waits for a status, adding samples meanwhile.
    func reaches(_ isReached: (SoundStatus) -> Bool) -> Bool {
      let end = SoundEngine.monotonicNow() + 60_000_000_000
      while SoundEngine.monotonicNow() < end {
        if statuses.withLock({ $0.last.map(isReached) ?? false }) { return true }
        play(until: SoundEngine.monotonicNow() + 20_000_000)
      }
      return false
    }
  }

  private func isOpen(_ status: SoundStatus) -> Bool {
    if case .open(let device) = status { device.kind == .pulse && !device.name.isEmpty } else { false }
  }

  @Test func everySampleIsPlayedInTime() throws {
    let server = try PulseServer()
    let player = Player(server.address)
    let voice = player.producer.voice
    player.producer.fill()
    let start = SoundEngine.monotonicNow()
    // The sink of a new server is late at first; it is not what is tested.
    voice.play(SoundPlacement(media: 0, host: start, rate: 1))
    #expect(player.reaches(isOpen))
    let recording = try server.record()
    player.play(until: SoundEngine.monotonicNow() + 1_000_000_000)
    // Placed anew, by a clock that has settled.
    player.producer.seek(to: 10_000)
    let host = SoundEngine.monotonicNow() + 100_000_000
    let placement = SoundPlacement(media: Int64(10_000 / 48e-6), host: host, rate: 1)
    voice.play(placement)
    player.play(until: host + 1_200_000_000)
    let now = SoundEngine.monotonicNow()
    let told = voice.heard(at: now).map { Double($0.media) - placement.media(at: Double(now)) }
    recording.stop()
    let recorded = recording.recorded
    let left = recorded.left

    // Sample 10,240 follows the ramp; from there on, none is missing.
    let first = try #require(left.indices.last { left[$0] == StageProducer.number(10_240) })
    #expect(left.firstNumber(first..<left.count) == 10_240)
    #expect(left.count - first > 24_000)
    // The monitor gives samples at the earliest 10 ms before they are heard.
    let due = { (index: Int) in Double(host) + Double(index - first + 240) / 48e-6 }
    let leads = recorded.arrivals.filter { $0.count > first }.map { due($0.count) - Double($0.host) }.sorted()
    let lead = try #require(leads.isEmpty ? nil : leads[leads.count * 95 / 100])
    #expect(abs(lead - 10e6) < 8e6)
    #expect(abs(try #require(told)) < 5e6)
  }

  @Test func aServerThatDiesAndComesBack() throws {
    let folder = NSTemporaryDirectory() + "/quadrille-\(UUID().uuidString)"
    var server: PulseServer? = try PulseServer(in: folder)
    let player = Player(try #require(server).address)
    player.producer.fill()
    let placement = SoundPlacement(media: 0, host: SoundEngine.monotonicNow(), rate: 1)
    player.producer.voice.play(placement)
    #expect(player.reaches(isOpen))
    player.play(until: SoundEngine.monotonicNow() + 300_000_000)
    server = nil
    #expect(player.reaches { if case .silent = $0 { true } else { false } })
    // Silently, the sound goes on in time.
    player.play(until: SoundEngine.monotonicNow() + 300_000_000)
    let now = SoundEngine.monotonicNow()
    let heard = try #require(player.producer.voice.heard(at: now))
    #expect(abs(Double(heard.media) - placement.media(at: Double(now))) < 1e6)
    server = try PulseServer(in: folder)
    #expect(player.reaches(isOpen))
    #expect(player.engine.statistics.losses == 1)
    withExtendedLifetime(server) {}
  }

  @Test func withoutAServerThereIsAReason() {
    let player = Player("unix:/nowhere/socket")
    player.producer.voice.play(SoundPlacement(media: 0, host: 0, rate: 1))
    #expect(player.reaches { $0 == .silent(reason: "connection refused") })
  }
}
