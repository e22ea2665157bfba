import TestSupport
import Testing

@testable import Playback

/// The consequences of a frame that came out wrong, or not at all.
@Suite(.timeLimit(.minutes(20))) struct RunVerifierTests {
  /// A hundred packets, decoded in display order, with verified random access points at every tenth.
  private static func packets(flagged: Set<Int> = []) -> PacketIndex {
    var packets = PacketIndex()
    for ordinal in 0..<100 {
      let kind: RandomAccess = ordinal % 10 != 0 ? .none : flagged.contains(ordinal) ? .flagged : .verified
      packets.append(
        PacketIndex.Entry(
          pts: Int64(ordinal), dts: Int64(ordinal), position: Int64(ordinal), byteCount: 1, randomAccess: kind,
          isDiscarded: false))
    }
    packets.complete()
    return packets
  }

  private func verifier(_ ordinal: Int) -> RunVerifier {
    var verifier = RunVerifier()
    verifier.seek(to: ordinal)
    return verifier
  }

  @Test func aWrongFrameRefutesWhereItsRunBegan() {
    var packets = Self.packets()
    var verifier = verifier(45)
    for start in [40, 30, 20, 10] {
      #expect(verifier.evaluate(.wrong, start: start, in: packets) == .restart(at: start - 10, refuted: start))
      packets.refute(start)
    }
    // A decode from the beginning that gives another frame has to be done with the input as it was when it was opened.
    #expect(verifier.evaluate(.wrong, start: 0, in: packets) == .reopen)
    #expect(verifier.rewindIsUnreliable)
    // Nothing is more right than that.
    #expect(verifier.evaluate(.wrong, start: 0, in: packets) == .ok)
  }

  @Test func afterTooManyTriesItIsTheBeginning() {
    var packets = Self.packets()
    var verifier = verifier(95)
    for start in [90, 80, 70, 60] {
      #expect(verifier.evaluate(.missing, start: start, in: packets) == .restart(at: start - 10, refuted: start))
      packets.refute(start)
    }
    #expect(verifier.evaluate(.missing, start: 50, in: packets) == .restart(at: 0, refuted: 50))
  }

  @Test func aLateFrameRefutesNothing() {
    let packets = Self.packets()
    var verifier = verifier(45)
    #expect(verifier.evaluate(.late, start: 40, in: packets) == .restart(at: 30, refuted: nil))
    #expect(verifier.evaluate(.late, start: 30, in: packets) == .restart(at: 20, refuted: nil))
    // What was tried is not tried again, until another frame is sought.
    #expect(verifier.evaluate(.wrong, start: 20, in: packets) == .restart(at: 10, refuted: 20))
    verifier.seek(to: 45)
    #expect(verifier.evaluate(.late, start: 40, in: packets) == .restart(at: 30, refuted: nil))
  }

  @Test func aRunThatWasUnderWayIsNoReasonAgainstTheNearestPoint() {
    let packets = Self.packets()
    var verifier = verifier(45)
    #expect(verifier.evaluate(.late, start: 0, isResumed: true, in: packets) == .restart(at: 40, refuted: nil))
    #expect(!verifier.rewindIsUnreliable)
    #expect(verifier.evaluate(.late, start: 40, in: packets) == .restart(at: 30, refuted: nil))
  }

  @Test func whereNothingIsSoughtNothingIsDone() {
    let packets = Self.packets(flagged: [40])
    var verifier = RunVerifier()
    #expect(verifier.evaluate(.wrong, start: 40, in: packets) == .ok)
    verifier.seek(to: 45)
    #expect(verifier.evaluate(.wrong, start: nil, in: packets) == .ok)
    // A run from a point that is only flagged was all that could be had.
    #expect(verifier.evaluate(.wrong, start: 40, in: packets) == .ok)
    verifier.didPass(44)
    #expect(verifier.target == 45)
    verifier.didPass(45)
    #expect(verifier.target == nil)
    #expect(verifier.evaluate(.wrong, start: 30, in: packets) == .ok)
  }
}
