import Dispatch
import Playback
import TestSupport
import Testing

/// The events and frames of a player in `for await` loops, and where its observers' blocks run.
@Suite(.timeLimit(.minutes(20))) struct PlayerSequenceTests {
  let stage = Stage()

  /// A player with threads of its own.
  private func player(_ script: FrameScript) -> Player {
    let player = Player(context: PlaybackContext(threads: 1))
    player.replaceCurrentItem(with: PlayerItem { ScriptedSource(script) })
    return player
  }

  @Test func eventsBeginWithTheState() async {
    let pane = stage.add(.constant(count: 100))
    stage.settle()
    var events = pane.player.events.makeAsyncIterator()
    pane.player.play()
    stage.settle()
    var seen: [PlayerEvent?] = []
    for _ in 0..<6 { seen.append(await events.next()) }
    #expect(
      seen == [
        .itemReady, .durationChanged(seconds(4)), .rateChanged(0), .statusChanged(.paused), .rateChanged(1), .statusChanged(.playing),
      ])
  }

  @Test func theNewestTimeWaits() async {
    let pane = stage.add(.constant(count: 100))
    stage.settle()
    var times = pane.player.times(every: seconds(0.5)).makeAsyncIterator()
    pane.player.play()
    stage.settle()
    #expect(await times.next() == .zero)
    stage.run(seconds: 1.1)
    #expect(await times.next() == seconds(1))
  }

  @Test func cancellingEndsTheLoops() async {
    let player = player(.constant(count: 5))
    let output = VideoOutput(player)
    let loops = [
      Task { for await _ in player.events {} }, Task { for await _ in player.times(every: .zero) {} },
      Task { for await _ in output.frames {} },
    ]
    for loop in loops {
      loop.cancel()
      await loop.value
    }
  }

  @Test func everyFrameComesWithoutAClock() async {
    let player = player(.constant(count: 20))
    let output = VideoOutput(player, request: StagePane.request)
    player.isUntimed = true
    player.play()
    var numbers: [Int] = []
    for await frame in output.frames {
      numbers.append(ScriptedSource.number(in: frame.image))
      if numbers.count == 20 { break }
    }
    #expect(numbers == Array(0..<20) && player.statistics.shown == 20)
  }

  @Test func framesComeAsTheyBecomeDue() async {
    let player = player(.constant(count: 20, unit: 1, scale: 200))
    let output = VideoOutput(player, request: StagePane.request)
    player.play()
    var numbers: [Int] = []
    for await frame in output.frames {
      numbers.append(frame.timing.number)
      if frame.timing.number == 19 { break }
    }
    // A busy machine drops some.
    #expect(numbers.last == 19 && numbers == numbers.sorted() && Set(numbers).count == numbers.count)
  }

  @Test func aSeekIsAwaitedOrNot() async {
    let player = player(.constant(count: 100))
    let output = VideoOutput(player, request: StagePane.request)
    await player.seek(to: seconds(1))
    let result = await player.seek(to: seconds(2), toleranceBefore: .zero, toleranceAfter: .zero)
    #expect(result == .finished && output.copyFrame(at: player.hostTime)?.frame.timing.number == 50)
  }

  @Test func theMainActorRunsBlocks() async {
    await withCheckedContinuation { continuation in
      MainActorExecutor().execute {
        MainActor.preconditionIsolated()
        continuation.resume()
      }
    }
  }

  @Test func aConcurrentQueueRunsThemInOrder() async {
    let numbers = Recorder<Int>()
    let executor = DispatchExecutor(DispatchQueue(label: "test", attributes: .concurrent))
    await withCheckedContinuation { continuation in
      for number in 0..<100 { executor.execute { numbers.append(number) } }
      executor.execute { continuation.resume() }
    }
    #expect(numbers.all == Array(0..<100))
  }
}
