import Playback
import TestSupport
import Testing

/// Who is called when, in which order, and when no longer.
@Suite(.timeLimit(.minutes(20))) struct TimeObserverTests {
  let stage = Stage()

  private func periodic(_ pane: StagePane, _ interval: Double) -> (TimeObserver, Recorder<MediaTime>) {
    let calls = Recorder<MediaTime>()
    let observer = pane.player.addPeriodicTimeObserver(forInterval: seconds(interval), on: InlineExecutor()) {
      calls.append($0)
      StagePane.observerCalls.add(1, ordering: .relaxed)
    }
    return (observer, calls)
  }

  private func boundary(_ pane: StagePane, _ times: [Double]) -> (TimeObserver, Recorder<MediaTime>) {
    let calls = Recorder<MediaTime>()
    let observer = pane.player.addBoundaryTimeObserver(forTimes: times.map(seconds), on: InlineExecutor()) {
      calls.append($0)
      StagePane.observerCalls.add(1, ordering: .relaxed)
    }
    return (observer, calls)
  }

  @Test(arguments: [0.5, 1, 2]) func periodicCallsLieOnTheGridOfMediaTime(rate: Double) {
    let pane = stage.add(.constant(count: 300))
    stage.settle()
    let (observer, calls) = periodic(pane, 0.5)
    pane.player.rate = rate
    stage.run(seconds: 3.1 / rate)
    // The start, then each half second.
    let times = calls.all.map { ($0.seconds * 1e6).rounded() / 1e6 }
    #expect(times == [0, 0.5, 1, 1.5, 2, 2.5, 3])
    pane.player.pause()
    stage.settle()
    #expect(abs((calls.all.last ?? .zero).seconds - 3.1) < 1e-6 && calls.all.count == 8)
    stage.run(seconds: 10)
    #expect(calls.all.count == 8)
    withExtendedLifetime(observer) {}
  }

  @Test func periodicCallsComeOnJumps() {
    let pane = stage.add(.constant(count: 300))
    stage.settle()
    let (observer, calls) = periodic(pane, 1)
    for target in [5.0, 2, 2.3] {
      pane.seek(target)
      stage.settle()
      #expect(calls.take().last == seconds(target))
    }
    pane.player.play()
    stage.run(seconds: 1)
    #expect(calls.take() == [seconds(2.3), seconds(3)])
    pane.seek(8)
    stage.run(seconds: 0.5)
    #expect(Set(calls.take()) == [seconds(8)])
    withExtendedLifetime(observer) {}
  }

  @Test func intervalsThatWereMissedAreSkipped() {
    let pane = stage.add(.constant(count: 3000))
    pane.player.play()
    stage.settle()
    let (observer, calls) = periodic(pane, 0.1)
    stage.settle()
    _ = calls.take()
    stage.clock.advance(bySeconds: 7.25)
    stage.bus.deliver()
    #expect(calls.take() == [seconds(7.25)])
    stage.bus.deliver()
    #expect(calls.all.isEmpty)
    withExtendedLifetime(observer) {}
  }

  @Test func aTimeThatHasPassedMeanwhileIsDueAtOnce() {
    let pane = stage.add(.constant(count: 300))
    pane.player.play()
    stage.settle()
    let (observer, calls) = periodic(pane, 1)
    let (second, crossed) = boundary(pane, [2.05])
    stage.run(seconds: 0.9)
    // The bus was asked a moment too late: the grid's time lies between its last delivery and now.
    stage.clock.advance(bySeconds: 0.2)
    #expect(stage.bus.nextDelivery() == stage.clock.now)
    stage.bus.deliver()
    #expect(calls.all.last == seconds(1.1))
    stage.clock.advance(bySeconds: 0.8)
    stage.bus.deliver()
    stage.clock.advance(bySeconds: 0.2)
    #expect(stage.bus.nextDelivery() == stage.clock.now && crossed.all.isEmpty)
    stage.bus.deliver()
    #expect(crossed.all == [seconds(2.05)])
    withExtendedLifetime((observer, second)) {}
  }

  @Test func boundariesAreCrossedByPlayingOnly() {
    let pane = stage.add(.constant(count: 300))
    stage.settle()
    let (observer, calls) = boundary(pane, [3, 1, 2, 2, 9])
    pane.player.play()
    stage.run(seconds: 1.5)
    #expect(calls.take() == [seconds(1)])
    pane.seek(2.5)
    stage.settle()
    #expect(calls.take().isEmpty)
    stage.run(seconds: 1)
    #expect(calls.take() == [seconds(3)])
    pane.seek(0)
    stage.settle()
    stage.run(seconds: 20)
    #expect(calls.take() == [1, 2, 2, 3, 9].map(seconds))
    withExtendedLifetime(observer) {}
  }

  @Test func aBoundaryAtWhichPlaybackBeginsIsCrossed() {
    let pane = stage.add(.constant(count: 100))
    stage.settle()
    let (observer, calls) = boundary(pane, [0, 1, 3])
    pane.player.play()
    stage.settle()
    // At once, and not when the next one is due.
    #expect(calls.take() == [.zero])
    stage.run(seconds: 1)
    #expect(calls.take() == [seconds(1)])
    // What was played to is not crossed again.
    pane.player.pause()
    stage.settle()
    pane.player.play()
    stage.settle()
    #expect(calls.take().isEmpty)
    pane.player.pause()
    pane.seek(3)
    stage.settle()
    #expect(calls.take().isEmpty)
    pane.player.rate = -1
    stage.settle()
    #expect(calls.take() == [seconds(3)])
    stage.run(seconds: 5)
    #expect(calls.take() == [seconds(1), .zero])
    withExtendedLifetime(observer) {}
  }

  @Test func aLoopBeginsAtItsStart() {
    let pane = stage.add(.constant(count: 50))
    pane.player.actionAtItemEnd = .loop
    stage.settle()
    let (observer, calls) = boundary(pane, [0])
    pane.player.play()
    stage.run(seconds: 5)
    #expect(calls.all == [.zero, .zero, .zero])
    withExtendedLifetime(observer) {}
  }

  @Test func whoComesLateIsToldTheState() {
    let pane = stage.add(.constant(count: 100))
    pane.player.rate = 2
    stage.run(seconds: 1)
    let events = Recorder<PlayerEvent>(), later = Recorder<PlayerEvent>()
    let observer = pane.player.addEventObserver(includesState: true, on: InlineExecutor()) { events.append($0) }
    let other = pane.player.addEventObserver(on: InlineExecutor()) { later.append($0) }
    #expect(events.all == [.itemReady, .durationChanged(MediaTime(value: 4, timescale: 1)), .rateChanged(2), .statusChanged(.playing)])
    pane.player.pause()
    stage.settle()
    #expect(events.all.suffix(2) == [.rateChanged(0), .statusChanged(.paused)] && events.all.count == 6)
    #expect(later.all == [.rateChanged(0), .statusChanged(.paused)])
    let empty = Recorder<PlayerEvent>()
    let third = stage.add(nil).player.addEventObserver(includesState: true, on: InlineExecutor()) { empty.append($0) }
    #expect(empty.all == [.rateChanged(0), .statusChanged(.paused)])
    withExtendedLifetime((observer, other, third)) {}
  }

  @Test func aBoundaryIsMetAtItsMoment() {
    let pane = stage.add(.constant(count: 300, unit: 1001, scale: 30000))
    stage.settle()
    let start = stage.clock.now
    let hosts = Recorder<HostTime>()
    let clock = stage.clock
    let observer = pane.player.addBoundaryTimeObserver(forTimes: [seconds(1.234567)], on: InlineExecutor()) {
      _ in
      hosts.append(clock.now)
    }
    pane.player.rate = 1.7
    stage.run(seconds: 3)
    #expect(hosts.all.count == 1 && abs(Double((hosts.all.first ?? 0) - start) - 1.234567e9 / 1.7) <= 2)
    withExtendedLifetime(observer) {}
  }

  @Test func boundariesAcrossALoop() {
    let pane = stage.add(.constant(count: 50))
    pane.player.actionAtItemEnd = .loop
    stage.settle()
    let (observer, calls) = boundary(pane, [0.5, 1.98, 2])
    pane.player.play()
    stage.run(seconds: 4.6)
    #expect(calls.take() == [0.5, 1.98, 2, 0.5, 1.98, 2, 0.5].map(seconds))
    // Also when the loop has turned three times between two deliveries.
    stage.clock.advance(bySeconds: 6)
    while stage.pool.runNextStep() {}
    stage.bus.deliver()
    #expect(calls.take() == [1.98, 2, 0.5, 1.98, 2, 0.5, 1.98, 2, 0.5].map(seconds))
    withExtendedLifetime(observer) {}
  }

  @Test func aStopBeforeWhatWasAskedForAheadCrossesNothingBack() {
    let pane = stage.add(.constant(count: 300))
    stage.settle()
    let (observer, calls) = boundary(pane, [1.05])
    pane.player.play()
    stage.run(seconds: 1)
    // A display asks for what it is going to show.
    _ = pane.output.take(at: stage.clock.now + 100_000_000)
    pane.player.pause()
    stage.settle()
    #expect(calls.take() == [seconds(1.05)])
    withExtendedLifetime(observer) {}
  }

  @Test func momentsThatComeInAnotherOrderCrossOnce() {
    let pane = stage.add(.constant(count: 300))
    pane.player.play()
    stage.settle()
    let (observer, calls) = boundary(pane, [0.95])
    let late = stage.clock.now + 900_000_000
    stage.clock.advance(bySeconds: 1)
    stage.bus.deliver()
    // A thread that took its time earlier comes later.
    _ = pane.output.take(at: late)
    stage.bus.deliver()
    stage.run(seconds: 1)
    #expect(calls.all == [seconds(0.95)])
    withExtendedLifetime(observer) {}
  }

  @Test func nothingFromBeforeItWasAdded() {
    let pane = stage.add(.constant(count: 300))
    pane.player.play()
    stage.settle()
    stage.clock.advance(bySeconds: 2)
    let (observer, calls) = boundary(pane, [1, 3])
    let events = Recorder<PlayerEvent>()
    let second = pane.player.addEventObserver(on: InlineExecutor()) { events.append($0) }
    stage.run(seconds: 2)
    #expect(calls.all == [seconds(3)] && events.all.isEmpty)
    withExtendedLifetime((observer, second)) {}
  }

  @Test func slowExecutorsGetTheNewestTimeAndEveryEvent() {
    let pane = stage.add(.constant(count: 3000))
    stage.settle()
    let mailbox = Mailbox()
    let times = Recorder<MediaTime>()
    let events = Recorder<PlayerEvent>()
    let a = pane.player.addPeriodicTimeObserver(forInterval: seconds(0.1), on: mailbox) { times.append($0) }
    let b = pane.player.addEventObserver(on: mailbox) { events.append($0) }
    for rate in [1.0, 2, 3] {
      pane.player.rate = rate
      stage.run(seconds: 1)
    }
    #expect(times.all.isEmpty && events.all.isEmpty)
    mailbox.run()
    #expect(times.all == [seconds(6)])
    #expect(events.all == [.rateChanged(1), .statusChanged(.playing), .rateChanged(2), .rateChanged(3)])
    withExtendedLifetime((a, b)) {}
  }

  @Test func aBlockMayUseThePlayerAndAddObservers() {
    let pane = stage.add(.constant(count: 50))
    let player = pane.player
    let inner = Recorder<TimeObserver>()
    let calls = Recorder<MediaTime>()
    let observer = player.addEventObserver(on: InlineExecutor()) { [weak player] event in
      guard event == .playedToEnd, let player else { return }
      player.seek(to: .zero, toleranceBefore: .zero, toleranceAfter: .zero)
      player.play()
      inner.append(
        player.addBoundaryTimeObserver(forTimes: [seconds(1)], on: InlineExecutor()) { calls.append($0) })
    }
    player.play()
    stage.run(seconds: 6.5)
    #expect(pane.events.all.filter { $0 == .playedToEnd }.count == 3)
    #expect(calls.all.count == 3)
    withExtendedLifetime(observer) {}
  }

  @Test func nothingIsDueWhileNothingRuns() {
    let pane = stage.add(.constant(count: 50))
    let (observer, _) = periodic(pane, 0.1)
    stage.run(seconds: 1)
    #expect(stage.bus.nextDelivery() == nil)
    pane.player.play()
    stage.settle()
    #expect(stage.bus.nextDelivery() == stage.clock.now + 100_000_000)
    withExtendedLifetime(observer) {}
  }

}
