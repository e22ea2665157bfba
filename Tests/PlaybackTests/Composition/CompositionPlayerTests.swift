import Pixels
import TestSupport
import Testing

@testable import Playback

/// Compositions in a player, by a hand-moved clock.
@Suite(.timeLimit(.minutes(20))) struct CompositionPlayerTests {
  private let stage = Stage()
  private let a = Asset(path: "a"), b = Asset(path: "b")
  private let script = FrameScript.constant(count: 250, keyEvery: 50)

  /// Pieces of two clips in turn that begin in the midst of a group; each has `frames` frames.
  private func movie(pieces: Int, frames: Int) throws -> Composition {
    var movie = Composition()
    for piece in 0..<pieces {
      let start = Int64(start(ofPiece: piece, frames))
      try movie.append(
        TimeRange(start: MediaTime(value: start, timescale: 25), duration: MediaTime(value: Int64(frames), timescale: 25)),
        of: piece.isMultiple(of: 2) ? a : b)
    }
    return movie
  }

  private func start(ofPiece piece: Int, _ frames: Int) -> Int { (piece * 37 + 30) % (250 - frames) }

  /// The clip's number of a frame of such a movie.
  private func original(_ number: Int, _ frames: Int) -> Int { start(ofPiece: number / frames, frames) + number % frames }

  private func play(pieces: Int, frames: Int) throws -> StagePane {
    let movie = try movie(pieces: pieces, frames: frames)
    let pane = stage.add(nil)
    pane.numberInImage = { original($0, frames) }
    let plan = CompositionPlan(movie)
    var timeline = CompositionTimeline(plan)
    for source in timeline.sources { timeline.add(script.timeline(), rate: 25, tolerance: .zero, of: source) }
    let index = timeline.known.map { FrameIndex(timeline: $0) }
    pane.player.replaceCurrentItem(
      with: PlayerItem { [script, passTime = pane.passTime] in
        CompositionSource(
          plan, index: index, size: script.size, frameRate: 25, failures: CompositionFailures()
        ) { _, _ in
          let source = ScriptedSource(script, index: .complete)
          source.setDuringDecode(passTime)
          return OpenedClip(source: source, tolerance: .zero)
        }
      })
    stage.settle()
    return pane
  }

  /// Pieces that begin in the midst of a group, by a worker whose steps take so long.
  @Test(arguments: [(12, 25, 6.0), (200, 10, 3.0), (4, 100, 12.0)])
  func noFrameIsLateOrLostAtJoints(pieces: Int, frames: Int, milliseconds: Double) throws {
    let pane = try play(pieces: pieces, frames: frames)
    stage.stepNanoseconds = HostTime(milliseconds * 1e6)
    pane.player.play()
    stage.run(seconds: Double(pieces * frames) / 25 + 2)
    #expect(pane.numbers == (0..<pieces * frames).map { original($0, frames) })
    #expect(pane.player.statistics.dropped == 0)
    // The end of a step is the first time at which a frame can be shown.
    let latest = pane.shown.map { $0.host - $0.due }.max() ?? .max
    #expect(latest <= stage.stepNanoseconds, "\(latest) ns")
  }

  @Test func stepsAndReverseCrossJoints() throws {
    let pane = try play(pieces: 6, frames: 10)
    pane.player.cacheBudget = 1 << 20
    pane.player.seek(to: MediaTime(value: 25, timescale: 25), toleranceBefore: .zero, toleranceAfter: .zero)
    stage.settle()
    #expect(pane.player.displayedTiming?.number == 25)
    for number in (15..<25).reversed() { #expect(stage.stepped(pane, -1) == number) }
    for number in 16..<32 { #expect(stage.stepped(pane, 1) == number) }
    _ = pane.takeShown()
    pane.player.rate = -1
    stage.run(seconds: 2)
    #expect(pane.player.displayedTiming?.number == 0)
    #expect(pane.takeShown() == (0..<31).reversed().map { original($0, 10) })
    pane.player.rate = 1
    stage.run(seconds: 3)
    #expect(pane.player.displayedTiming?.number == 59)
    #expect(pane.takeShown() == (1..<60).map { original($0, 10) })
  }

  @Test func loopsOverAJoint() throws {
    let pane = try play(pieces: 4, frames: 10)
    pane.player.loopRange = TimeRange(start: MediaTime(value: 5, timescale: 25), end: MediaTime(value: 15, timescale: 25))
    pane.player.seek(to: MediaTime(value: 5, timescale: 25), toleranceBefore: .zero, toleranceAfter: .zero)
    stage.settle()
    _ = pane.takeShown()
    pane.player.play()
    stage.run(seconds: 1.2)
    #expect(Set(pane.numbers) == Set((5..<15).map { original($0, 10) }))
    // In their order, over and over: none is left out, none comes twice.
    #expect(pane.numbers == (0..<pane.numbers.count).map { original(5 + ($0 + 1) % 10, 10) } && pane.numbers.count >= 29)
    #expect(pane.player.statistics.dropped == 0)
  }
}
