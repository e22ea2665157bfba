import CellGraphics
import DecodePool
import Foundation
import Pixels
import Playback
import TestSupport
import Terminal
import Testing

@testable import QuadrilleApp

/// The subtitles on display are those of the frame that is seen, whichever way that was come to: by a clock that the test moves.
@Suite(.timeLimit(.minutes(20))) struct SubtitleMomentTests {
  /// 25 frames a second: of every ten frames the last seven say which they are, but for some that say nothing.
  private static func words(ofFrame number: Int) -> String? {
    let group = number / 10
    return number % 10 < 3 || group % 4 == 3 ? nil : "Said of \(group)."
  }

  private static let frameCount = 250

  private static let script = (0..<frameCount / 10).filter { $0 % 4 != 3 }.map { group in
    func time(_ frame: Int) -> String { String(format: "00:00:%02d,%03d", frame / 25, frame % 25 * 40) }
    return "\(group + 1)\n\(time(10 * group + 3)) --> \(time(10 * group + 10))\nSaid of \(group).\n\n"
  }.joined()

  /// A player without threads, what is taken of it, and the subtitles over that.
  private final class Screen {
    let clock = ManualClock()
    let player: Player
    let subtitles: PaneSubtitles
    private let pool: DecodePool
    private let bus: TimeObserverBus
    private let output: VideoOutput
    private var timing: FrameTiming?
    /// Frames that were seen, each time that another one was.
    private(set) var numbers: [Int] = []

    init(
      _ folder: TemporaryFolder, _ frames: FrameScript = .constant(count: SubtitleMomentTests.frameCount),
      words: String = SubtitleMomentTests.script
    ) async throws {
      pool = DecodePool(threads: 0, now: clock.unsignedNow)
      bus = TimeObserverBus(clock: clock) {}
      player = Player(context: PlaybackContext(pool: pool, bus: bus))
      player.cacheBudget = 64 << 20
      output = VideoOutput(player, request: RenderRequest(box: PixelSize(width: 16, height: 9)))
      subtitles = PaneSubtitles(PlayOptions.SubtitleOptions(), files: []) {}
      let source = ScriptedSource(frames)
      let item = PlayerItem { source }
      let path = folder.path("said.srt")
      try Data(words.utf8).write(to: URL(fileURLWithPath: path))
      let options = try await withCheckedThrowingContinuation { done in item.addSubtitles(file: path) { done.resume(with: $0) } }
      subtitles.didOpen(item, spoken: nil)
      _ = subtitles.choose(options.first)
      _ = try await #require(item.subtitles).load()
      player.replaceCurrentItem(with: item)
      settle()
    }

    func settle() {
      repeat { bus.deliver() } while pool.runNextStep()
      while let (frame, due) = output.copyFrame(at: clock.now) {
        timing = frame.timing
        output.didShow(due: due, at: clock.now)
        if numbers.last != frame.timing.number { numbers.append(frame.timing.number) }
        bus.deliver()
      }
    }

    /// The time whose words are on the screen.
    private var time: MediaTime? { timing.map { SubtitleDisplay.time(displaying: $0, at: player.currentTime(), isResting: player.rate == 0) } }

    /// Lets time pass until the program would look for other words by itself, a second where it would not.
    func sleep() {
      let wake = subtitles.nextTime(after: clock.now, seen: time, present: player.currentTime(), rate: player.rate)
      clock.advance(by: max(1, (wake ?? clock.now + 1_000_000_000) - clock.now))
      settle()
    }

    /// The words on the screen; nil where there are none.
    var shown: String? {
      let cells = CellRect(x: 0, y: 0, width: 40, height: 12)
      _ = subtitles.show(at: time, SubtitleLayout(frame: cells, pane: cells)) { _ in nil }
      let rows = subtitles.blocks.flatMap(\.rows)
      return rows.isEmpty ? nil : rows.map { $0.map { "\($0.text)" }.joined() }.joined(separator: "\n")
    }

    func expectWords(_ what: String = "", sourceLocation: SourceLocation = #_sourceLocation) {
      guard let number = timing?.number else {
        Issue.record("no frame \(what)", sourceLocation: sourceLocation)
        return
      }
      #expect(shown == SubtitleMomentTests.words(ofFrame: number), "frame \(number) \(what)", sourceLocation: sourceLocation)
    }

    /// Lets time pass in pieces that are no part of a frame's length, and looks after each.
    func run(seconds: Double, sourceLocation: SourceLocation = #_sourceLocation) {
      let end = clock.now + HostTime(seconds * 1e9)
      while clock.now < end {
        clock.advance(by: 7_300_000)
        settle()
        expectWords("at \(player.currentTime())", sourceLocation: sourceLocation)
      }
    }

    func seek(toFrame number: Int) { seek(to: MediaTime(value: Int64(2 * number + 1), timescale: 50)) }

    func seek(to time: MediaTime) {
      player.seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero)
      settle()
    }
  }

  @Test(arguments: [0.5, 1, 2, -0.5, -1, -2]) func atEveryRate(rate: Double) async throws {
    let folder = try TemporaryFolder(), screen = try await Screen(folder)
    if rate < 0 { screen.seek(toFrame: 150) }
    screen.player.rate = rate
    screen.run(seconds: 4)
    let seen = screen.numbers.last ?? 0
    #expect(rate > 0 ? seen >= Int(95 * rate) : seen <= max(0, 150 + Int(95 * rate)), "\(screen.numbers)")
    // Words came and went, several times.
    let changes = zip(screen.numbers, screen.numbers.dropFirst()).filter { Self.words(ofFrame: $0) != Self.words(ofFrame: $1) }
    #expect(changes.count >= 7, "\(screen.numbers)")
  }

  /// From words of one cue over nothing into those of the next, and back again.
  @Test(arguments: [1, 0.5, 2, -1]) func inAnABLoopOverEdgesOfCues(rate: Double) async throws {
    let folder = try TemporaryFolder(), screen = try await Screen(folder)
    screen.seek(toFrame: 50)
    screen.player.loopRange = TimeRange(start: MediaTime(value: 47, timescale: 25), end: MediaTime(value: 56, timescale: 25))
    screen.player.rate = rate
    screen.run(seconds: 4)
    let turns = zip(screen.numbers, screen.numbers.dropFirst()).filter { rate > 0 ? $0 > $1 : $0 < $1 }
    #expect(turns.count >= Int(4 * abs(rate) / 0.36) - 1, "\(screen.numbers)")
    #expect(screen.numbers.suffix(20).allSatisfy { (47..<56).contains($0) }, "\(screen.numbers)")
  }

  @Test func afterEverySeekAndStep() async throws {
    let folder = try TemporaryFolder(), screen = try await Screen(folder)
    var random = SeededGenerator(seed: 14)
    for turn in 0..<200 {
      let number = Int.random(in: 0..<Self.frameCount, using: &random)
      screen.seek(toFrame: number)
      #expect(screen.numbers.last == number)
      screen.expectWords("after seek \(turn)")
      for step in [1, -1, -3, 2] {
        screen.player.step(byCount: step)
        screen.settle()
        screen.expectWords("after step \(step)")
      }
    }
    // Amid playing.
    for turn in 0..<50 {
      screen.seek(toFrame: Int.random(in: 0..<Self.frameCount - 20, using: &random))
      screen.player.rate = turn % 2 == 0 ? 1 : -1
      screen.run(seconds: 0.3)
    }
  }

  /// Words that come and go while a frame of some seconds stands: nothing but the words' own times tells when to look.
  @Test(arguments: [-0.5, -1, -2, 0.5, 1, 2]) func withinLongFrames(rate: Double) async throws {
    let said = [("Late in the first", 3.0, 3.9), ("In the second", 5, 5.6), ("Briefly", 6, 6.2), ("Over a cut", 7.5, 8.5), ("Last", 13, 14)]
    let script = said.enumerated().map { number, cue in
      func time(_ seconds: Double) -> String { String(format: "00:00:%02d,%03d", Int(seconds), Int((seconds * 1000).rounded()) % 1000) }
      return "\(number + 1)\n\(time(cue.1)) --> \(time(cue.2))\n\(cue.0)\n\n"
    }.joined()
    let folder = try TemporaryFolder()
    // Four frames of 4 s each.
    let screen = try await Screen(folder, .constant(count: 4, unit: 4, scale: 1, keyEvery: 1), words: script)
    let start = rate < 0 ? MediaTime(value: 155, timescale: 10) : .zero
    screen.seek(to: start)
    screen.player.rate = rate
    var changes: [(words: String?, time: Double)] = []
    let end = screen.clock.now + HostTime(15 / abs(rate) * 1e9)
    while screen.clock.now < end {
      let words = screen.shown
      if changes.last.map({ $0.words != words }) ?? true { changes.append((words, screen.player.currentTime().seconds)) }
      screen.sleep()
    }
    let forwards = said.flatMap { [($0.0 as String?, $0.1), (nil, $0.2)] }
    let backwards = said.reversed().flatMap { [($0.0 as String?, $0.2), (nil, $0.1)] }
    let expected = rate > 0 ? forwards : backwards
    #expect(changes.map(\.words) == [nil] + expected.map(\.0), "\(changes)")
    // Going backwards they are looked for after each 40 ms.
    let tolerance = rate < 0 ? 0.041 * -rate : 0.001
    for (change, (_, time)) in zip(changes.dropFirst(), expected) {
      #expect((change.time - time) * (rate < 0 ? -1 : 1) <= tolerance && abs(change.time - time) <= tolerance, "\(change), at \(time)")
    }
  }

  /// By so much words are later, or sooner, than the frames of which they speak.
  @Test(arguments: [-0.4, 0.4]) func withADelay(seconds: Double) async throws {
    let folder = try TemporaryFolder(), screen = try await Screen(folder)
    _ = screen.subtitles.changeDelay(by: seconds)
    let frames = Int((seconds * 25).rounded())
    for number in 10..<200 {
      screen.seek(toFrame: number)
      #expect(screen.shown == Self.words(ofFrame: number - frames), "frame \(number)")
    }
  }
}
