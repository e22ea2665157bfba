import Alignment
import Foundation
import Testing

@Suite(.timeLimit(.minutes(20))) struct AlignmentEventTests {
  private func events(_ frames: [Int?], _ rate: Double = 1) -> [AlignmentEvent] {
    AlignmentEvent.events(of: frames, rate: rate)
  }

  @Test func nothing() {
    #expect(events([]) == [])
    #expect(events([nil, nil]) == [])
    #expect(events([nil, 4, 5, 6, nil, nil]) == [])
    #expect(events([0, 2, 4, 6], 2) == [])
  }

  @Test func missing() {
    #expect(events([3, 4, 7, 8]) == [AlignmentEvent(kind: .dropped, candidate: 2..<2, reference: 5..<7)])
    #expect(events([3, 4, 20]) == [AlignmentEvent(kind: .removed, candidate: 2..<2, reference: 5..<20)])
    #expect(events([0, 2, 6], 2) == [AlignmentEvent(kind: .dropped, candidate: 2..<2, reference: 4..<6)])
  }

  @Test func repeats() {
    #expect(events([3, 4, 4, 4, 5]) == [AlignmentEvent(kind: .repeated, candidate: 2..<4, reference: 4..<5)])
    #expect(
      events([3] + [Int](repeating: 4, count: 9) + [5])
        == [AlignmentEvent(kind: .frozen, candidate: 2..<10, reference: 4..<5)])
    #expect(events([3, 3]) == [AlignmentEvent(kind: .repeated, candidate: 1..<2, reference: 3..<4)])
  }

  @Test func inserted() {
    #expect(events([3, nil, nil, 4]) == [AlignmentEvent(kind: .inserted, candidate: 1..<3, reference: 3..<3)])
    #expect(
      events([3, nil, 9]) == [
        AlignmentEvent(kind: .inserted, candidate: 1..<2, reference: 3..<3),
        AlignmentEvent(kind: .removed, candidate: 2..<2, reference: 4..<9),
      ])
    #expect(
      events([3, nil, 1]) == [
        AlignmentEvent(kind: .inserted, candidate: 1..<2, reference: 3..<3),
        AlignmentEvent(kind: .swapped, candidate: 2..<2, reference: 1..<3),
      ])
  }

  @Test func swapped() {
    #expect(
      events([0, 1, 4, 5, 2, 3, 6]) == [
        AlignmentEvent(kind: .dropped, candidate: 2..<2, reference: 2..<4),
        AlignmentEvent(kind: .swapped, candidate: 4..<4, reference: 2..<5),
        AlignmentEvent(kind: .dropped, candidate: 6..<6, reference: 4..<6),
      ])
  }

  @Test func lookingUpBothWays() {
    let frames = [nil, 0, 1, 1, 3].map { AlignmentMap.Frame(reference: $0, confidence: 1) }
    let map = AlignmentMap(frames: frames, referenceCount: 5)
    #expect(map.reference(of: 2) == 1 && map.reference(of: 0) == nil && map.reference(of: 9) == nil)
    #expect(map.candidatesByReference() == [[1], [2, 3], [], [4], []])
    #expect(map.pairCount == 4)
    #expect(
      AlignmentMap.constant(offset: 2, candidateCount: 3, referenceCount: 4).frames.map(\.reference) == [2, 3, nil])
  }

  @Test func reportsAreShort() throws {
    var map = AlignmentMap(
      frames: [.init(reference: 4, confidence: 0.75), .init(reference: nil, confidence: 0.5)], referenceCount: 9, offset: 4)
    map.events = [
      AlignmentEvent(kind: .removed, candidate: 1..<1, reference: 5..<9, confidence: 0.8),
      AlignmentEvent(kind: .repeated, candidate: 1..<2, reference: 5..<6, confidence: 0.1),
    ]
    let data = try JSONEncoder().encode(AlignmentReport(id: "p1", map: map))
    let object = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    let entries = try #require(object["map"] as? [[Any]])
    #expect(entries[0][0] as? Int == 0 && entries[0][1] as? Int == 4 && entries[0][2] as? Double == 0.75)
    #expect(entries[1][1] is NSNull)
    let events = try #require(object["events"] as? [[String: Any]])
    #expect(events.count == 1 && events[0]["type"] as? String == "missing" && events[0]["ref"] as? [Int] == [5, 9])
    #expect(object["related"] as? Bool == true && object["offset"] as? Double == 4)
    let decoded = try JSONDecoder().decode(AlignmentReport.self, from: data)
    #expect(decoded.map.map(\.reference) == [4, nil])
    #expect(try JSONDecoder().decode(AlignmentMap.self, from: JSONEncoder().encode(map)) == map)
  }
}
