import Foundation
import TestSupport

@testable import Playback

/// Sound for tests: clips, and their samples as ffmpeg decodes them.
enum SoundSamples {
  static let rate = 48_000
  static let form = SoundForm(rate: rate, channels: 2)

  /// A clip of 25 frames a second whose sound has another value at each sample.
  ///
  /// - Parameter number: makes the sound another one.
  static func clip(
    _ name: String, number: Int, seconds: Int = 6, video: [String] = ["-c:v", "libx264", "-g", "25"], audio: [String] = ["-c:a", "flac", "-sample_fmt", "s16"]
  ) throws -> String {
    let tone = "0.4*sin(2*PI*(\(200 + 70 * number)+30*t)*t)+0.1*sin(\(3000 + 400 * number)*t)"
    return try SampleMedia.clip(
      name: name,
      arguments: [
        "-f", "lavfi", "-i", "testsrc2=size=64x36:rate=25:duration=\(seconds)", "-f", "lavfi", "-i",
        "aevalsrc=\(tone)|0.7*(\(tone)):s=\(rate):d=\(seconds)", "-pix_fmt", "yuv420p", "-shortest",
      ] + video + audio)
  }

  /// The samples of a file, left and right in turn.
  static func decoded(_ path: String) throws -> [Float] {
    let data = try MediaTool.run(
      "ffmpeg", ["-v", "error", "-nostdin", "-i", "file:" + path, "-map", "0:a:0", "-ac", "2", "-ar", "\(rate)", "-f", "f32le", "-"])
    return data.withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
    }
  }

  /// Reads samples of a source up to its end, or as many as wanted.
  static func read(_ source: any SampleSource, count: Int = .max) throws -> [Float] {
    var samples: [Float] = []
    while samples.count < count, try source.read(into: &samples) {}
    return Array(samples.prefix(count))
  }

  static func source(_ composition: Composition, form: SoundForm = form) -> CompositionSound {
    let asset = Asset(composition: composition)
    return CompositionSound(CompositionMedia(composition), form, session: InputSession(asset.input))
  }
}
