import TestSupport
import Testing

@testable import Playback

/// Playback of a source whose data run out and come again.
@Suite(.timeLimit(.minutes(20))) struct PlayerSupplyTests {
  let stage = Stage()

  /// A source that waits for data before a frame until a moment.
  private final class Thirsty: FrameSource {
    let script: ScriptedSource
    let clock: ManualClock
    let dry: (frame: Int, until: HostTime)
    let passTime: @Sendable () -> Void
    let report: (Bool) -> Void
    private var decoded = 0
    private var isWaiting = false

    init(
      _ script: ScriptedSource, _ clock: ManualClock, dry: (Int, HostTime), passTime: @escaping @Sendable () -> Void,
      report: @escaping (Bool) -> Void
    ) {
      (self.script, self.clock, self.dry, self.passTime, self.report) = (script, clock, dry, passTime, report)
    }

    var info: SourceInfo { script.info }
    var index: FrameIndex? { script.index }
    func seek(to time: MediaTime, options: SeekOptions) throws -> SeekLanding {
      decoded = Int(time.seconds * 25)
      return try script.seek(to: time, options: options)
    }
    func rewind() throws { try script.rewind() }
    func retainDecoders(within bytes: Int) -> Int { script.retainDecoders(within: bytes) }

    func decodeNext(discard: DiscardLevel) throws -> DecodeStep {
      guard decoded < dry.frame || clock.now >= dry.until else {
        if !isWaiting {
          isWaiting = true
          report(true)
        }
        passTime()
        return .progress
      }
      if isWaiting {
        isWaiting = false
        report(false)
      }
      let step = try script.decodeNext(discard: discard)
      if case .frame = step { decoded += 1 }
      return step
    }
  }

  /// - Parameter rest: the data that have arrived when the wait ends.
  private func pane(dryAt frame: Int, until: HostTime, rest: DataSupply.Report) -> StagePane {
    stage.stepNanoseconds = 5_000_000
    let pane = stage.add(nil)
    let script = ScriptedSource(.constant(count: 250))
    let clock = stage.clock
    let source: @Sendable () throws -> any FrameSource = { [weak player = pane.player, passTime = pane.passTime] in
      Thirsty(script, clock, dry: (frame, until), passTime: passTime) { isWaiting in
        player?.update { core, now in
          core.sourceWaits(isWaiting, isWaiting ? DataSupply.Report(bytesAhead: 0, offset: 1000, edge: rest.edge) : rest, at: now)
        }
      }
    }
    #expect(pane.player.replaceCurrentItem(with: PlayerItem(source: source)))
    return pane
  }

  @Test func theClockWaitsWhereTheFramesEndAndGoesOn() {
    let pane = pane(dryAt: 50, until: stage.clock.now + 5_000_000_000, rest: .init(bytesAhead: 5000, offset: 1000))
    stage.settle()
    pane.player.play()
    stage.run(seconds: 4)
    #expect(pane.player.timeControlStatus == .waiting(.buffering) && pane.player.currentTime() == MediaTime(value: 2, timescale: 1))
    #expect(pane.events.all.contains(.stalled(at: MediaTime(value: 2, timescale: 1))) && pane.player.rate == 1)
    stage.run(seconds: 4)
    #expect(pane.player.timeControlStatus == .playing)
    #expect(pane.numbers == Array(pane.numbers[0]...(pane.numbers.last ?? 0)), "frames are lost or repeated: \(pane.numbers)")
    stage.run(seconds: 20)
    #expect(pane.numbers.last == 249 && pane.player.statistics.dropped == 0)
  }

  /// With little more than a frame, playback would stop again at once.
  @Test func aLittleIsNotEnough() {
    let pane = pane(dryAt: 50, until: stage.clock.now + 3_000_000_000, rest: .init(bytesAhead: 100, offset: 1000))
    stage.settle()
    pane.player.play()
    stage.run(seconds: 6)
    #expect(pane.player.timeControlStatus == .waiting(.buffering))
    pane.player.update { core, now in core.noteSupply(.init(bytesAhead: 100, offset: 1000, hasArrived: true), at: now) }
    #expect(pane.player.timeControlStatus == .playing)
  }

  @Test func onRequestAFrameIsEnough() {
    let pane = pane(dryAt: 50, until: stage.clock.now + 3_000_000_000, rest: .init(bytesAhead: 100, offset: 1000))
    stage.settle()
    pane.player.play()
    stage.run(seconds: 6)
    #expect(pane.player.timeControlStatus == .waiting(.buffering))
    pane.player.automaticallyWaitsToMinimizeStalling = false
    #expect(pane.player.timeControlStatus == .playing)
  }

  /// Of a live source, the next frame is enough, and a wait for it is nothing unusual.
  @Test func aLiveSourceGoesOnWithItsNextFrame() {
    let pane = pane(dryAt: 50, until: stage.clock.now + 3_000_000_000, rest: .init(edge: 2.04))
    stage.settle()
    pane.player.play()
    stage.run(seconds: 2.5)
    #expect(pane.player.timeControlStatus == .waiting(.buffering) && pane.player.currentTime() == MediaTime(value: 2, timescale: 1))
    stage.run(seconds: 2)
    #expect(pane.player.currentTime() > MediaTime(value: 2, timescale: 1))
    #expect(!pane.events.all.contains { if case .stalled = $0 { true } else { false } })
  }

  /// A live source that comes back after a while has its newest frame shown.
  @Test func aBacklogOfALiveSourceIsLeft() {
    let pane = pane(dryAt: 50, until: stage.clock.now + 3_000_000_000, rest: .init(edge: 8))
    stage.settle()
    pane.player.play()
    stage.run(seconds: 5)
    #expect(pane.player.currentTime() >= MediaTime(value: 6, timescale: 1))
    pane.player.seek(to: MediaTime(value: 1, timescale: 1))
    stage.run(seconds: 1)
    pane.player.update { core, now in core.noteSupply(.init(edge: 9), at: now) }
    stage.run(seconds: 1)
    #expect(pane.player.currentTime() < MediaTime(value: 4, timescale: 1), "who has gone back stays there")
  }

  @Test func aPausedPlayerDoesNotWait() {
    let pane = pane(dryAt: 50, until: stage.clock.now + 5_000_000_000, rest: .init(bytesAhead: 5000, offset: 1000))
    stage.settle()
    pane.player.play()
    stage.run(seconds: 3)
    pane.player.pause()
    #expect(pane.player.timeControlStatus == .paused)
    stage.run(seconds: 5)
    pane.player.play()
    stage.run(seconds: 0.2)
    #expect(pane.player.timeControlStatus == .playing)
  }
}
