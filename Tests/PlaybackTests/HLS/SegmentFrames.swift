import Libav
import TestSupport
import Testing

@testable import Playback

/// The frames of a clip, read as for playback.
struct SegmentFrames {
  let input: MediaInput
  let facts: AssetFacts
  private let reader: StreamReader
  private let frame: DecodedFrame
  private let timeBase: Ratio

  init(_ clip: VariantClip, _ preferences: (inout HLSPreferences) -> Void) throws { try self.init(clip.address, preferences) }

  init(_ address: String, _ preferences: (inout HLSPreferences) -> Void = { _ in }) throws {
    input = MediaInput(path: address, network: Network())
    input.updatePreferences(preferences)
    let opened = try input.open(Interrupter(), role: ReadingRole(.playback))
    facts = AssetFacts(opened.demuxer, source: input.segments)
    let stream = try #require(opened.demuxer.streams.first { $0.kind == .video })
    timeBase = stream.timeBase
    reader = try StreamReader(opened, session: nil, stream: stream.index, threads: 1, keepsAlpha: false)
    frame = try DecodedFrame()
  }

  /// The next frame's time in seconds and hash; nil at the end.
  func next() throws -> (time: Double, hash: String)? {
    while true {
      switch try reader.step(into: frame) {
      case .progress: continue
      case .endOfStream: return nil
      case .frame:
        let ticks = Double(try #require(frame.bestEffortTimestamp))
        return (ticks * Double(timeBase.numerator) / Double(timeBase.denominator), try frame.md5())
      }
    }
  }

  func seek(to seconds: Double) throws {
    try reader.begin(near: Int64(seconds * Double(timeBase.denominator) / Double(timeBase.numerator)))
  }
}
