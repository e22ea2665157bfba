import Sound

/// The samples of a source, amplified by a constant gain.
final class AmplifiedSound: SampleSource {
  private let source: any SampleSource
  private let gain: Float
  /// True if samples may exceed full scale, because their peak is unknown.
  private let isLimited: Bool

  init(_ source: any SampleSource, gain: ReplayGain.Gain) {
    self.source = source
    self.gain = gain.linear
    isLimited = gain.peak == nil && gain.linear > 1
  }

  var position: Int64 { source.position }

  func seek(to position: Int64) throws { try source.seek(to: position) }

  func read(into samples: inout [Float]) throws -> Bool {
    let start = samples.count
    let hasMore = try source.read(into: &samples)
    for index in start..<samples.count {
      let value = samples[index] * gain
      samples[index] = isLimited && abs(value) > SoftLimit.knee ? SoftLimit.apply(value) : value
    }
    return hasMore
  }
}
