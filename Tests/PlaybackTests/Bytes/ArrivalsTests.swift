import Foundation
import Glibc
import Libav
import TestSupport
import Testing

@testable import Playback

@Suite(.timeLimit(.minutes(20))) struct ArrivalsTests {
  private static let block = BlockStore.blockSize

  private func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8 &* 31 ^ $0 >> 16) }
  }

  private func read(_ arrivals: Arrivals, _ reader: Int, at offset: Int, _ count: Int) -> Result<[UInt8], ByteReaderError>? {
    var target = [UInt8](repeating: 0, count: count)
    let result = target.withUnsafeMutableBytes { arrivals.read(at: Int64(offset), into: $0, reader) }
    return result?.map { Array(target[..<$0]) }
  }

  @Test(arguments: [nil, NSTemporaryDirectory()]) func bytesComeBackAsTheyWere(folder: String?) {
    let store = BlockStore(folder: folder, bytes: 16 * Self.block, memory: 16 * Self.block)
    let all = bytes(3 * Self.block + 1000)
    for part in stride(from: 0, to: all.count, by: 777) {
      let piece = all[part..<min(part + 777, all.count)]
      #expect(piece.withUnsafeBytes { store.write($0, at: Int64(part)) { _, _ in nil } } == piece.count)
    }
    var target = [UInt8](repeating: 0, count: all.count)
    var at = 100
    while at < all.count {
      let count = target.withUnsafeMutableBytes { store.read(at: Int64(at), into: UnsafeMutableRawBufferPointer(rebasing: $0[at...])) }
      guard count > 0 else { break }
      at += count
    }
    #expect(at == all.count && target[100...].elementsEqual(all[100...]))
    #expect(store.keptRanges == [0..<Int64(all.count)] && store.keptEnd(from: 5) == Int64(all.count))
  }

  /// A block is filled from its beginning, so that is where fetching begins.
  @Test func gapsAreFetchedFromTheBeginningsOfBlocks() {
    let store = BlockStore(folder: nil, bytes: 0, memory: 16 * Self.block)
    let piece = bytes(100)
    #expect(piece.withUnsafeBytes { store.write($0, at: Int64(2 * Self.block + 50)) { _, _ in nil } } == 0)
    #expect(store.fetchStart(for: Int64(2 * Self.block + 50)) == Int64(2 * Self.block))
    #expect(piece.withUnsafeBytes { store.write($0, at: Int64(2 * Self.block)) { _, _ in nil } } == 100)
    #expect(store.fetchStart(for: Int64(2 * Self.block + 500)) == Int64(2 * Self.block + 100))
  }

  @Test func whatPlaybackHasNotReadStays() {
    let arrivals = Arrivals(.ascending, BlockStore(folder: nil, bytes: 0, memory: 40 * Self.block))
    let player = arrivals.addReader(ReadingRole(.playback)), search = arrivals.addReader(ReadingRole(.following))
    let all = bytes(60 * Self.block)
    func part(_ block: Int) -> [UInt8] { Array(all[block * Self.block..<block * Self.block + 10]) }
    let first = all.withUnsafeBytes { arrivals.write($0, at: 0) }
    #expect(first == 40 * Self.block && arrivals.report.isFull)
    // The search is ahead, which does not help.
    #expect(read(arrivals, search, at: 39 * Self.block, 10) == .success(part(39)))
    #expect(all[first...].withUnsafeBytes { arrivals.write($0, at: Int64(first)) } == 0)
    // Playback goes on: what it has passed makes room, except for the beginning.
    #expect(read(arrivals, player, at: 36 * Self.block, 10) == .success(part(36)))
    #expect(all[first...].withUnsafeBytes { arrivals.write($0, at: Int64(first)) } == 4 * Self.block)
    #expect(read(arrivals, player, at: 0, 10) == .success(part(0)))
    #expect(read(arrivals, player, at: 17 * Self.block, 10) == .failure(.system(errno: ENODATA)))
    #expect(read(arrivals, player, at: 50 * Self.block, 10) == nil)
    arrivals.finish()
    #expect(read(arrivals, player, at: 50 * Self.block, 10) == .success([]))
  }

  @Test func needsComeInOrderOfUrgency() {
    let arrivals = Arrivals(.any, BlockStore(folder: nil, bytes: 0, memory: 40 * Self.block))
    arrivals.setByteCount(1 << 30)
    let player = arrivals.addReader(ReadingRole(.playback)), thumbnail = arrivals.addReader(ReadingRole(.sampling))
    let role = ReadingRole(.following), index = arrivals.addReader(role)
    #expect(read(arrivals, thumbnail, at: 10 * Self.block, 1) == nil && read(arrivals, index, at: 20 * Self.block, 1) == nil)
    func offsets() -> [Int64] { arrivals.needs(ahead: 1 << 20, sampled: 1 << 16).map { $0.offset / Int64(Self.block) } }
    #expect(offsets() == [10, 0])
    #expect(read(arrivals, player, at: 5 * Self.block, 1) == nil)
    #expect(offsets() == [5, 10])
    // Somebody waits for the index now.
    role.await()
    #expect(offsets() == [5, 10, 20])
    arrivals.fail(PlaybackError(.network, "404 Not Found"))
    #expect(read(arrivals, player, at: 5 * Self.block, 1) == .failure(.system(errno: EIO)))
  }

  @Test func aWaitEndsWithItsInterruption() {
    let arrivals = Arrivals(.ascending, BlockStore(folder: nil, bytes: 0, memory: 16 * Self.block))
    let bytes = StreamedBytes(arrivals)
    let interrupter = Interrupter()
    let waits = Recorder<Bool>()
    interrupter.setWaitObserver { isWaiting in
      waits.append(isWaiting)
      if isWaiting { interrupter.abandon() }
    }
    let reader = bytes.makeReader(interrupter)
    func attempt() throws { _ = try withUnsafeTemporaryAllocation(byteCount: 10, alignment: 1) { try reader.read(at: 0, into: $0) } }
    #expect(throws: ByteReaderError.interrupted) { try attempt() }
    #expect(waits.all == [true, false])
    interrupter.setWaitObserver(nil)
    interrupter.resume()
    [UInt8](repeating: 7, count: 10).withUnsafeBytes { #expect(arrivals.append($0)) }
    #expect(throws: Never.self) { try attempt() }
  }

  @Test func rates() {
    var rate = ArrivalRate()
    for second in 0..<10 { rate.note(1000, at: UInt64(second) * 1_000_000_000) }
    #expect(abs(rate.bytesPerSecond(at: 10_000_000_000) - 1000) < 350 && rate.bytesPerSecond(at: 60_000_000_000) == 0)
  }
}
