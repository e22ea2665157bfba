import Foundation
import TestSupport
import Testing

@testable import Playback

/// Rendered files have the movie's sound, in sync, whatever delay the encoder has.
@Suite(.timeLimit(.minutes(20))) struct RenderSoundTests {
  private let folder: TemporaryFolder
  private let a: Asset, b: Asset
  private let left: [Float], right: [Float]

  init() throws {
    folder = try TemporaryFolder()
    let paths = [try SoundSamples.clip("sound-a.mkv", number: 1), try SoundSamples.clip("sound-b.mkv", number: 2)]
    (a, b) = (Asset(path: paths[0]), Asset(path: paths[1]))
    (left, right) = (try SoundSamples.decoded(paths[0]), try SoundSamples.decoded(paths[1]))
  }

  private func range(_ frames: Range<Int64>) -> TimeRange {
    TimeRange(start: MediaTime(value: frames.lowerBound, timescale: 25), end: MediaTime(value: frames.upperBound, timescale: 25))
  }

  private func part(_ samples: [Float], _ frames: Range<Int>) -> [Float] { Array(samples[frames.lowerBound * 3840..<frames.upperBound * 3840]) }

  private func movie() throws -> Composition {
    var movie = Composition()
    try movie.append(range(30..<80), of: a)
    try movie.append(range(5..<60), of: b)
    return movie
  }

  private var expected: [Float] { part(left, 30..<80) + part(right, 5..<60) }

  private func render(
    _ movie: Composition, _ name: String, _ change: (inout VideoRenderer.Options) -> Void = { _ in }
  ) throws -> (path: String, result: VideoRenderer.Result) {
    var options = VideoRenderer.Options()
    change(&options)
    let path = folder.path(name)
    return (path, try VideoRenderer(asset: Asset(composition: movie), options: options).render(to: path))
  }

  /// The samples as the player reads them, on the timeline of the frames.
  private func played(_ path: String) throws -> [Float] {
    let asset = Asset(path: path)
    let sound = try #require(try asset.openSamples(SoundSamples.form, for: InputSession(asset.input)))
    var samples: [Float] = []
    while !sound.has(1) || sound.take(.max, { samples += $0; return !$0.isEmpty }) { try sound.advance() }
    return samples
  }

  /// Returns the shift at which samples are most like others, in samples, and the correlation there, during a frame.
  private func shift(of samples: [Float], from others: [Float], at frame: Int) -> (samples: Int, correlation: Double) {
    let places = frame * 1920..<(frame + 1) * 1920
    var best = (samples: 0, correlation: -1.0)
    samples.withUnsafeBufferPointer { samples in
      others.withUnsafeBufferPointer { others in
        for shift in -1100...1100 where places.lowerBound + shift >= 0 && 2 * (places.upperBound + shift) <= samples.count {
          var (both, first, second): (Float, Float, Float) = (0, 0, 0)
          var place = places.lowerBound
          while place < places.upperBound {
            let (x, y) = (samples[2 * (place + shift)], others[2 * place])
            both += x * y
            first += x * x
            second += y * y
            place += 1
          }
          let correlation = Double(both) / max(1e-9, Double(first * second).squareRoot())
          if correlation > best.correlation { best = (shift, correlation) }
        }
      }
    }
    return best
  }

  @Test(arguments: [("out.mkv", nil), ("out.mov", nil), ("out.nut", nil), ("out.avi", nil), ("s16.mkv", "pcm_s16le"), ("alac.mov", "alac")])
  func losslessSoundIsExact(name: String, codec: String?) throws {
    let (path, result) = try render(try movie(), name) {
      $0.soundCodec = codec
    }
    let names = ["out.mkv": "flac", "out.mov": "pcm_s24le", "out.nut": "pcm_s24le", "out.avi": "pcm_s16le"]
    #expect(result.soundCodec == codec ?? names[name] && !result.lacksSound)
    // The clips have 16 bits.
    #expect(try SoundSamples.decoded(path) == expected, "\(name)")
    #expect(try played(path) == expected, "\(name)")
  }

  @Test(arguments: [("aac.mp4", "aac"), ("aac.mov", "aac"), ("opus.mkv", "libopus"), ("opus.webm", "libopus"), ("aac.mkv", "aac"), ("opus.mp4", "libopus"), ("aac.ts", "aac"), ("mp3.mkv", "libmp3lame"), ("vorbis.mkv", "libvorbis")])
  func lossySoundIsInSync(name: String, codec: String) throws {
    let isUsual = ["aac.mp4", "aac.mov", "opus.mkv", "opus.webm", "aac.ts"].contains(name)
    let (path, result) = try render(try movie(), name) {
      $0.codec = name.hasSuffix("webm") ? "vp8" : "h264"
      $0.soundCodec = isUsual ? nil : codec
    }
    #expect(result.soundCodec == codec)
    // Opus in Matroska is compared as ffmpeg decodes it, which leaves out the delay.
    let isMatroska = name.hasSuffix("mkv") || name.hasSuffix("webm")
    let samples = try isMatroska && codec == "libopus" ? SoundSamples.decoded(path) : played(path)
    for frame in [2, 40, 60, 100] {
      let (shift, correlation) = shift(of: samples, from: expected, at: frame)
      // Matroska's times are milliseconds.
      #expect(abs(shift) <= (isMatroska ? 24 : 1) && correlation > 0.9, "\(name) \(frame): \(shift) \(correlation)")
    }
    // Containers that store the padding end with the movie, others with a packet.
    #expect(samples.count >= expected.count - 2 * 48 && samples.count <= expected.count + 2 * 4096, "\(samples.count - expected.count)")
  }

  @Test func soundAndFramesAlternateInTheFile() throws {
    let (path, _) = try render(try movie(), "out.mp4") { $0.codec = "h264" }
    let lines = String(decoding: try MediaTool.run(
      "ffprobe", ["-v", "error", "-show_entries", "packet=codec_type,dts_time,pos", "-of", "csv=p=0", "file:" + path]), as: UTF8.self)
    var times: [(kind: Substring, dts: Double, position: Int)] = lines.split(separator: "\n").compactMap { line in
      let words = line.split(separator: ",")
      guard words.count >= 3, let dts = Double(words[1]), let position = Int(words[2]) else { return nil }
      return (words[0], dts, position)
    }
    times.sort { $0.position < $1.position }
    var last = ["video": 0.0, "audio": 0.0]
    for packet in times {
      last[String(packet.kind)] = packet.dts
      #expect(abs((last["video"] ?? 0) - (last["audio"] ?? 0)) < 1.1)
    }
    #expect(Set(times.map(\.kind)) == ["video", "audio"])
  }

  @Test func soundIsLeftOutOnRequestAndWhereThereIsNone() throws {
    let (path, result) = try render(try movie(), "silent.mkv") { $0.includesSound = false }
    #expect(result.soundCodec == nil && result.lacksSound)
    #expect(try MediaTool.probe(path, stream: "a", entries: "stream=codec_name").isEmpty)
    var quiet = try movie()
    quiet.audioMix.volumes[0] = AudioVolume(0)
    #expect(try render(quiet, "quiet.mkv").result.soundCodec == nil)
    #expect { try render(try movie(), "x.mkv") { $0.soundCodec = "h264" } } throws: {
      ($0 as? PlaybackError)?.message == "no such encoder for sound: h264"
    }
    #expect { try render(try movie(), "x.webm") { ($0.codec, $0.soundCodec) = ("vp8", "aac") } } throws: {
      ($0 as? PlaybackError)?.message.contains("webm cannot hold aac") == true
    }
  }

  @Test(arguments: ["copy.mp4", "copy.mkv"]) func copiedSoundIsInSyncAtEachPiece(name: String) throws {
    let audio = ["-c:a", "aac", "-b:a", "160k"]
    let paths = try (1...2).map { try SoundSamples.clip("copy-\($0).mp4", number: $0, audio: audio) }
    let samples = try paths.map { try played($0) }
    var movie = Composition()
    // Cuts that need not be moved.
    for (number, frames) in [(0, Int64(0)..<Int64(50)), (1, 25..<75), (0, 75..<125)] { try movie.append(range(frames), of: Asset(path: paths[number])) }
    let (path, result) = try render(movie, name) { $0.copiesPackets = true }
    #expect(result.soundCodec == "aac" && result.movedCuts.isEmpty && !result.lacksSound)
    let expected = part(samples[0], 0..<50) + part(samples[1], 25..<75) + part(samples[0], 75..<125)
    let found = try played(path)
    for frame in [3, 40, 60, 95, 110, 140] {
      let (shift, correlation) = shift(of: found, from: expected, at: frame)
      #expect(abs(shift) <= 513 && correlation > 0.9, "\(frame): \(shift) \(correlation)")
    }
    movie.audioMix.volumes[0] = AudioVolume(0.5)
    #expect { try render(movie, name) { $0.copiesPackets = true } } throws: {
      ($0 as? PlaybackError)?.message.contains("piece 1 changes the volume; leave the sound out") == true
    }
    #expect(try render(movie, name) { ($0.copiesPackets, $0.includesSound) = (true, false) }.result.soundCodec == nil)
  }
}
