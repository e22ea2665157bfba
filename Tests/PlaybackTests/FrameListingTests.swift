import Foundation
import TestSupport
import Testing

@testable import Playback

/// Every frame of a clip, fetched in any order, against the reference decoder's command line.
@Suite(.timeLimit(.minutes(20))) struct FrameListingTests {
  private static let made: [SampleClip] = [
    .h264BFrames, .longGOP, .openGOP, .variableFrameRate, .ntsc, .transportStreamOffset, .mpeg2ProgramStream,
    .rawH264, .editList, .vp9Alpha, .vp8Alpha, .hevc10Bit, .h264FullChroma, .h264TenBit422, .losslessBGRA, .av1,
    .gifTransparent, .png, .jpeg, .paletted, .oddSize, .anamorphic, .rotated90, .interlacedTopFirst, .mjpegAVI,
    .mpeg4PackedBFrames, .tracksAndChapters, .truncated,
  ]

  @Test(arguments: made) func equalsTheReference(clip: SampleClip) throws {
    try check(clip.path())
  }

  @Test(arguments: TimingClip.allCases) func equalsTheReferenceOnAwkwardClips(clip: TimingClip) throws {
    try check(clip.path())
  }

  private static let real = Soak.cases(few + others, else: few).filter(SharedClips.has)
  /// Small clips, each awkward in a way of its own.
  private static let few = [
    "timing/discard_first_keyframe.mp4", "timing/test_non_zero_start.mp4", "timing/h265_video.mp4",
    "timing/sample-with-key-frame-index.flv", "shape/pigs_in_a_polka.gif", "shape/test_res_change.h264", "shape/webm-alpha.webm",
  ]
  private static let others = [
    "real/movie-hello.avi", "real/movie-hello.mpeg", "real/movie-hello.ogg", "numbered/counting.mp4",
    "timing/bbb_avc_pyramid_3b.mp4", "timing/bbb_2500ms.ts", "timing/fixture-raw.mts", "timing/shaka-pts-rollover.ts",
    "timing/uneven_frame_durations.mp4", "numbered/counting.ogv", "numbered/30fps_numeroted_frames_red.mkv",
    "tracks/sample_TS_dvbsub_rs204.ts", "tracks/nasa_13013.mp4",
  ]

  @Test(.enabled(if: !real.isEmpty, Comment(rawValue: SharedClips.missing)), arguments: real)
  func equalsTheReferenceOnRealClips(name: String) throws {
    try check(#require(SharedClips.path(name)))
  }

  /// An empty listing would prove nothing.
  @Test func withoutFramesItFails() throws {
    let folder = try TemporaryFolder()
    var bytes = try Data(contentsOf: URL(fileURLWithPath: SampleClip.h264BFrames.path()))
    let media = try #require(bytes.firstRange(of: Data("mdat".utf8))?.upperBound), end = bytes.firstRange(of: Data("moov".utf8))?.lowerBound ?? 0
    bytes.replaceSubrange(media..<(end > media ? end - 4 : bytes.count), with: Data(count: (end > media ? end - 4 : bytes.count) - media))
    try bytes.write(to: URL(fileURLWithPath: folder.path("zero.mp4")))
    #expect(throws: PlaybackError.nothingDecodable) { try FrameListing(path: folder.path("zero.mp4")).lines(order: .linear) }
    let encrypted = try SampleMedia.clip(
      name: "encrypted.mp4",
      arguments: SampleMedia.numbered(width: 160, height: 90, rate: "25", seconds: 1) + [
        "-c:v", "libx264", "-pix_fmt", "yuv420p", "-encryption_scheme", "cenc-aes-ctr", "-encryption_key",
        "0123456789abcdef0123456789abcdef", "-encryption_kid", "fedcba9876543210fedcba9876543210",
      ])
    for order in FrameListing.Order.allCases {
      #expect(throws: PlaybackError(.encrypted, "is encrypted")) { try FrameListing(path: encrypted).lines(order: order) }
    }
  }

  @Test func everyStreamOfATransportStreamIsThere() throws {
    // The second one is told of in the middle only.
    let path = try TimingClip.newProgramMap.path()
    #expect(try FrameListing(path: path, videoTrack: 0).lines(order: .shuffle).count == 100)
    #expect(try FrameListing(path: path, videoTrack: 1).lines(order: .shuffle).count == 50)
  }

  /// Clips in which start points that are rightly verified elsewhere may give other frames.
  private static let broken: Set<TimingClip> = [
    .flippedBits, .lostPackets, .cutRaw, .cutInsidePacket, .threeCuts,
  ]

  @Test(arguments: TimingClip.allCases.filter { !broken.contains($0) })
  func startPointsAreRight(clip: TimingClip) throws {
    let listing = try FrameListing(path: clip.path())
    _ = try listing.lines(order: .shuffle, seed: 3)
    #expect(listing.refutedStarts == 0)
  }

  private func check(_ path: String) throws {
    let linear = try FrameListing(path: path).lines(order: .linear)
    let hashes = try referenceHashes(path)
    let times = try referenceTimes(path)
    #expect(linear.map(\.md5) == hashes)
    #expect(linear.map { $0.pts.map(String.init) ?? "N/A" } == times)
    for (line, next) in zip(linear, linear.dropFirst()) {
      if let pts = line.pts, let after = next.pts { #expect(line.duration == after - pts) }
    }
    for order in Soak.cases([FrameListing.Order.reverse, .shuffle], else: [.shuffle]) {
      let lines = try FrameListing(path: path).lines(order: order, seed: 7)
      // What the decoder makes of damaged data may depend on what it has seen before.
      let wrong = zip(lines, linear).enumerated().filter { $1.0 != $1.1 && !$1.1.isDamaged }.map(\.offset)
      #expect(lines.count == linear.count && wrong == [], "\(order)")
    }
  }

  private func referenceHashes(_ path: String) throws -> [String] {
    try MediaTool.frameHashes([
      "-threads", "1", "-copyts", "-noautorotate", "-i", "file:" + path, "-map", "0:v:0", "-enc_time_base", "-1", "-noautoscale",
    ])
  }

  private func referenceTimes(_ path: String) throws -> [String] {
    let output = try MediaTool.run(
      "ffprobe",
      [
        "-v", "quiet", "-threads", "1", "-select_streams", "v:0", "-show_entries", "frame=best_effort_timestamp",
        "-of", "flat", "file:" + path,
      ])
    return String(decoding: output, as: UTF8.self).split(separator: "\n").compactMap { line in
      line.split(separator: "=").last.map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "\"")) }
    }
  }
}
