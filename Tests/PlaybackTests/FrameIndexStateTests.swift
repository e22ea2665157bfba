import Synchronization
import TestSupport
import Testing

@testable import Playback

/// An index that somebody else than a file publishes into.
@Suite(.timeLimit(.minutes(20))) struct FrameIndexStateTests {
  private let script = FrameScript.constant(count: 40)

  @Test func oneThatIsKnownHasEnded() throws {
    let index = FrameIndex(timeline: try #require(script.timeline()))
    let calls = Atomic(0)
    index.begin()
    index.whenEnded { calls.add(1, ordering: .relaxed) }
    index.readPackets { calls.add(1, ordering: .relaxed) }
    #expect(calls.load(ordering: .relaxed) == 2)
    #expect(index.hasEnded && index.progress == 1 && index.timeline?.frameCount == 40 && !index.orderIsUnreliable)
  }

  @Test func partsComeUntilItIsFinished() {
    let index = FrameIndex()
    let calls = Atomic(0)
    index.whenEnded { calls.add(1, ordering: .relaxed) }
    #expect(!index.hasEnded && index.progress == 0 && index.timeline == nil)
    index.publish(script.timeline(first: 10), progress: 0.25)
    index.publish(nil, progress: 0.5)
    #expect(index.timeline?.frameCount == 10 && index.timeline?.isComplete == false && index.progress == 0.5)
    #expect(calls.load(ordering: .relaxed) == 0)
    index.finish(script.timeline())
    #expect(index.timeline?.isComplete == true && index.progress == 1 && index.hasEnded)
    #expect(calls.load(ordering: .relaxed) == 1)
    // What is corrected later does not begin it anew.
    index.publish(script.timeline(wrongRandomAccess: [12]), progress: 0)
    #expect(index.timeline?.randomAccessFrame(for: 13) == 0 && index.progress == 1 && index.hasEnded)
  }

  @Test func anOrderThatWasRefutedNeverComesBack() {
    let index = FrameIndex()
    let calls = Atomic(0)
    index.finish(script.timeline())
    index.markOrderUnreliable()
    index.whenEnded { calls.add(1, ordering: .relaxed) }
    #expect(index.orderIsUnreliable && index.timeline == nil && !index.hasEnded && index.progress == 0)
    index.publish(script.timeline(), progress: 0.5)
    index.finish(script.timeline())
    #expect(index.timeline == nil && !index.hasEnded)
    index.finish(script.timeline(origin: .decode))
    #expect(index.timeline?.origin == .decode && index.hasEnded && index.orderIsUnreliable)
    #expect(calls.load(ordering: .relaxed) == 1)
  }

  @Test func nothingRefutesADecode() {
    let index = FrameIndex()
    index.finish(script.timeline(origin: .decode))
    index.markOrderUnreliable()
    #expect(index.timeline != nil && index.hasEnded && !index.orderIsUnreliable)
  }

  @Test func ofARefutedOrderNothingMayBeKnown() {
    let index = FrameIndex()
    index.markOrderUnreliable()
    index.finish(nil)
    #expect(index.hasEnded && index.timeline == nil)
  }
}
