import Playback

/// Observes a player, and describes what happens.
public func observe(_ player: Player, say: @escaping @Sendable (String) -> Void) -> [TimeObserver] {
  // guide: observing
  let executor = InlineExecutor()
  let clock = player.addPeriodicTimeObserver(forInterval: MediaTime(value: 1, timescale: 4), on: executor) { time in
    say("at \(time.clockText(fractionDigits: 2))")
  }
  let halfSecond = MediaTime(value: 1, timescale: 2)
  let mark = player.addBoundaryTimeObserver(forTimes: [halfSecond], on: executor) { _ in say("half a second") }
  let events = player.addEventObserver(on: executor) { event in
    switch event {
    case .itemFailed(let error): say("the clip \(error)")
    case .playedToEnd: say("the end")
    default: break
    }
  }
  // end
  return [clock, mark, events]
}
