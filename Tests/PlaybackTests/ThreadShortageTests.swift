import DecodePool
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Playback

/// Where the system starts no more threads everything that was asked for is answered, with the reason.
@Suite(.timeLimit(.minutes(20))) struct ThreadShortageTests {
  private static let error = PlaybackError(.system, "cannot start a thread: resource temporarily unavailable")
  private static let none = starter(after: .max)

  /// Starts no thread but those after the first `refused` and up to the first `allowed`.
  private static func starter(after refused: Int, upTo allowed: Int = .max) -> ThreadStarter {
    let count = Monitor(0)
    return { body throws(ThreadError) in
      let number = count.withLock { count in
        defer { count += 1 }
        return count
      }
      guard number >= refused, number < allowed else { throw ThreadError(code: EAGAIN) }
      try detachThread(body)
    }
  }

  @Test func aLaneIsToldThatNobodyServesIt() {
    let pool = DecodePool(threads: 2, startThread: Self.none)
    let (steps, errors) = (Recorder<Int>(), Recorder<ThreadError>())
    let lane = pool.makeLane {
      steps.append(1)
      return .idle
    } whenUnserved: {
      errors.append($0)
    }
    lane.wake(deadline: 0)
    lane.wake(deadline: 0)
    #expect(errors.all == [ThreadError(code: EAGAIN)] && steps.all.isEmpty)
    #expect(pool.runNextStep() && !pool.runNextStep() && steps.all == [1])
    lane.wake(deadline: 0)
    #expect(errors.all.count == 2)
  }

  @Test func aLaneIsServedOnceThereIsAThread() {
    let pool = DecodePool(threads: 2, startThread: Self.starter(after: 3))
    let isDone = Monitor(false)
    let lane = pool.makeLane {
      isDone.withLock { $0 = true }
      isDone.broadcast()
      return .idle
    } whenUnserved: { _ in
      Issue.record("there is a thread")
    }
    lane.wake(deadline: 0)
    withExtendedLifetime(lane) { isDone.wait { $0 ? () : nil } }
  }

  @Test func aPlayerFails() {
    let bus = TimeObserverBus()
    let player = Player(context: PlaybackContext(pool: DecodePool(threads: 2, startThread: Self.none), bus: bus))
    let output = VideoOutput(player, request: StagePane.request)
    defer { withExtendedLifetime(output) {} }
    player.play()
    player.replaceCurrentItem(with: StagePane.item(ScriptedSource(.constant(count: 9))))
    #expect(player.currentItem?.error == Self.error && player.timeControlStatus == .paused)
  }

  @Test func everyFrameIsAnswered() {
    let pool = DecodePool(threads: 1, startThread: Self.none)
    let generator = ImageGenerator(pool: pool) { ScriptedSource(.constant(count: 9)) }
    let answers = Recorder<String>()
    for round in 1...2 {
      generator.generateImages(at: (0..<3).map { seconds(Double($0)) }) { answer in
        answers.append("\(round) \(answer.requestedTime.seconds) \((try? answer.get()) == nil)")
      }
    }
    #expect(answers.all == (1...2).flatMap { round in (0..<3).map { "\(round) \(Double($0)) true" } })
  }

  @Test func loadingFails() async throws {
    let asset = Asset(path: try SampleClip.h264BFrames.path(), startThread: Self.none)
    let error = await #expect(throws: PlaybackError.self) { try await asset.load(.facts) }
    #expect(error == Self.error)
  }

  /// One thread reads the headers, the next would open the item, and the one after that would index it.
  @Test(arguments: [0, 1]) func openingFails(threads: Int) throws {
    let asset = Asset(path: try SampleClip.h264BFrames.path(), startThread: Self.starter(after: 0, upTo: threads))
    let generator = ImageGenerator(asset: asset, pool: DecodePool(threads: 1))
    let answer = Monitor<GeneratedImage?>(nil)
    generator.generateImage(ofFrame: 1) { new in
      answer.withLock { $0 = new }
      answer.broadcast()
    }
    #expect(throws: Self.error) { try answer.wait { $0 }.get() }
  }

  @Test func whatCannotBeIndexedIsDecodedAllTheSame() async throws {
    let asset = Asset(path: try SampleClip.h264BFrames.path(), startThread: Self.starter(after: 0, upTo: 2))
    let generator = ImageGenerator(asset: asset)
    let still = try await generator.image(ofFrame: 40)
    #expect(FrameNumber.read(still.image) == 40)
  }

  @Test func theBusSaysSo() {
    let bus = TimeObserverBus(clock: MonotonicClock(), startThread: Self.starter(after: 1))
    #expect(throws: Self.error) { try bus.startDelivering() }
    #expect(throws: Never.self) { try bus.startDelivering() }
    bus.stopDelivering()
  }
}
