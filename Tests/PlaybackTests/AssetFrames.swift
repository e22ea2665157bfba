import Libav
import Pixels
import Testing

@testable import Playback

extension Asset {
  /// The index of all packets.
  func scannedIndex() async throws -> FrameIndex {
    let facts = try await load(.facts)
    let index = frameIndex(of: try #require(facts.preferredVideoTrack), facts, mayJump: true)
    index.begin()
    await withCheckedContinuation { continuation in index.whenEnded { continuation.resume() } }
    return index
  }

  /// A source of its frames, decoded by one thread.
  func source(_ index: FrameIndex?) async throws -> MovieSource {
    let session = InputSession(input)
    let facts = try await load(.facts)
    return try MovieSource(
      session.open(), session: session, facts: facts, track: #require(facts.preferredVideoTrack), index: index, threads: 1)
  }

  /// All frames, decoded from the beginning.
  func linearFrames(_ size: PixelSize) async throws -> [PixelImage] {
    let source = try await source(nil)
    var images: [PixelImage] = []
    while true {
      switch try source.decodeNext(discard: .nothing) {
      case .progress: continue
      case .endOfStream: return images
      case .frame(let frame): images.append(try frame.still(maximumSize: size).image)
      }
    }
  }
}
