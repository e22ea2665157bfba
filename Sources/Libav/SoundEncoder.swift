import CFFmpeg

/// A reason that sound cannot be encoded, beyond libav's own errors.
public enum SoundEncoderError: Error, Hashable, Sendable {
  /// There is no encoder of the name, or none for sound.
  case unknownCodec(name: String)
  /// The encoder does not take sound of this rate or number of channels.
  case refusesForm(encoder: String, sampleRate: Int, channelCount: Int)
  /// Encoding failed, with libav's reason.
  case failed(encoder: String, reason: String)
}

/// Encodes interleaved float samples as packets of one stream: owns an `AVCodecContext`.
///
/// Timestamps of packets count samples. They begin before 0 by the encoder's delay, so that each sample is heard at its index.
/// Not thread-safe.
public final class SoundEncoder {
  /// The result of requesting a packet.
  public enum ReceiveResult: Sendable {
    case packet
    /// The encoder needs more samples first.
    case needsSamples
    /// All samples have been encoded.
    case endOfStream
  }

  private let owner: CodecOwner
  var context: UnsafeMutablePointer<AVCodecContext> { owner.pointer }
  private let frame: DecodedFrame
  /// Samples per second.
  public let sampleRate: Int
  /// Values per sample.
  public let channelCount: Int

  /// Opens an encoder, losslessly if the codec can, otherwise so that the loss is hardly heard.
  ///
  /// - Parameters:
  ///   - codec: name of a codec ("opus") or of an encoder ("libopus").
  ///   - sampleRate: as returned by `sampleRate(of:near:)`.
  ///   - channelCount: 1 or 2.
  ///   - hasGlobalHeader: true if the container stores headers separately from packets.
  /// - Throws: `SoundEncoderError` or `AVError`.
  public init(codec name: String, sampleRate: Int, channelCount: Int, hasGlobalHeader: Bool) throws {
    let codec = try Self.codec(name)
    (self.sampleRate, self.channelCount) = (sampleRate, channelCount)
    frame = try DecodedFrame()
    owner = try CodecOwner(codec)
    let encoder = String(cString: codec.pointee.name)
    guard let format = Self.sampleFormat(of: codec) else {
      throw SoundEncoderError.refusesForm(encoder: encoder, sampleRate: sampleRate, channelCount: channelCount)
    }
    context.pointee.sample_fmt = format
    context.pointee.sample_rate = Int32(clamping: sampleRate)
    av_channel_layout_default(&context.pointee.ch_layout, Int32(clamping: channelCount))
    context.pointee.time_base = AVRational(num: 1, den: Int32(clamping: sampleRate))
    context.pointee.bit_rate = Int64(channelCount) * (Self.bitRates[String(cString: avcodec_get_name(codec.pointee.id))] ?? 96_000)
    // Of formats with fewer bits it changes nothing.
    if [AV_SAMPLE_FMT_S32, AV_SAMPLE_FMT_S32P].contains(format) { context.pointee.bits_per_raw_sample = 24 }
    context.pointee.thread_count = 1
    if hasGlobalHeader { context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER }
    guard avcodec_open2(context, codec, nil) >= 0 else {
      throw SoundEncoderError.refusesForm(encoder: encoder, sampleRate: sampleRate, channelCount: channelCount)
    }
  }

  /// Name of the encoder: "libopus".
  public var name: String { String(cString: context.pointee.codec.pointee.name) }

  /// The number of samples to send at once; the last ones may be fewer.
  public var frameLength: Int { context.pointee.frame_size > 0 ? Int(context.pointee.frame_size) : 1024 }

  // MARK: - Choosing

  /// Encoders that libavcodec would not, or not always, take first.
  private static let preferred = ["opus": "libopus", "vorbis": "libvorbis", "mp3": "libmp3lame", "aac": "aac"]

  /// Bits per second of a channel.
  private static let bitRates: [String: Int64] = ["aac": 96_000, "opus": 80_000, "mp3": 128_000, "vorbis": 96_000]

  private static func codec(_ name: String) throws -> UnsafePointer<AVCodec> {
    var found = preferred[name].flatMap { avcodec_find_encoder_by_name($0) } ?? avcodec_find_encoder_by_name(name)
    if found == nil, let descriptor = avcodec_descriptor_get_by_name(name) { found = avcodec_find_encoder(descriptor.pointee.id) }
    guard let found, found.pointee.type == AVMEDIA_TYPE_AUDIO else { throw SoundEncoderError.unknownCodec(name: name) }
    return found
  }

