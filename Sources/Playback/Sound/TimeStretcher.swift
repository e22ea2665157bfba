import CSonic

/// The treatment of pitch when sound is played faster or slower.
public enum AudioTimePitchAlgorithm: String, CaseIterable, Hashable, Sendable, Codable {
  /// The pitch is kept. Made for speech at high speeds, by adding and removing periods (Sonic, by Bill Cox).
  case timeDomain
  /// The pitch changes with the speed, as on a tape.
  case varispeed
}

/// Plays sound faster or slower: owns a stream of libsonic. Not thread-safe.
final class TimeStretcher {
  /// The speeds at which sound is played.
  static let speeds = 0.5...4.0

  private let stream: sonicStream
  private let channels: Int
  let speed: Double

  /// - Parameter speed: within `speeds`.
  /// - Returns: nil if there is no memory.
  init?(_ form: SoundForm, speed: Double, algorithm: AudioTimePitchAlgorithm) {
    guard let stream = sonicCreateStream(Int32(clamping: form.rate), Int32(form.channels)) else { return nil }
    self.stream = stream
    self.speed = speed
    channels = form.channels
    switch algorithm {
    case .timeDomain: sonicSetSpeed(stream, Float(speed))
    case .varispeed: sonicSetRate(stream, Float(speed))
    }
  }

  deinit { sonicDestroyStream(stream) }

  /// Takes samples, and appends what has become ready.
  func stretch(_ samples: inout [Float], into output: inout [Float]) {
    let count = Int32(clamping: samples.count / channels)
    if count > 0 { samples.withUnsafeMutableBufferPointer { _ = sonicWriteFloatToStream(stream, $0.baseAddress, count) } }
    take(into: &output)
  }

  /// Appends what is left.
  func finish(into output: inout [Float]) {
    sonicFlushStream(stream)
    take(into: &output)
  }

  private func take(into output: inout [Float]) {
    let count = sonicSamplesAvailable(stream)
    guard count > 0 else { return }
    let start = output.count
    output.append(contentsOf: repeatElement(0, count: Int(count) * channels))
    let taken = output.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.map { sonicReadFloatFromStream(stream, $0 + start, count) } ?? 0
    }
    output.removeLast(Int(count - max(0, taken)) * channels)
  }
}
