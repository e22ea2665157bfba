import Testing

@testable import Playback

/// Frames left out where the machine is too slow.
@Suite(.timeLimit(.minutes(20))) struct DropPolicyTests {
  private let millisecond: HostTime = 1_000_000

  /// Returns the circumstances of a frame that is `late` milliseconds late.
  private func frame(
    late: Int64, isKeyAhead: Bool = false, isStart: Bool = false, queued: Int = 0
  ) -> DropPolicy.Circumstances {
    .init(late: late * 1_000_000, isKeyAhead: isKeyAhead, isStart: isStart, queued: queued)
  }

  /// Returns a policy that leaves out all but key frames.
  private func keysOnly() -> DropPolicy {
    var drops = DropPolicy()
    _ = drops.decide(frame(late: 251), at: 0)
    _ = drops.decide(frame(late: 1001, isKeyAhead: true), at: 0)
    #expect(drops.discard == .nonKey)
    return drops
  }

  // MARK: - Late frames

  @Test func aLateFrameIsShownOnlyWhereNoneWasForLong() {
    var drops = DropPolicy()
    drops.didRender(at: 1000 * millisecond)
    #expect(drops.decide(frame(late: -1), at: 1000 * millisecond).isShown)
    #expect(drops.decide(frame(late: 0), at: 1000 * millisecond).isShown, "it ends just now")
    #expect(!drops.decide(frame(late: 1), at: 1099 * millisecond).isShown)
    #expect(drops.decide(frame(late: 1), at: 1100 * millisecond).isShown)
  }

  @Test func whatIsMuchTooLateMakesLessBeDecoded() {
    var drops = DropPolicy()
    _ = drops.decide(frame(late: 250), at: 0)
    #expect(drops.discard == .nothing)
    _ = drops.decide(frame(late: 251), at: 0)
    #expect(drops.discard == .nonReference)
    _ = drops.decide(frame(late: 1000, isKeyAhead: true), at: 0)
    _ = drops.decide(frame(late: 5000), at: 0)
    #expect(drops.discard == .nonReference, "no key frame is ahead")
    _ = drops.decide(frame(late: 1001, isKeyAhead: true), at: 0)
    #expect(drops.discard == .nonKey)
  }

  @Test func whatIsALittleLateAllTheTimeDoesToo() {
    var drops = DropPolicy()
    _ = drops.decide(frame(late: 1), at: 0)
    _ = drops.decide(frame(late: 1), at: 250 * millisecond)
    #expect(drops.discard == .nothing)
    // One in time breaks the row.
    _ = drops.decide(frame(late: 0), at: 251 * millisecond)
    _ = drops.decide(frame(late: 1), at: 252 * millisecond)
    _ = drops.decide(frame(late: 1), at: 502 * millisecond)
    #expect(drops.discard == .nothing)
    _ = drops.decide(frame(late: 1), at: 503 * millisecond)
    #expect(drops.discard == .nonReference)
  }

  @Test func whatWasLateBeforeNothingWasDoesNotCount() {
    var drops = DropPolicy()
    _ = drops.decide(frame(late: 1), at: 0)
    drops.stopDiscarding()
    _ = drops.decide(frame(late: 1), at: 10_000 * millisecond)
    #expect(drops.discard == .nothing)
    drops = keysOnly()
    drops.stopDiscarding()
    #expect(drops.discard == .nothing)
  }

  @Test func allIsDecodedAgainOnceEnoughWaits() {
    var drops = DropPolicy()
    _ = drops.decide(frame(late: 251), at: 0)
    _ = drops.decide(frame(late: 0, queued: 9), at: 0)
    _ = drops.decide(frame(late: -1, queued: 2), at: 0)
    #expect(drops.discard == .nonReference)
    _ = drops.decide(frame(late: -1, queued: 3), at: 0)
    #expect(drops.discard == .nothing)
  }

  @Test func onlyKeyFramesAreDecodedUntilOneIsInTimeOrTheLastIsThere() {
    var inTime = keysOnly()
    _ = inTime.decide(frame(late: 0, isKeyAhead: true), at: 0)
    _ = inTime.decide(frame(late: 5000), at: 0)
    #expect(inTime.discard == .nonKey, "others cannot be decoded before a key frame")
    _ = inTime.decide(frame(late: -1, isKeyAhead: true), at: 0)
    #expect(inTime.discard == .nonReference)
    var last = keysOnly()
    _ = last.decide(frame(late: 5000, isKeyAhead: true, isStart: true), at: 0)
    #expect(last.discard == .nonKey)
    _ = last.decide(frame(late: 5000, isStart: true), at: 0)
    #expect(last.discard == .nonReference)
  }

  @Test func othersAreRelieved() {
    var drops = DropPolicy()
    drops.setReliefWanted(true)
    _ = drops.decide(frame(late: -500, queued: 16), at: 0)
    #expect(drops.discard == .nonReference)
    _ = drops.decide(frame(late: -500, queued: 16), at: 0)
    #expect(drops.discard == .nonReference)
    drops.setReliefWanted(false)
    _ = drops.decide(frame(late: -500, queued: 16), at: 0)
    #expect(drops.discard == .nothing)
  }

  @Test func aJumpIsTriedNowAndThen() {
    var drops = DropPolicy()
    #expect(!drops.decide(frame(late: 3000, isKeyAhead: true), at: 0).jumps)
    #expect(!drops.decide(frame(late: 9000), at: 0).jumps, "no key frame is ahead")
    #expect(drops.decide(frame(late: 3001, isKeyAhead: true), at: 0).jumps)
    #expect(!drops.decide(frame(late: 9000, isKeyAhead: true), at: 5999 * millisecond).jumps)
    #expect(drops.tryJump(at: 6000 * millisecond) == true, "each that may counts as tried")
    #expect(!drops.decide(frame(late: 9000, isKeyAhead: true), at: 11_999 * millisecond).jumps)
    #expect(drops.decide(frame(late: 9000, isKeyAhead: true), at: 12_000 * millisecond).jumps)
  }

  @Test func reliefIsNeededWhereOthersHoldTheLaneUp() {
    /// One that waited so many milliseconds for a worker, and worked 100.
    func policy(waited: HostTime, late: Int64 = 251) -> DropPolicy {
      var drops = DropPolicy()
      drops.willStep(at: 0)
      drops.didStep(at: 100 * millisecond, next: 0)
      drops.willStep(at: (100 + waited) * millisecond)
      _ = drops.decide(frame(late: late), at: 0)
      return drops
    }
    #expect(policy(waited: 41).needsRelief(late: true))
    #expect(!policy(waited: 41).needsRelief(late: false))
    #expect(!policy(waited: 40).needsRelief(late: true), "it is slow by itself")
    #expect(!policy(waited: 41, late: 0).needsRelief(late: true), "nothing is left out yet")
  }

  // MARK: - Going back

  @Test func goingBackFastLeavesOutMoreEachTime() {
    var drops = DropPolicy()
    drops.didFallBehind(rate: -1)
    #expect(drops.discardGoingBack == .nothing)
    var seen: [DiscardLevel] = []
    for _ in 0..<3 {
      drops.didFallBehind(rate: -1.01)
      seen.append(drops.discardGoingBack)
    }
    #expect(seen == [.nonReference, .nonKey, .nonKey] && drops.discard == .nothing)
    drops.stopDiscarding()
    #expect(drops.discardGoingBack == .nonKey, "that is of the other way")
    drops.stopDiscardingGoingBack()
    #expect(drops.discardGoingBack == .nothing)
  }

  @Test func aDisplayThatIsALittleLateOnTheWayBackCatchesUp() {
    var drops = DropPolicy()
    #expect(drops.mayCatchUp(rate: -1, due: 0, at: 499 * millisecond))
    #expect(!drops.mayCatchUp(rate: -1, due: 0, at: 500 * millisecond))
    #expect(!drops.mayCatchUp(rate: -1.5, due: 0, at: 0))
    #expect(drops.mayCatchUp(rate: -1, due: 900 * millisecond, at: 0), "not due yet")
    drops.didSkipGoingBack(at: 1000 * millisecond)
    let end = 6000 * millisecond
    #expect(!drops.mayCatchUp(rate: -1, due: end - 1, at: end - 1) && drops.mayCatchUp(rate: -1, due: end, at: end))
  }
}
