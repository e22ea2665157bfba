import Libav
import TestSupport
import Testing

@testable import Playback

/// One reading of an input for several streams.
@Suite(.timeLimit(.minutes(20))) struct PacketRouterTests {
  private struct Mark: Equatable {
    var pts: Int64?
    var byteCount: Int
  }

  /// Two video streams, of which the second has five times as many packets.
  private static func clip() throws -> String {
    try SampleMedia.clip(
      name: "streams.mkv",
      arguments: [
        "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=10:duration=4", "-f", "lavfi", "-i",
        "testsrc2=size=32x32:rate=50:duration=4", "-map", "0:v", "-map", "1:v", "-c:v", "mpeg4", "-g", "10",
      ])
  }

  private func open(_ streams: [Int]) throws -> PacketRouter {
    let session = InputSession(MediaInput(path: try Self.clip()))
    let router = PacketRouter(try session.open(), session: session)
    for stream in streams { router.add(stream: stream) }
    return router
  }

  /// The next packets of a stream, as many as there are or are wanted.
  private func read(_ router: PacketRouter, _ stream: Int, _ count: Int = .max) throws -> [Mark] {
    let packet = try Packet()
    var marks: [Mark] = []
    while marks.count < count {
      switch try router.read(stream, into: packet) {
      case .endOfFile: return marks
      case .other: continue
      case .packet:
        #expect(packet.streamIndex == stream)
        marks.append(Mark(pts: packet.pts, byteCount: packet.byteCount))
      }
    }
    return marks
  }

  @Test func eachStreamGetsItsPacketsInOrder() throws {
    let alone = try [read(open([0]), 0), read(open([1]), 1)]
    #expect(alone[0].count == 40 && alone[1].count == 200)
    let router = try open([0, 1])
    // One reads far ahead of the other, whose packets wait.
    var both: [[Mark]] = [[], []]
    both[0] += try read(router, 0, 30)
    both[1] += try read(router, 1, 20)
    both[0] += try read(router, 0)
    both[1] += try read(router, 1)
    #expect(both == alone)
  }

  @Test func aMoveEmptiesAllQueues() throws {
    let router = try open([0, 1])
    let first = try read(router, 0, 1)
    _ = try read(router, 0, 20)
    let ticket = router.ticket
    try router.rewind()
    #expect(router.ticket == ticket + 1)
    // Nothing that had waited comes now.
    #expect(try read(router, 1, 1).first?.pts == first.first?.pts)
    #expect(try read(router, 0, 1) == first)
    #expect(try router.reopen())
    #expect(router.ticket == ticket + 2)
    #expect(try read(router, 0, 1) == first)
  }

  @Test func whatNobodyTakesIsDroppedOldestFirst() throws {
    let path = try SampleMedia.clip(
      name: "unread.mkv",
      arguments: [
        "-f", "lavfi", "-i", "color=size=16x16:rate=1:duration=90", "-f", "lavfi", "-i",
        "color=size=16x16:rate=60:duration=90", "-map", "0:v", "-map", "1:v", "-c:v", "mpeg4",
      ])
    let session = InputSession(MediaInput(path: path))
    let router = PacketRouter(try session.open(), session: session)
    router.add(stream: 0)
    router.add(stream: 1)
    #expect(try read(router, 0).count == 90)
    let rest = try read(router, 1)
    #expect(rest.count == PacketRouter.maxPackets)
    #expect(rest.last?.pts ?? 0 > 89_000)
  }

  @Test func readersOfOneInputGoOnTogether() throws {
    let session = InputSession(MediaInput(path: try Self.clip()))
    let router = PacketRouter(try session.open(), session: session)
    let readers = try (0..<2).map { try StreamReader(router, stream: $0, threads: 1, keepsAlpha: false) }
    let frame = try DecodedFrame()
    /// Seconds of the next frame of a stream.
    func next(_ stream: Int) throws -> Double {
      while true {
        switch try readers[stream].step(into: frame) {
        case .progress: continue
        case .endOfStream: return .infinity
        case .frame: return Double(frame.bestEffortTimestamp ?? -1) / 1000
        }
      }
    }
    #expect(try next(0) == 0 && next(1) == 0)
    for number in 1...20 { #expect(try abs(next(1) - Double(number) / 50) < 0.002) }
    #expect(try abs(next(0) - 0.1) < 0.002)
    // One goes elsewhere, and the other is there, too.
    try readers[0].begin(near: 3000)
    #expect(try abs(next(0) - 3) < 0.002)
    let there = try next(1)
    #expect(there > 2 && there < 3.2)
    try readers[1].rewind()
    #expect(try next(1) == 0)
    #expect(try next(0) < 1.1)
  }

  @Test func whatIsNotToBeOpenedAgainIsNot() throws {
    let router = PacketRouter(try MediaInput(path: Self.clip()).open(Interrupter()), session: nil)
    #expect(!router.canReopen)
    #expect(try !router.reopen())
  }
}
