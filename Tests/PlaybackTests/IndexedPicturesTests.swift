import TestSupport
import Testing

@testable import Playback

/// The pictures that the index of a clip tells of, against those that come out of a decoder.
@Suite struct IndexedPicturesTests {
  // Without decoding times libav takes the pictures for shown in the order of the packets.
  @Test(arguments: TimingClip.allCases.filter { $0 != .missingDTS })
  func areThoseThatAreShown(clip: TimingClip) async throws {
    try await check(clip.path())
  }

  // Each field of a picture in a packet of its own, and pictures that are cut away.
  private static let real = [
    "timing/fixture-raw.mts", "timing/discard_first_keyframe.mp4",
    "timing/sample_edit_list_no_sync_frame_before_edit.mp4", "real/crystal.webm", "real/movie-hello.ogg",
  ].filter(SharedClips.has)

  @Test(.enabled(if: !real.isEmpty, Comment(rawValue: SharedClips.missing)), arguments: real)
  func areThoseThatAreShown(name: String) async throws { try await check(#require(SharedClips.path(name))) }

  private func check(_ path: String) async throws {
    let asset = Asset(path: path)
    let index = try await #require(asset.frameIndex(asset.load(.facts), mayJump: true))
    index.begin()
    await withCheckedContinuation { continuation in index.whenEnded { continuation.resume() } }
    // Without times in order pictures are counted while they are decoded.
    guard let timeline = index.content?.timeline, index.map?.isCountable == true else { return }
    let shown = try FrameListing(path: path).lines(order: .linear).map(\.pts)
    #expect((0..<timeline.count).map { timeline.pts(rank: $0) } == shown)
  }
}
