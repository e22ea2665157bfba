import CFFmpeg
import Pixels

/// Demuxing an image sequence.
extension Demuxer {
  /// The number of images tried until one can be opened.
  private static let maxModels = 16

  /// Opens an image sequence; blocks until done or interrupted. Reads one image, unless the first ones are damaged.
  ///
  /// Codec, size and colours of the stream are those of the image read; others may differ in size.
  ///
  /// - Throws: `FileInputError`, `DemuxerError` or `AVError`, of the first image if none can be opened.
  public static func images(of sequence: SequenceInput, interrupter: Interrupter) throws -> Demuxer {
    var failure: (any Error)?
    var incomplete: Demuxer?
    for image in 0..<min(maxModels, sequence.files.numbers.count) {
      do {
        let demuxer = try Demuxer(path: sequence.files.path(ofImage: image), interrupter: interrupter)
        guard let model = demuxer.streams.first(where: { $0.kind == .video }) else { throw DemuxerError.unknownFormat }
        demuxer.become(sequence, like: demuxer.stream(model.index), interrupter)
        if !model.size.isEmpty, !model.pixelFormat.isEmpty { return demuxer }
        incomplete = incomplete ?? demuxer
      } catch let error as AVError where error.isInterrupted {
        throw error
      } catch {
        failure = failure ?? error
      }
    }
    if let incomplete { return incomplete }
    throw failure ?? DemuxerError.unknownFormat
  }

  /// Changes from demuxing one image to demuxing the sequence.
  private func become(_ sequence: SequenceInput, like model: UnsafeMutablePointer<AVStream>, _ interrupter: Interrupter) {
    let reader = SequenceReader(sequence, like: model, format: formatName, interrupter: interrupter)
    let rate = AVRational(num: sequence.frameRate.numerator, den: sequence.frameRate.denominator)
    let tick = AVRational(num: rate.den, den: rate.num), count = Int64(sequence.files.frameCount)
    model.pointee.time_base = tick
    (model.pointee.avg_frame_rate, model.pointee.r_frame_rate) = (rate, rate)
    (model.pointee.start_time, model.pointee.duration, model.pointee.nb_frames) = (0, count, count)
    // Rounded up, so that the last frame keeps its whole duration.
    context.pointee.duration = av_rescale_q_rnd(count, tick, AVRational(num: 1, den: 1_000_000), AV_ROUND_UP)
    context.pointee.start_time = 0
    context.pointee.duration_estimation_method = AVFMT_DURATION_FROM_STREAM
    let seconds = Double(count) * Double(rate.den) / Double(rate.num)
    context.pointee.bit_rate = Int64(min(Double(sequence.files.byteCount) * 8 / seconds, 1e18))
    self.sequence = reader
  }

  /// False if nobody wants the sequence's packets.
  var isSequenceSelected: Bool { sequence.map { stream(Int($0.stream)).pointee.discard != AVDISCARD_ALL } ?? false }

  /// The sizes of the packets of an image sequence in order, from its listing; nil for other sources. Packets are numbered from
  /// 0; so are their timestamps and positions.
  public var listedPackets: [Int64]? {
    guard let files = sequence?.input.files else { return nil }
    return (0..<files.frameCount).map { files.byteCounts[files.image(ofFrame: $0)] }
  }
}
