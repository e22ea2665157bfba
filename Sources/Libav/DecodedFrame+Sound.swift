import CFFmpeg

/// The content of a decoded sound frame.
extension DecodedFrame {
  /// Samples per second; 0 if it is not sound.
  public var sampleRate: Int { max(0, Int(pointer.pointee.sample_rate)) }

  /// Samples per channel.
  public var sampleCount: Int { max(0, Int(pointer.pointee.nb_samples)) }

  /// Returns the mean of all channels, one value per sample, −1…1 unless clipped; empty if the format is unknown.
  public func monoSamples() -> [Float] {
    let frame = pointer.pointee
    let count = sampleCount, channels = Int(qd_frame_channels(pointer))
    guard count > 0, channels > 0, let planes = frame.extended_data else { return [] }
    let isPlanar = av_sample_fmt_is_planar(AVSampleFormat(rawValue: frame.format)) != 0
    func mean<Sample>(_ type: Sample.Type, _ value: (Sample) -> Float) -> [Float] {
      var sums = [Float](repeating: 0, count: count)
      let step = isPlanar ? 1 : channels
      for channel in 0..<channels {
        guard let plane = planes[isPlanar ? channel : 0] else { return [] }
        plane.withMemoryRebound(to: Sample.self, capacity: count * step) { samples in
          var at = isPlanar ? 0 : channel
          for i in 0..<count {
            sums[i] += value(samples[at])
            at += step
          }
        }
      }
      let share = 1 / Float(channels)
      for i in 0..<count { sums[i] = sums[i].isFinite ? sums[i] * share : 0 }
      return sums
    }
    switch av_get_packed_sample_fmt(AVSampleFormat(rawValue: frame.format)) {
    case AV_SAMPLE_FMT_U8: return mean(UInt8.self) { (Float($0) - 128) / 128 }
    case AV_SAMPLE_FMT_S16: return mean(Int16.self) { Float($0) / 32768 }
    case AV_SAMPLE_FMT_S32: return mean(Int32.self) { Float($0) / 2_147_483_648 }
    case AV_SAMPLE_FMT_S64: return mean(Int64.self) { Float($0) / 9.223_372e18 }
    case AV_SAMPLE_FMT_FLT: return mean(Float.self) { $0 }
    case AV_SAMPLE_FMT_DBL: return mean(Double.self) { Float($0) }
    default: return []
    }
  }
}
