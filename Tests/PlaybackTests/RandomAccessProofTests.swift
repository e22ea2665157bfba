import DecodePool
import Libav
import TestSupport
import Testing

@testable import Playback

/// Start points that are only flagged: when they come to be verified.
@Suite(.timeLimit(.minutes(20))) struct RandomAccessProofTests {
  private let group = RandomAccessProof.Group(start: 10, end: 14, ordinals: [10, 11, 13])

  @Test func allFramesHaveToMatch() {
    var proof = RandomAccessProof()
    for ordinal in [10, 11, 13] {
      let isProven = proof.note(ordinal, UInt64(ordinal), of: group)
      #expect(!isProven)
    }
    let isProven1 = proof.note(trial: 10, 10, of: group)
    #expect(!isProven1)
    let isProven2 = proof.note(trial: 11, 11, of: group)
    #expect(!isProven2)
    let isProven3 = proof.note(trial: 13, 13, of: group)
    #expect(isProven3)
  }

  @Test func theOrderDoesNotMatter() {
    var proof = RandomAccessProof()
    for ordinal in [10, 11, 13] {
      let isProven = proof.note(trial: ordinal, UInt64(ordinal), of: group)
      #expect(!isProven)
    }
    let isProven4 = proof.note(13, 13, of: group)
    #expect(!isProven4)
    let isProven5 = proof.note(10, 10, of: group)
    #expect(!isProven5)
    let isProven6 = proof.note(11, 11, of: group)
    #expect(isProven6)
  }

  @Test func oneFrameThatDiffersRefutesForGood() {
    var proof = RandomAccessProof()
    _ = proof.note(11, 99, of: group)
    for ordinal in [10, 11, 13] {
      let isProven = proof.note(trial: ordinal, UInt64(ordinal), of: group)
      #expect(!isProven)
    }
    #expect(proof.refuted == [10])
    for ordinal in [10, 11, 13] {
      let isProven = proof.note(ordinal, UInt64(ordinal), of: group)
      #expect(!isProven)
    }
    for ordinal in [10, 11, 13] {
      let isProven = proof.note(trial: ordinal, UInt64(ordinal), of: group)
      #expect(!isProven)
    }
  }

  /// Opens a clip as playing does, with an index that is ready.
  static func open(_ path: String) throws -> MovieSource {
    let session = InputSession(MediaInput(path: path))
    let opened = try session.open()
    let facts = AssetFacts(opened.demuxer)
    let track = try #require(facts.preferredVideoTrack)
    let scan = TimelineScan(
      input: MediaInput(path: path), track: track, startTime: facts.startTime, mayJump: false, interrupter: Interrupter())
    let index = FrameIndex(MovieIndex(scan, store: nil))
    index.begin()
    let done = Monitor(false)
    index.whenEnded {
      done.withLock { $0 = true }
      done.broadcast()
    }
    done.wait { $0 ? () : nil }
    return try MovieSource(opened, session: session, facts: facts, track: #require(facts.preferredVideoTrack), index: index, threads: 1)
  }

  private func decode(_ source: MovieSource, until number: Int) throws -> FrameTiming? {
    while true {
      switch try source.decodeNext(discard: .nothing) {
      case .progress: continue
      case .endOfStream: return nil
      case .frame(let frame): if frame.timing.number >= number { return frame.timing }
      }
    }
  }

  /// WMV's keyframes are no promise: far from the beginning a frame is shown from them, but as uncertain,
  /// until frames that were decoded anyway have proven them.
  @Test func aFarSeekIsUncertainUntilProven() throws {
    let path = try SampleMedia.clip(
      name: "flagged.avi",
      arguments: [
        "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=25", "-frames:v", "1500", "-c:v", "wmv2", "-g", "12",
      ])
    let source = try Self.open(path)
    let time = MediaTime(value: 1300 * 2 + 1, timescale: 50)
    _ = try source.seek(to: time, options: [])
    let first = try #require(try decode(source, until: 1300))
    #expect(first.number == 1300 && !first.isCertain)
    _ = try decode(source, until: 1330)
    // From the beginning everything is certain; it proves where the run before began.
    try source.rewind()
    let certain = try #require(try decode(source, until: 1400))
    #expect(certain.isCertain)
    _ = try source.seek(to: time, options: [])
    let again = try #require(try decode(source, until: 1300))
    #expect(again.number == 1300 && again.isCertain)
    // Who must have it right gets it, from where that is certain.
    let patient = try Self.open(path)
    _ = try patient.seek(to: time, options: .mustBeCertain)
    let right = try #require(try decode(patient, until: 1300))
    #expect(right.number == 1300 && right.isCertain)
  }

  /// A clip that refreshes itself in stripes: its "key" packets give wrong frames and are never verified.
  @Test func stripedRefreshIsRefuted() throws {
    let path = try SampleMedia.clip(
      name: "refresh.ts",
      arguments: [
        "-f", "lavfi", "-i", "mandelbrot=size=128x96:rate=25", "-frames:v", "1200", "-c:v", "libx264",
        "-preset", "veryfast", "-x264-params", "intra-refresh=1:keyint=30:bframes=0",
      ])
    let source = try Self.open(path)
    let packets = try #require(source.index?.content.packets)
    let verified = packets.randomAccessPoints.count { packets.entries[$0].randomAccess == .verified }
    #expect(verified <= 1)
    for number in [1000, 1040, 1100] {
      _ = try source.seek(to: MediaTime(value: Int64(number) * 2 + 1, timescale: 50), options: [])
      _ = try decode(source, until: number + 60)
    }
    try source.rewind()
    _ = try decode(source, until: 1199)
    let after = try #require(source.index?.content.packets)
    #expect(after.randomAccessPoints.count { after.entries[$0].randomAccess == .verified } == verified)
  }
}
