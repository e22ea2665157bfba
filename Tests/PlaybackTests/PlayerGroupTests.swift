import DecodePool
import Pixels
import Synchronization
import Testing

@testable import Playback

/// Calls of other threads to a group in the middle of one of its calls.
@Suite(.timeLimit(.minutes(20))) struct PlayerGroupTests {
  /// A clock that makes a call when it is read for the n-th time from then on.
  private final class InterruptingClock: HostClock {
    private struct Interruption {
      var left: Int
      var call: @Sendable () -> Void
    }

    private let next = Mutex<Interruption?>(nil)

    func interrupt(after count: Int, _ call: @escaping @Sendable () -> Void) {
      next.withLock { $0 = Interruption(left: count, call: call) }
    }

    /// Cancels the call, and returns true if it had not been made yet.
    func cancel() -> Bool {
      next.withLock { next in
        defer { next = nil }
        return next != nil
      }
    }

    var now: HostTime {
      let call = next.withLock { next -> (@Sendable () -> Void)? in
        guard let present = next else { return nil }
        guard present.left == 0 else {
          next?.left -= 1
          return nil
        }
        next = nil
        return present.call
      }
      call?()
      return 1_000_000_000_000
    }
  }

  private enum OtherCall: CaseIterable {
    case releaseIfReady, pause, play
  }

  @Test(arguments: OtherCall.allCases)
  private func aCallOfAnotherThreadAmidAnyStepLeavesNobodyHeld(_ other: OtherCall) {
    var isPast = false
    for count in 0..<100 where !isPast {
      let clock = InterruptingClock()
      let bus = TimeObserverBus(clock: clock)
      let pool = DecodePool(threads: 0)
      let players = (0..<2).map { _ in Player(context: PlaybackContext(pool: pool, bus: bus)) }
      let group = PlayerGroup(clock: clock)
      clock.interrupt(after: count) {
        switch other {
        case .releaseIfReady: group.releaseIfReady()
        case .pause: group.pause([players[0]])
        case .play: group.play([players[0]], rate: 2)
        }
      }
      group.play(players)
      group.releaseIfReady()
      isPast = clock.cancel()
      for player in players {
        #expect(player.read { core, _ in core.clock.groupHold } == nil, "interrupted at reading \(count)")
      }
    }
    #expect(isPast)
  }

  /// A clock that goes on by a millisecond each time it is read.
  private final class TickingClock: HostClock {
    private let time = Atomic<HostTime>(1_000_000_000_000)
    var now: HostTime { time.add(1_000_000, ordering: .relaxed).newValue }
  }

  /// However long it takes to tell one after another.
  @Test func membersKeepTheirDistanceWhateverTheyAreTold() {
    let clock = TickingClock()
    let context = PlaybackContext(pool: DecodePool(threads: 0), bus: TimeObserverBus(clock: clock))
    let players = (0..<2).map { _ in Player(context: context) }
    let group = PlayerGroup(clock: clock)
    for player in players {
      player.update { core, now in
        core.replaceItem(with: ItemPlayback(number: 1), at: now)
        let info = SourceInfo(
          presentationSize: PixelSize(width: 16, height: 16), duration: MediaTime(value: 60, timescale: 1), nominalFrameRate: 10)
        core.itemDidOpen(info, at: now)
      }
    }
    group.play(players)
    func distance() -> Int64 {
      let media = players.map { player in player.read { core, _ in core.clock.media(at: 1_000_500_000_000) } }
      return media[1] - media[0]
    }
    #expect(distance() == 0)
    group.play(players, rate: -1)
    #expect(distance() == 0)
    group.setRate(2, players)
    #expect(distance() == 0)
    group.pause(players)
    #expect(distance() == 0)
  }
}