  /// Returns the lowest rate that an encoder supports and that is not below another, else its highest one.
  ///
  /// - Throws: `SoundEncoderError`.
  public static func sampleRate(of codec: String, near rate: Int) throws -> Int {
    guard var next = qd_encoder_sample_rates(try Self.codec(codec)) else { return rate }
    var rates: [Int] = []
    while next.pointee != 0 {
      rates.append(Int(next.pointee))
      next += 1
    }
    return rates.filter { $0 >= rate }.min() ?? rates.max() ?? rate
  }

  /// The formats that samples are converted to, the most exact first.
  private static let formats = [
    AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_FLTP, AV_SAMPLE_FMT_S32, AV_SAMPLE_FMT_S32P, AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_S16P,
  ]

  private static func sampleFormat(of codec: UnsafePointer<AVCodec>) -> AVSampleFormat? {
    guard let known = qd_encoder_sample_formats(codec) else { return formats.first }
    return formats.first { format in
      var next = known
      while next.pointee != AV_SAMPLE_FMT_NONE {
        if next.pointee == format { return true }
        next += 1
      }
      return false
    }
  }

  // MARK: - Encoding

  /// - Throws: `SoundEncoderError`, or `AVError` if memory runs out.
  private func check(_ code: Int32) throws {
    do {
      try AVError.check(code, "encoding sound")
    } catch let error as AVError where !error.isOutOfMemory {
      throw SoundEncoderError.failed(encoder: name, reason: error.reason)
    }
  }

  /// Sends samples: `frameLength` of them, or fewer at the end.
  ///
  /// - Parameters:
  ///   - samples: interleaved, not empty.
  ///   - index: the index of the first one.
  /// - Throws: `SoundEncoderError` or `AVError`.
  public func send(_ samples: ArraySlice<Float>, at index: Int64) throws {
    let count = samples.count / channelCount
    frame.clear()
    let pointer = frame.pointer
    pointer.pointee.nb_samples = Int32(clamping: count)
    pointer.pointee.format = context.pointee.sample_fmt.rawValue
    pointer.pointee.sample_rate = context.pointee.sample_rate
    pointer.pointee.pts = index
    try AVError.check(av_channel_layout_copy(&pointer.pointee.ch_layout, &context.pointee.ch_layout), "encoding sound")
    try AVError.check(av_frame_get_buffer(pointer, 0), "encoding sound")
    defer { frame.clear() }
    fill(samples, count)
    try check(avcodec_send_frame(context, pointer))
  }

  /// Begins to encode what the encoder has kept.
  ///
  /// - Throws: `SoundEncoderError` or `AVError`.
  public func finish() throws {
    let code = avcodec_send_frame(context, nil)
    if code != qd_averror_eof() { try check(code) }
  }

  private func fill(_ samples: ArraySlice<Float>, _ count: Int) {
    guard let planes = frame.pointer.pointee.extended_data else { return }
    let format = context.pointee.sample_fmt
    let isPlanar = av_sample_fmt_is_planar(format) != 0
    func copy<Sample>(_ convert: (Float) -> Sample) {
      samples.withUnsafeBufferPointer { samples in
        for channel in 0..<channelCount {
          guard let plane = planes[isPlanar ? channel : 0] else { return }
          let (step, first) = isPlanar ? (1, 0) : (channelCount, channel)
          plane.withMemoryRebound(to: Sample.self, capacity: count * step) { plane in
            for sample in 0..<count { plane[first + sample * step] = convert(samples[sample * channelCount + channel]) }
          }
        }
      }
    }
    switch av_get_packed_sample_fmt(format) {
    case AV_SAMPLE_FMT_S16: copy { Int16(clamping: Int($0.onScale(of: 32_768).rounded(.toNearestOrEven))) }
    // Encoders use the upper 24 bits.
    case AV_SAMPLE_FMT_S32: copy { Int32(clamping: Int($0.onScale(of: 8_388_608).rounded(.toNearestOrEven)).clampedTo24Bits << 8) }
    default: copy { $0 }
    }
  }

  /// Takes the next packet; its timestamps count samples.
  ///
  /// - Throws: `SoundEncoderError` or `AVError`.
  public func receive(into packet: Packet) throws -> ReceiveResult {
    let code = avcodec_receive_packet(context, packet.pointer)
    if code == qd_averror(EAGAIN) { return .needsSamples }
    if code == qd_averror_eof() { return .endOfStream }
    try check(code)
    return .packet
  }
}

extension Float {
  /// The value times full scale, not far beyond it; 0 if it is no number.
  fileprivate func onScale(of scale: Float) -> Float { isNaN ? 0 : Swift.min(Swift.max(self, -2), 2) * scale }
}

extension Int {
  fileprivate var clampedTo24Bits: Int { Swift.min(Swift.max(self, -(1 << 23)), 1 << 23 - 1) }
}
