import DecodePool
import Libav
import Pixels
import TestSupport
import Testing

@testable import Playback

/// The frames that the index of a clip tells of, against those that come out of a decoder.
@Suite(.timeLimit(.minutes(20))) struct IndexedFramesTests {
  // Without decoding times libav takes the frames for shown in the order of the packets.
  @Test(arguments: TimingClip.allCases.filter { $0 != .missingDTS })
  func areThoseThatAreShown(clip: TimingClip) async throws {
    try await check(clip.path())
  }

  @Test func packetsBeforeTheFirstFrameDoNotCountHoweverMany() async throws {
    let path = try TimingClip.cutFarBeforeKey.path()
    let index = try await Asset(path: path).scannedIndex()
    let packets = try #require(index.content.packets)
    let first = try FrameListing(path: path).lines(order: .linear).first?.pts
    let key = try #require(packets.entries.firstIndex { $0.pts == first })
    #expect(key > 64)
    #expect(packets.entries.firstIndex { !$0.isDiscarded } == key)
  }

  // What is made of damaged data depends on what the decoder has seen before, and on its threads.
  @Test(
    "a number is that of a frame in a decode from the beginning",
    arguments: TimingClip.allCases.filter { ![.flippedBits, .truncatedAVI].contains($0) })
  func numbersAreThoseOfDecoding(clip: TimingClip) async throws {
    let asset = Asset(path: try clip.path())
    let linear = try await asset.linearFrames(Self.size)
    let generator = ImageGenerator(asset: asset, decoderThreads: 2)
    generator.maximumSize = Self.size
    let last = linear.count - 1
    var wrong: [Int] = []
    for number in Set([0, 1, 2, 3, last / 3, last / 2, last / 2 + 1, last - 1, last]) where number <= last && number >= 0 {
      if await still(generator, number) != linear[number] { wrong.append(number) }
    }
    #expect(wrong.isEmpty)
  }

  /// Handed over under a lock: the thread sanitizer does not see that a continuation does so, too.
  private func still(_ generator: ImageGenerator, _ number: Int) async -> PixelImage? {
    let image = Monitor<PixelImage?>(nil)
    await withCheckedContinuation { continuation in
      generator.generateImage(ofFrame: number) { answer in
        image.withLock { $0 = answer.image }
        continuation.resume()
      }
    }
    return image.withLock { $0 }
  }

  private static let size = PixelSize(width: 40, height: 24)

  // Each field of a frame in a packet of its own, and frames that are cut away.
  private static let real = [
    "timing/fixture-raw.mts", "timing/discard_first_keyframe.mp4",
    "timing/sample_edit_list_no_sync_frame_before_edit.mp4", "real/crystal.webm", "real/movie-hello.ogg",
  ].filter(SharedClips.has)

  @Test(.enabled(if: !real.isEmpty, Comment(rawValue: SharedClips.missing)), arguments: real)
  func areThoseThatAreShown(name: String) async throws { try await check(#require(SharedClips.path(name))) }

  private func check(_ path: String) async throws {
    let index = try await Asset(path: path).scannedIndex()
    let timeline = try #require(index.content.timeline?.packets)
    #expect(timeline.isCountable && index.timeline?.isComplete == true)
    let shown = try FrameListing(path: path).lines(order: .linear).map(\.pts)
    let numbers = 0..<timeline.count
    #expect(numbers.map { timeline.stamp(at: $0) } == shown)
    // The stamps themselves, unless they are missing or jump.
    let ticks = numbers.map { timeline.ticks(at: $0) }
    #expect(timeline.isDecoded ? zip(ticks, ticks.dropFirst()).allSatisfy { $0 < $1 } : ticks == shown)
  }
}
