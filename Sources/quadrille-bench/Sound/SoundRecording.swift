import Foundation
import TestSupport

/// A sound server of the bench's own whose only device plays nowhere, and the recording of what it plays.
final class SoundRecording {
  private let server: PulseServer
  private var recording: PulseRecording?

  /// Recorded samples and when they were heard.
  struct Samples {
    let values: [Float]
    /// The moment of the first one, in seconds of the monotonic clock.
    let start: Double

    func host(_ index: Int) -> Double { start + Double(index) / Double(SoundClips.rate) }
  }

  /// The device begins with two seconds of silence that it has rendered ahead, and is late then.
  private static let settling = 2.8
  /// The device renders blocks of this length, in seconds, whose last sample is heard when the next is rendered.
  private static let block = 0.01

  var address: String { server.address }

  init() throws {
    server = try PulseServer()
    let end = now() + 20
    while recording == nil {
      // It answers after a moment.
      usleep(200_000)
      let attempt = try server.record()
      usleep(500_000)
      if !attempt.recorded.arrivals.isEmpty { recording = attempt }
      if now() > end { throw BenchError("PulseAudio does not start") }
    }
    usleep(UInt32(Self.settling * 1e6))
  }

  /// Ends the recording and returns it.
  func finish() throws -> Samples {
    usleep(300_000)
    guard let recorded = recording?.recorded else { throw BenchError("nothing was recorded") }
    recording?.stop()
    // The device runs by this clock, so the earliest arrivals tell the time of all samples.
    let starts = recorded.arrivals.filter { Double($0.count) > Self.settling * Double(SoundClips.rate) }
      .map { Double($0.host) / 1e9 - Double($0.count) / Double(SoundClips.rate) }
    guard !starts.isEmpty else { throw BenchError("nothing was recorded") }
    return Samples(values: recorded.left, start: percentile(starts, 0.02) + Self.block)
  }
}
