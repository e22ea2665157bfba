import Libav
import TestSupport
import Testing

@testable import Playback

/// Runs of decoding from a start point: what comes out of them, and how certain it is.
@Suite(.timeLimit(.minutes(20))) struct StreamReaderTests {
  @Test(arguments: [TimingClip.openGOPTransport, .openGOPMPEG2, .openGOPHEVC])
  func framesThatLeanOverTheStartAreUncertain(clip: TimingClip) throws {
    let path = try clip.path()
    let session = InputSession(MediaInput(path: path))
    let scan = try PacketScan(demuxer: session.open().demuxer, stream: 0)
    _ = try scan.read()
    let reader = try StreamReader(session.open(), session: session, stream: 0, threads: 1, keepsAlpha: false)
    reader.index = scan.index
    let frame = try DecodedFrame()

    /// Hashes of the frames of a run by their packets, and which of them are certain.
    func run(from start: Int) throws -> (hashes: [Int: UInt64], certain: Set<Int>) {
      #expect(try reader.begin(at: start))
      var hashes: [Int: UInt64] = [:]
      var certain: Set<Int> = []
      while true {
        switch try reader.step(into: frame) {
        case .progress: continue
        case .endOfStream: return (hashes, certain)
        case .frame(let ordinal):
          let ordinal = try #require(ordinal)
          hashes[ordinal] = frame.quickHash()
          if reader.isCertain(pts: frame.bestEffortTimestamp) { certain.insert(ordinal) }
        }
      }
    }

    let whole = try run(from: 0)
    #expect(whole.certain.count == whole.hashes.count)
    let starts = scan.index.randomAccessPoints.filter { $0 > 0 && scan.index.entries[$0].randomAccess == .verified }
    #expect(starts.count >= 2)
    for start in starts {
      let part = try run(from: start)
      let first = scan.index.entries[start].pts ?? 0
      let leading = part.hashes.keys.filter { scan.index.entries[$0].pts ?? 0 < first }
      #expect(part.certain.isDisjoint(with: leading))
      // All that are shown from the start point's own frame on are there, and right.
      let wanted = whole.hashes.filter { $0.key >= start && scan.index.entries[$0.key].pts ?? 0 >= first }
      #expect(part.hashes.filter { part.certain.contains($0.key) } == wanted)
    }
  }
}
