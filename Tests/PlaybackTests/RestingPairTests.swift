import TestSupport
import Testing

@testable import Playback

/// Players that are used together, paused and stepped: a player rests only on the frame of its clock's time.
@Suite(.timeLimit(.minutes(20))) struct RestingPairTests {
  @Test(arguments: TestSeeds.first(30)) func restingPlayersShowTheFrameOfTheirTime(seed: UInt64) {
    var dice = SeededGenerator(seed: seed)
    let stage = Stage()
    stage.stepNanoseconds = HostTime.random(in: 200_000...30_000_000, using: &dice)
    stage.cacheBudget = [1 << 14, 1 << 16, 1 << 20].randomElement(using: &dice) ?? 0
    let panes = [stage.add(.constant(count: 300, scale: 30, keyEvery: 30)), stage.add(.constant(count: 300, scale: 30, keyEvery: 30))]
    let players = panes.map(\.player)
    func watch(_ seconds: Double, _ what: String) {
      let end = stage.clock.now + HostTime(seconds * 1e9)
      while stage.clock.now < end {
        stage.run(seconds: Double.random(in: 0.0005...0.006, using: &dice))
        for (index, player) in players.enumerated() {
          let moment = player.read { core, _ in core.pairMoment(at: stage.clock.now) }
          guard let resting = moment.resting else { continue }
          let frame = (Double(moment.media) * 30 / 1e9 + 1e-4).rounded(.down)
          #expect(Int(frame) == Int((resting.seconds * 30).rounded()), "seed \(seed), pane \(index), \(what): \(moment)")
        }
      }
    }
    stage.settle()
    for round in 0..<6 {
      stage.group.play(players, rate: 1)
      watch(Double.random(in: 0.3...1.6, using: &dice), "\(round) playing")
      stage.group.play(players, rate: -1)
      watch(Double.random(in: 0.05...1.2, using: &dice), "\(round) reverse")
      stage.group.pause(players)
      watch(Double.random(in: 0...0.1, using: &dice), "\(round) paused")
      for number in 0..<6 {
        let count = Bool.random(using: &dice) ? 1 : -1
        for player in players { player.step(byCount: count) }
        watch(Double.random(in: 0.005...0.06, using: &dice), "\(round) step \(number) by \(count)")
      }
      stage.run(seconds: 1)
      let numbers = players.map { $0.displayedTiming?.number }
      #expect(numbers[0] == numbers[1], "seed \(seed), round \(round)")
    }
    watch(1, "at the end")
  }
}
