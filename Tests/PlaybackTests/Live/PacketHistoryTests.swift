import Libav
import Testing

@testable import Playback

@Suite(.timeLimit(.minutes(20))) struct PacketHistoryTests {
  private static let size = 10_000

  private func history(blocks: Int) -> PacketHistory {
    PacketHistory(BlockStore(folder: nil, bytes: 0, memory: blocks * BlockStore.blockSize))
  }

  private func record(_ number: Int, isKey: Bool) -> PacketRecord {
    var record = PacketRecord(unfilled)
    (record.pts, record.dts) = (Int64(number * 3600), Int64(number * 3600))
    (record.isKey, record.byteCount) = (isKey, Self.size + number % 7)
    return record
  }

  private let unfilled: Packet
  init() throws { unfilled = try Packet() }

  /// Appends packets of which every tenth is a key packet, with their numbers as bytes.
  private func fill(_ history: inout PacketHistory, _ numbers: Range<Int>) throws {
    let packet = try Packet()
    for number in numbers {
      let record = record(number, isKey: number % 10 == 0)
      _ = try packet.fill(record) { bytes in
        for i in bytes.indices { bytes[i] = UInt8(truncatingIfNeeded: number &+ i >> 8) }
        return true
      }
      history.append(packet, record, headers: 0, isStart: record.isKey)
    }
  }

  private func isIntact(_ history: PacketHistory, _ number: Int) -> Bool {
    guard let entry = history[number] else { return false }
    var bytes = [UInt8](repeating: 0, count: entry.record.byteCount)
    guard bytes.withUnsafeMutableBytes({ history.copy(entry, to: $0) }) else { return false }
    return bytes.indices.allSatisfy { bytes[$0] == UInt8(truncatingIfNeeded: number &+ $0 >> 8) }
  }

  @Test func packetsComeBackAsTheyWere() throws {
    var history = history(blocks: 64)
    try fill(&history, 0..<100)
    #expect(history.first == 0 && history.next == 100 && history[100] == nil)
    #expect((0..<100).allSatisfy { isIntact(history, $0) })
    #expect(history.start(atOrBefore: 3600 * 25) == 20 && history.start(atOrBefore: 3600 * 20) == 20)
    #expect(history.start(atOrBefore: -5) == 0 && history.start(atOrBefore: .max) == 90)
  }

  /// The oldest go, and decoding begins with the first key packet that is left.
  @Test func theOldestMakeRoom() throws {
    var history = history(blocks: 16)
    try fill(&history, 0..<1000)
    #expect(history.next == 1000 && history.first > 880 && history.first < 910)
    #expect((history.first..<1000).allSatisfy { isIntact(history, $0) })
    let start = try #require(history.firstStart)
    #expect(start >= history.first && start < history.first + 10 && start % 10 == 0)
    #expect(history.start(atOrBefore: 0) == start)
    #expect(history.byteCount <= 16 * Int64(BlockStore.blockSize))
  }
}
