import CFFmpeg

/// The content of a decoded sound frame.
extension DecodedFrame {
  /// Samples per second; 0 if it is not sound.
  public var sampleRate: Int { max(0, Int(pointer.pointee.sample_rate)) }

  /// Samples per channel.
  public var sampleCount: Int { max(0, Int(pointer.pointee.nb_samples)) }

  /// The places of the channels, in their order. Of an unknown layout, the usual one with as many channels is assumed.
  public var channelPlaces: [ChannelPlace] {
    var layout = pointer.pointee.ch_layout
    let count = max(0, layout.nb_channels)
    var usual = AVChannelLayout()
    defer { av_channel_layout_uninit(&usual) }
    if layout.order == AV_CHANNEL_ORDER_UNSPEC { av_channel_layout_default(&usual, count) }
    return (0..<UInt32(count)).map { index in
      ChannelPlace(layout.order == AV_CHANNEL_ORDER_UNSPEC
        ? av_channel_layout_channel_from_index(&usual, index) : av_channel_layout_channel_from_index(&layout, index))
    }
  }

  /// Replaces values by the frame's samples, interleaved, −1…1 unless clipped; by none if the format is unknown.
  public func readSamples(into values: inout [Float]) {
    values.removeAll(keepingCapacity: true)
    let frame = pointer.pointee
    let count = sampleCount, channels = Int(qd_frame_channels(pointer))
    guard count > 0, channels > 0, let planes = frame.extended_data else { return }
    let isPlanar = av_sample_fmt_is_planar(AVSampleFormat(rawValue: frame.format)) != 0
    guard (0..<(isPlanar ? channels : 1)).allSatisfy({ planes[$0] != nil }) else { return }
    func read<Sample>(_ type: Sample.Type, _ value: (Sample) -> Float) {
      values.append(contentsOf: repeatElement(0, count: count * channels))
      let step = isPlanar ? 1 : channels
      for channel in 0..<channels {
        planes[isPlanar ? channel : 0]?.withMemoryRebound(to: Sample.self, capacity: count * step) { samples in
          var at = isPlanar ? 0 : channel
          for i in 0..<count {
            let number = value(samples[at])
            values[i * channels + channel] = number.isFinite ? number : 0
            at += step
          }
        }
      }
    }
    switch av_get_packed_sample_fmt(AVSampleFormat(rawValue: frame.format)) {
    case AV_SAMPLE_FMT_U8: read(UInt8.self) { (Float($0) - 128) / 128 }
    case AV_SAMPLE_FMT_S16: read(Int16.self) { Float($0) / 32768 }
    case AV_SAMPLE_FMT_S32: read(Int32.self) { Float($0) / 2_147_483_648 }
    case AV_SAMPLE_FMT_S64: read(Int64.self) { Float($0) / 9.223_372e18 }
    case AV_SAMPLE_FMT_FLT: read(Float.self) { $0 }
    case AV_SAMPLE_FMT_DBL: read(Double.self) { Float($0) }
    default: break
    }
  }
}

/// The place of a channel's loudspeaker, as far as loudness depends on it.
public enum ChannelPlace: Hashable, Sendable {
  case front, side, back, lowFrequency

  fileprivate init(_ channel: AVChannel) {
    switch channel {
    case AV_CHAN_LOW_FREQUENCY, AV_CHAN_LOW_FREQUENCY_2: self = .lowFrequency
    case AV_CHAN_SIDE_LEFT, AV_CHAN_SIDE_RIGHT, AV_CHAN_SURROUND_DIRECT_LEFT, AV_CHAN_SURROUND_DIRECT_RIGHT: self = .side
    case AV_CHAN_BACK_LEFT, AV_CHAN_BACK_RIGHT, AV_CHAN_BACK_CENTER: self = .back
    default: self = .front
    }
  }
}
