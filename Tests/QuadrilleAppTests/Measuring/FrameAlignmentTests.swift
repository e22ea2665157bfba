import Alignment
import Measuring
import Playback
import Testing

@testable import QuadrilleApp

@Suite(.timeLimit(.minutes(20))) struct FrameAlignmentTests {
  private final class Clip {}
  private let reference = Clip(), candidate = Clip(), other = Clip()
  /// 25 frames a second, in nanoseconds.
  private static let frame: Int64 = 40_000_000

  /// A candidate with these reference frames, at a rate.
  private func clip(_ partners: [Int?], referenceCount: Int, rate: Double = 1) -> AlignedClip {
    let frames = partners.map { AlignmentMap.Frame(reference: $0, confidence: 1) }
    let length = Int64(Double(Self.frame) * rate)
    return AlignedClip(
      map: AlignmentMap(frames: frames, referenceCount: referenceCount, rate: rate),
      referenceTimes: (0..<Int64(referenceCount)).map { $0 * Self.frame }, candidateTimes: partners.indices.map { Int64($0) * length })
  }

  private func alignment(_ clip: AlignedClip) throws -> FrameAlignment {
    try #require(FrameAlignment(reference: ObjectIdentifier(reference), clips: [ObjectIdentifier(candidate): clip]))
  }

  /// The frame of the candidate when the reference shows one, and whether it is its partner.
  private func follow(_ alignment: FrameAlignment, reference frame: Int) -> [Int] {
    let place = alignment.place(of: ObjectIdentifier(candidate), leader: ObjectIdentifier(reference), at: Int64(frame) * Self.frame)
    return place.map { [Int($0.time / Self.frame), $0.hasPartner ? 1 : 0] } ?? []
  }

  /// The frame of the reference when the candidate shows one.
  private func lead(_ alignment: FrameAlignment, candidate frame: Int) -> [Int] {
    let place = alignment.place(of: ObjectIdentifier(reference), leader: ObjectIdentifier(candidate), at: Int64(frame) * Self.frame)
    return place.map { [Int($0.time / Self.frame), $0.hasPartner ? 1 : 0] } ?? []
  }

  @Test func aDroppedFrameHasNoPartner() throws {
    // The candidate begins two frames later and lacks frames 5 and 6.
    let alignment = try alignment(clip([2, 3, 4, 7, 8, 9], referenceCount: 10))
    #expect((0..<10).map { follow(alignment, reference: $0) } == [
      [0, 0], [0, 0], [0, 1], [1, 1], [2, 1], [2, 0], [2, 0], [3, 1], [4, 1], [5, 1],
    ])
    #expect((0..<6).map { lead(alignment, candidate: $0) } == [[2, 1], [3, 1], [4, 1], [7, 1], [8, 1], [9, 1]])
  }

  @Test func repeatedAndInsertedFramesLeaveTheReferenceWhereItIs() throws {
    let alignment = try alignment(clip([0, 1, 1, nil, nil, 2, 3], referenceCount: 4))
    #expect((0..<7).map { lead(alignment, candidate: $0) } == [[0, 1], [1, 1], [1, 1], [1, 0], [1, 0], [2, 1], [3, 1]])
    #expect((0..<4).map { follow(alignment, reference: $0) } == [[0, 1], [1, 1], [5, 1], [6, 1]])
  }

  /// The place within a frame goes along, so that clocks which agree go on agreeing.
  @Test func thePlaceWithinAFrameIsKept() throws {
    let alignment = try alignment(clip([3, 4, 5], referenceCount: 6))
    let place = alignment.place(of: ObjectIdentifier(candidate), leader: ObjectIdentifier(reference), at: 4 * Self.frame + 10_000_000)
    #expect(place == .init(time: Self.frame + 10_000_000, hasPartner: true))
    // Where nothing follows, it waits within the frame.
    let end = alignment.place(of: ObjectIdentifier(reference), leader: ObjectIdentifier(candidate), at: 99 * Self.frame)
    #expect(end == .init(time: 5 * Self.frame + Self.frame * 9 / 10, hasPartner: true))
  }

  /// Frames that a lower rate leaves out are not missing.
  @Test func halfTheRateIsNoLoss() throws {
    let alignment = try alignment(clip([0, 2, 4], referenceCount: 6, rate: 2))
    let places = (0..<6).map { alignment.place(of: ObjectIdentifier(candidate), leader: ObjectIdentifier(reference), at: $0 * Self.frame) }
    #expect(places.map { $0?.time } == (0..<6).map { $0 * Self.frame } && places.allSatisfy { $0?.hasPartner == true })
  }

  @Test func candidatesMeetByWayOfTheReference() throws {
    let alignment = try #require(FrameAlignment(
      reference: ObjectIdentifier(reference), clips: [
        ObjectIdentifier(candidate): clip([1, 2, 3, 4], referenceCount: 5), ObjectIdentifier(other): clip([0, 1, 3, 4], referenceCount: 5),
      ]))
    let places = (0..<4).map { alignment.place(of: ObjectIdentifier(other), leader: ObjectIdentifier(candidate), at: $0 * Self.frame) }
    #expect(places.map { ($0?.time ?? -1) / Self.frame } == [1, 1, 2, 3] && places.map { $0?.hasPartner } == [true, false, true, true])
    // Without the reference nothing is left to go by.
    #expect(alignment.removing(ObjectIdentifier(reference)) == nil)
    #expect(alignment.removing(ObjectIdentifier(other))?.members.count == 2)
    #expect(alignment.removing(ObjectIdentifier(other))?.removing(ObjectIdentifier(candidate)) == nil)
  }

  @Test func timesThatGoBackAreNoFrames() {
    let numbering = FrameNumbering(times: [0, 40, 30, 90].map { $0 * 1_000_000 }, numbers: [0, 1, 2])
    #expect(numbering.times == [0, 40, 40, 90].map { $0 * 1_000_000 } && numbering.numbers == [0, 1, 2, nil])
    #expect(numbering.frame(at: -5) == 0 && numbering.frame(at: 41_000_000) == 2 && numbering.number(at: 95_000_000) == nil)
    #expect(FrameNumbering(times: [], numbers: []).frame(at: 0) == nil)
  }
}
