import CFFmpeg

/// Converts decoded sound to interleaved 32-bit float samples at one rate, with one or two channels: owns an `SwrContext`.
///
/// Mixing down follows the frame's channel layout, with coefficients that cannot exceed full scale. A frame of the output's own
/// rate and layout is only converted to float. Not thread-safe.
public final class SoundConverter {
  /// Samples per second of the output.
  public let sampleRate: Int
  /// Channels of the output: 1 or 2.
  public let channelCount: Int
  private var context: OpaquePointer?
  private var form: Form?

  /// The form of the frames that the context converts.
  private struct Form: Equatable {
    var format: Int32
    var rate: Int32
    var channels: Int32
    /// The channels that a native layout has, as bits; 0 for other layouts.
    var mask: UInt64
  }

  public init(sampleRate: Int, channelCount: Int) {
    precondition(channelCount == 1 || channelCount == 2)
    (self.sampleRate, self.channelCount) = (sampleRate, channelCount)
  }

  deinit { swr_free(&context) }

  /// True if samples of these frames have to be converted to another rate.
  public var resamples: Bool { form.map { $0.rate != sampleRate } ?? false }

  /// Returns true if converting a frame would begin anew, because its form differs from that of the last one; `drain()` then
  /// returns the end of what came before.
  public func isOtherForm(_ frame: DecodedFrame) -> Bool { form != nil && form != Self.form(of: frame) }

  /// Appends the samples of a frame to `samples`. Of a resampled frame, the last ones are returned with the next.
  ///
  /// - Throws: `AVError` if the form is not supported.
  public func convert(_ frame: DecodedFrame, into samples: inout [Float]) throws {
    let form = Self.form(of: frame)
    if form != self.form { try open(form, frame) }
    try run(input: frame.pointer.pointee.extended_data, count: Int32(clamping: frame.sampleCount), into: &samples)
  }

  /// Appends what the converter has kept, and begins anew.
  public func drain(into samples: inout [Float]) {
    if resamples { try? run(input: nil, count: 0, into: &samples) }
    reset()
  }

  /// Discards what the converter has kept, to continue elsewhere.
  public func reset() {
    swr_free(&context)
    form = nil
  }

  private static func form(of frame: DecodedFrame) -> Form {
    let frame = frame.pointer.pointee
    let layout = frame.ch_layout
    return Form(
      format: frame.format, rate: frame.sample_rate, channels: layout.nb_channels,
      mask: layout.order == AV_CHANNEL_ORDER_NATIVE ? layout.u.mask : 0)
  }

  private func open(_ form: Form, _ frame: DecodedFrame) throws {
    reset()
    var output = AVChannelLayout()
    av_channel_layout_default(&output, Int32(channelCount))
    var input = AVChannelLayout()
    defer {
      av_channel_layout_uninit(&input)
      av_channel_layout_uninit(&output)
    }
    if frame.pointer.pointee.ch_layout.order == AV_CHANNEL_ORDER_UNSPEC {
      av_channel_layout_default(&input, form.channels)
    } else {
      try AVError.check(av_channel_layout_copy(&input, &frame.pointer.pointee.ch_layout), "reading the channel layout")
    }
    try AVError.check(
      swr_alloc_set_opts2(
        &context, &output, AV_SAMPLE_FMT_FLT, Int32(clamping: sampleRate), &input, AVSampleFormat(rawValue: form.format),
        form.rate, 0, nil), "setting up the conversion of sound")
    // A mix of all channels at full scale stays in range.
    av_opt_set_double(UnsafeMutableRawPointer(context), "rematrix_maxval", 1, 0)
    do {
      try AVError.check(swr_init(context), "setting up the conversion of sound")
    } catch {
      reset()
      throw error
    }
    self.form = form
  }

  private func run(input: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?, count: Int32, into samples: inout [Float]) throws {
    let capacity = swr_get_out_samples(context, count)
    try AVError.check(capacity, "converting sound")
    guard capacity > 0 else { return }
    let start = samples.count
    samples.append(contentsOf: repeatElement(0, count: Int(capacity) * channelCount))
    let produced = samples.withUnsafeMutableBytes { bytes -> Int32 in
      var plane = bytes.baseAddress.map { ($0 + start * MemoryLayout<Float>.stride).assumingMemoryBound(to: UInt8.self) }
      guard let input else { return swr_convert(context, &plane, capacity, nil, 0) }
      return input.withMemoryRebound(to: UnsafePointer<UInt8>?.self, capacity: Int(AV_NUM_DATA_POINTERS)) { planes in
        swr_convert(context, &plane, capacity, planes, count)
      }
    }
    samples.removeLast((Int(capacity) - Int(max(0, produced))) * channelCount)
    try AVError.check(produced, "converting sound")
  }
}
