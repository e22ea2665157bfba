import CFFmpeg
import Pixels

/// The properties of a stream apart from its container: owns a copy of `AVCodecParameters`.
///
/// `@unchecked Sendable`: nothing is changed after initialization.
public final class StreamParameters: @unchecked Sendable {
  private let parameters: UnsafeMutablePointer<AVCodecParameters>
  /// The duration of a tick in seconds.
  public let timeBase: Ratio
  private let rates: (average: AVRational, real: AVRational)
  private let sampleAspectRatio: AVRational

  /// - Throws: `AVError` if memory runs out.
  init(copying stream: UnsafeMutablePointer<AVStream>) throws {
    guard let parameters = avcodec_parameters_alloc() else { throw AVError.outOfMemory("reading the streams") }
    self.parameters = parameters
    let source = stream.pointee
    timeBase = Ratio(source.time_base.num, source.time_base.den)
    rates = (source.avg_frame_rate, source.r_frame_rate)
    sampleAspectRatio = source.sample_aspect_ratio
    try AVError.check(avcodec_parameters_copy(parameters, source.codecpar), "reading the streams")
  }

  deinit {
    var parameters: UnsafeMutablePointer<AVCodecParameters>? = parameters
    avcodec_parameters_free(&parameters)
  }

  public var isVideo: Bool { parameters.pointee.codec_type == AVMEDIA_TYPE_VIDEO }
  public var isSound: Bool { parameters.pointee.codec_type == AVMEDIA_TYPE_AUDIO }

  /// The codec headers that are not in the packets; empty if there are none.
  public var headers: [UInt8] {
    guard let data = parameters.pointee.extradata else { return [] }
    return Array(UnsafeBufferPointer(start: data, count: Int(max(0, parameters.pointee.extradata_size))))
  }

  /// True if the size of video is known.
  public var hasSize: Bool { parameters.pointee.width > 0 && parameters.pointee.height > 0 }

  /// Returns true if packets of the other stream can follow those of this one for a decoder that is given new headers.
  public func canContinue(with other: StreamParameters) -> Bool {
    parameters.pointee.codec_id == other.parameters.pointee.codec_id && timeBase == other.timeBase
  }

  /// Describes a stream of a container that is read or written.
  ///
  /// - Throws: `AVError` if memory runs out.
  func apply(to stream: UnsafeMutablePointer<AVStream>) throws {
    try AVError.check(avcodec_parameters_copy(stream.pointee.codecpar, parameters), "copying a stream")
    stream.pointee.time_base = AVRational(num: timeBase.numerator, den: timeBase.denominator)
    (stream.pointee.avg_frame_rate, stream.pointee.r_frame_rate) = rates
    stream.pointee.sample_aspect_ratio = sampleAspectRatio
  }

  /// libavcodec's number of the codec.
  var codec: AVCodecID { parameters.pointee.codec_id }
}
