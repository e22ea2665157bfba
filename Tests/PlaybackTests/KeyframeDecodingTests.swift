import Libav
import TestSupport
import Testing

@testable import Playback

/// Leaving out all but keyframes, where a machine is too slow, leads to the next one and not beyond.
@Suite(.timeLimit(.minutes(20))) struct KeyframeDecodingTests {
  /// A clip of 120 frames, and the numbers of its keyframes.
  private func source(_ name: String, _ coding: [String]) throws -> (MovieSource, keys: [Int]) {
    let path = try SampleMedia.clip(
      name: name,
      arguments: SampleMedia.numbered(width: 64, height: 36, seconds: 4) + coding + ["-g", "20"])
    let frames = try MediaTool.probe(path, entries: "frame=key_frame")
    let session = InputSession(MediaInput(path: path))
    let opened = try session.open()
    let facts = AssetFacts(opened.demuxer)
    let source = try MovieSource(opened, session: session, facts: facts, track: #require(facts.preferredVideoTrack), index: nil, threads: 1)
    return (source, frames.indices.filter { frames[$0].hasPrefix("1") })
  }

  /// The number that the next frame shows; nil at the end.
  private func next(_ source: MovieSource, _ discard: DiscardLevel) throws -> Int? {
    while true {
      switch try source.decodeNext(discard: discard) {
      case .progress: continue
      case .endOfStream: return nil
      case .frame(let frame): return Int((frame.timing.pts.seconds * 30).rounded())
      }
    }
  }

  private static let clips: [(String, [String])] = [
    ("keys.mp4", ["-pix_fmt", "yuv420p", "-c:v", "libx264", "-bf", "3", "-x264-params", "b-adapt=0:scenecut=0"]),
    (
      "keys-pyramid.mkv",
      [
        "-pix_fmt", "yuv420p", "-c:v", "libx264", "-bf", "7", "-x264-params",
        "b-adapt=0:scenecut=0:b-pyramid=normal",
      ]
    ),
    (
      "keys-hevc.mp4",
      ["-pix_fmt", "yuv420p", "-c:v", "libx265", "-x265-params", "log-level=none:keyint=20:scenecut=0"]
    ),
    ("keys.mpg", ["-pix_fmt", "yuv420p", "-c:v", "mpeg2video", "-bf", "2", "-sc_threshold", "1000000000"]),
    ("keys.mkv", ["-pix_fmt", "yuv420p", "-c:v", "mpeg4", "-bf", "2", "-sc_threshold", "1000000000"]),
  ]

  @Test(arguments: clips.indices) func theNextKeyframeAndWhatFollowsIt(index: Int) throws {
    let (source, keys) = try source(Self.clips[index].0, Self.clips[index].1)
    let key = try #require(keys.first { $0 > 5 })
    for number in 0..<5 { #expect(try next(source, .nothing) == number) }
    // On the way come those that the decoder has already.
    var number = 0
    while number < key { number = try #require(try next(source, .nonKey)) }
    #expect(number == key)
    var rest = [number]
    while let number = try next(source, .nothing) { rest.append(number) }
    // Of those that are needed to get the keyframe out of the decoder, some may be left out.
    #expect(zip(rest, rest.dropFirst()).allSatisfy { $0 < $1 && $1 <= $0 + 8 }, "\(rest)")
    #expect(rest.last == 119 && rest.count > 85, "\(rest)")
  }

  @Test(arguments: clips.indices) func keyframesOnly(index: Int) throws {
    let (source, keys) = try source(Self.clips[index].0, Self.clips[index].1)
    var numbers: [Int] = []
    while let number = try next(source, .nonKey) { numbers.append(number) }
    #expect(keys.count >= 6 && keys.allSatisfy(numbers.contains), "\(keys) \(numbers)")
    #expect(numbers == numbers.sorted() && numbers.count < 60, "\(numbers)")
  }
}
