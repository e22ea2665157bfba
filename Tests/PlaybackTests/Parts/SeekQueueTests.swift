import Synchronization
import Testing

@testable import Playback

/// Chase time: one seek in flight, the newest that waits, and steps.
@Suite(.timeLimit(.minutes(20))) struct SeekQueueTests {
  private let millisecond: HostTime = 1_000_000

  /// Who was answered, in order.
  private final class Answers: Sendable {
    private let list = Mutex<[String]>([])
    func add(_ answer: String) { list.withLock { $0.append(answer) } }
    func take() -> [String] {
      list.withLock { list in
        defer { list = [] }
        return list
      }
    }
  }

  private let answers = Answers()

  /// A seek to so many seconds, whose answer is "seconds result".
  private func request(_ seconds: Int) -> SeekRequest {
    SeekRequest(target: PartFrame.time(seconds), askedAt: 0) { [answers] in answers.add("\(seconds) \($0)") }
  }

  /// The answers that are handed out.
  private func answer(_ completions: [SeekCompletion]) -> [String] {
    for completion in completions { completion.call(completion.result) }
    return answers.take()
  }

  /// One in flight to 1 s, one that was replaced to 2 s, one that waits to 3 s.
  private func busy() -> SeekQueue {
    var seeks = SeekQueue()
    #expect(seeks.enqueue(request(1)).isEmpty && seeks.begin()?.target == PartFrame.time(1))
    #expect(seeks.enqueue(request(2)).isEmpty && seeks.enqueue(request(3)).isEmpty)
    return seeks
  }

  // MARK: - Targets

  @Test func oneIsInFlightAndTheNewestWaits() {
    var seeks = busy()
    #expect(seeks.active?.target == PartFrame.time(1) && seeks.waiting?.target == PartFrame.time(3))
    #expect(seeks.newestTarget == PartFrame.time(3) && seeks.isUnderWay)
    #expect(seeks.begin() == nil, "one is in flight")
    #expect(answer(seeks.land()) == ["1 finished", "2 superseded"])
    #expect(seeks.isUnderWay && seeks.begin()?.target == PartFrame.time(3) && seeks.waiting == nil)
    #expect(answer(seeks.land()) == ["3 finished"])
    #expect(!seeks.isUnderWay && seeks.newestTarget == nil && seeks.begin() == nil)
    #expect(answer(seeks.land()) == [], "each is answered once")
  }

  @Test func whatWaitsWithNoneInFlightIsAnsweredAtOnce() {
    var seeks = SeekQueue()
    _ = seeks.enqueue(request(1))
    #expect(answer(seeks.enqueue(request(2))) == ["1 superseded"])
    #expect(answer(seeks.supersedeWaiting()) == ["2 superseded"])
    #expect(answer(seeks.supersedeWaiting()) == [] && !seeks.isUnderWay)
  }

  @Test func whoIsTakenAwayWaitsForTheOneInFlight() {
    var seeks = busy()
    #expect(answer(seeks.supersedeWaiting()) == [] && seeks.waiting == nil && seeks.newestTarget == PartFrame.time(1))
    #expect(answer(seeks.land()) == ["1 finished", "2 superseded", "3 superseded"])
  }

  @Test func theWaitingTargetTakesThePlaceOfTheOneInFlight() {
    var seeks = busy()
    let chased = seeks.chase()
    #expect(chased?.request.target == PartFrame.time(3) && seeks.active?.target == PartFrame.time(3) && seeks.waiting == nil)
    #expect(answer(chased?.completions ?? []) == ["1 superseded", "2 superseded"])
    #expect(seeks.chase() == nil && seeks.active?.target == PartFrame.time(3), "nothing waits")
    #expect(answer(seeks.land()) == ["3 finished"])
  }

  @Test func theOneInFlightIsGivenUp() {
    var seeks = busy()
    #expect(answer(seeks.abandonActive()) == ["1 superseded", "2 superseded"])
    #expect(seeks.active == nil && seeks.waiting?.target == PartFrame.time(3))
  }

  @Test func theNewestLandsWithoutAFrame() {
    var seeks = busy()
    seeks.addSteps(5)
    let landing = seeks.landWithoutFrame()
    #expect(landing?.request.target == PartFrame.time(3) && !seeks.isUnderWay && seeks.pendingSteps == 5)
    #expect(answer(landing?.completions ?? []) == ["1 superseded", "2 superseded", "3 finished"])
    #expect(seeks.landWithoutFrame() == nil)
    // The newest is the one in flight where those after it were taken away.
    seeks = busy()
    _ = seeks.supersedeWaiting()
    let second = seeks.landWithoutFrame()
    #expect(second?.request.target == PartFrame.time(1))
    #expect(answer(second?.completions ?? []) == ["1 finished", "2 superseded", "3 superseded"])
  }

  @Test func stepsStayWhereNothingLands() {
    var seeks = SeekQueue()
    seeks.addSteps(2)
    #expect(seeks.landWithoutFrame() == nil && seeks.pendingSteps == 2)
  }

  @Test func everythingEnds() {
    var seeks = busy()
    seeks.noteAsk(at: 0)
    seeks.addSteps(3)
    #expect(answer(seeks.cancelAll()) == ["1 superseded", "2 superseded", "3 superseded"])
    #expect(!seeks.isUnderWay && seeks.pendingSteps == 0 && !seeks.isMoving && !seeks.isScrubbing(at: 1))
    #expect(answer(seeks.cancelAll()) == [])
  }

  // MARK: - Movement

  @Test func asksWithinAPauseAreOneMovement() {
    var seeks = SeekQueue()
    seeks.noteAsk(at: 0)
    #expect(!seeks.isMoving && !seeks.isScrubbing(at: 0), "the first one ever")
    seeks.noteAsk(at: 299 * millisecond)
    #expect(seeks.isMoving && seeks.isScrubbing(at: 598 * millisecond))
    #expect(!seeks.isScrubbing(at: 599 * millisecond) && seeks.isMoving, "the target rests")
    seeks.noteAsk(at: 599 * millisecond)
    #expect(!seeks.isMoving, "a pause after the former")
    // Threads may ask in another order than they took the time, or at the same time.
    seeks.noteAsk(at: 599 * millisecond)
    #expect(seeks.isMoving)
    seeks.noteAsk(at: 0)
    #expect(seeks.isMoving)
  }

  @Test func whoAsksWhileASeekIsUnderWayMoves() {
    var seeks = busy()
    seeks.noteAsk(at: 0)
    seeks.noteAsk(at: 10_000 * millisecond)
    #expect(seeks.isMoving)
  }

  // MARK: - Steps

  @Test func stepsAddUpAndAreTakenOneByOne() {
    var seeks = SeekQueue()
    seeks.addSteps(3)
    seeks.addSteps(-5)
    #expect(seeks.pendingSteps == -2)
    seeks.didStep()
    #expect(seeks.pendingSteps == -1)
    seeks.didStep()
    seeks.didStep()
    #expect(seeks.pendingSteps == 0, "none is left")
    seeks.addSteps(2)
    seeks.didStep()
    #expect(seeks.pendingSteps == 1)
    seeks.noteAsk(at: 0)
    #expect(seeks.pendingSteps == 0, "another place was asked for")
  }

  @Test func anyNumberOfStepsFits() {
    var seeks = SeekQueue()
    let most = Int(Int32.max)
    for _ in 0..<3 { seeks.addSteps(.max) }
    #expect(seeks.pendingSteps == most)
    seeks.addSteps(.min)
    #expect(seeks.pendingSteps == 0)
    for _ in 0..<3 { seeks.addSteps(.min) }
    #expect(seeks.pendingSteps == -most)
    seeks.addSteps(1)
    #expect(seeks.pendingSteps == 1 - most)
  }
}
