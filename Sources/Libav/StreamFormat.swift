import CFFmpeg

/// The coding of a stream's packets: everything a decoder must know of them. Owns an `AVCodecParameters`, which never changes.
public final class StreamFormat {
  let parameters: UnsafeMutablePointer<AVCodecParameters>

  /// - Throws: `AVError` if memory runs out.
  init(of stream: UnsafeMutablePointer<AVStream>) throws {
    guard let parameters = avcodec_parameters_alloc() else { throw AVError.outOfMemory("opening a stream") }
    self.parameters = parameters
    try AVError.check(avcodec_parameters_copy(parameters, stream.pointee.codecpar), "opening a stream")
  }

  deinit {
    var parameters: UnsafeMutablePointer<AVCodecParameters>? = parameters
    avcodec_parameters_free(&parameters)
  }

  /// The short name of the codec: "h264".
  public var codecName: String { String(cString: avcodec_get_name(parameters.pointee.codec_id)) }

  /// The codec headers; empty if the packets contain them.
  public var headers: [UInt8] {
    guard let data = parameters.pointee.extradata else { return [] }
    return Array(UnsafeBufferPointer(start: data, count: Int(max(0, parameters.pointee.extradata_size))))
  }

  /// True if every frame of the codec can be decoded alone.
  public var isIntraOnly: Bool {
    avcodec_descriptor_get(parameters.pointee.codec_id).map { $0.pointee.props & AV_CODEC_PROP_INTRA_ONLY != 0 } ?? false
  }

  /// Returns true if one decoder can decode both.
  func isSame(as other: StreamFormat) -> Bool {
    let a = parameters.pointee, b = other.parameters.pointee
    return a.codec_id == b.codec_id && a.width == b.width && a.height == b.height && a.sample_rate == b.sample_rate
      && a.ch_layout.nb_channels == b.ch_layout.nb_channels && headers == other.headers
  }
}
