import Foundation
import TestSupport

/// Clips whose sound tells its own time: noise, of which every moment is different, with numbered frames.
struct SoundClips {
  /// A minute and a little, with PCM sound.
  let long: String
  /// The same with AAC sound.
  let compressed: String
  /// Two clips whose noise goes on from the first to the second.
  let halves: [String]
  /// The samples of `long`, and of both halves together.
  let noise: [Float]
  let halvesNoise: [Float]

  static let rate = 48_000
  static let framesPerSecond = 30
  /// Seconds.
  static let length = 66
  static let half = 6

  init() throws {
    let noise = Self.noise(seconds: Self.length)
    self.noise = noise
    halvesNoise = Array(noise[..<(2 * Self.half * Self.rate)])
    func clip(_ name: String, _ range: Range<Int>, _ codec: [String]) throws -> String {
      let wave = try SampleMedia.file(name: "\(name).f32", key: ["noise", "\(range)", "1"]) { path in
        let part = noise[(range.lowerBound * Self.rate)..<(range.upperBound * Self.rate)]
        try part.withUnsafeBytes { Data($0) }.write(to: URL(fileURLWithPath: path))
      }
      return try SampleMedia.clip(
        name: name,
        arguments: SampleMedia.numbered(width: 640, height: 360, rate: "\(Self.framesPerSecond)", seconds: Double(range.count))
          + ["-f", "f32le", "-ar", "\(Self.rate)", "-ac", "1", "-i", wave, "-map", "0", "-map", "1", "-c:v", "libx264"]
          + ["-preset", "veryfast", "-g", "\(2 * Self.framesPerSecond)", "-pix_fmt", "yuv420p"] + codec)
    }
    long = try clip("sound.mkv", 0..<Self.length, ["-c:a", "pcm_f32le"])
    compressed = try clip("sound.mp4", 0..<Self.length, ["-c:a", "aac", "-b:a", "128k"])
    halves = try [0, 1].map { try clip("half-\($0).mkv", ($0 * Self.half)..<(($0 + 1) * Self.half), ["-c:a", "pcm_f32le"]) }
  }

  /// Returns the same noise in each run, of a power that never changes much.
  private static func noise(seconds: Int) -> [Float] {
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    return (0..<seconds * rate).map { _ in
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return (Float(state >> 40) / Float(1 << 24) - 0.5) * 0.5
    }
  }
}
