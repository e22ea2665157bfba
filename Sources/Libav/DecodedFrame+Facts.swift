import CFFmpeg
import Pixels

/// The decoder's statements about a frame beside its pixels.
extension DecodedFrame {
  /// The letter of the picture type, as libav gives it: "I", "P", "B", "S" and others; "?" if unknown.
  public var pictureTypeLetter: Character {
    Character(UnicodeScalar(UInt8(bitPattern: av_get_picture_type_char(pointer.pointee.pict_type))))
  }

  public var fieldOrder: StreamInfo.FieldOrder {
    guard isInterlaced else { return .progressive }
    return qd_frame_is_top_field_first(pointer) != 0 ? .topFirst : .bottomFirst
  }

  /// The pixel format and the colours, as the frame states them.
  public var format: VideoFormat {
    let frame = pointer.pointee
    func name(_ name: UnsafePointer<CChar>?) -> String { name.map(String.init(cString:)) ?? "" }
    return VideoFormat(
      size: size, pixelFormat: name(av_get_pix_fmt_name(AVPixelFormat(rawValue: frame.format))),
      sampleAspectRatio: sampleAspectRatio ?? Ratio(1, 1), colorSpace: name(av_color_space_name(frame.colorspace)),
      colorTransfer: name(av_color_transfer_name(frame.color_trc)), colorPrimaries: name(av_color_primaries_name(frame.color_primaries)),
      colorRange: name(av_color_range_name(frame.color_range)))
  }

  /// The bits of the frame's deepest component; 0 if there is no frame.
  public var bitDepth: Int {
    guard let descriptor = av_pix_fmt_desc_get(AVPixelFormat(rawValue: pointer.pointee.format))?.pointee else { return 0 }
    let components = [descriptor.comp.0, descriptor.comp.1, descriptor.comp.2, descriptor.comp.3]
    return components.prefix(Int(descriptor.nb_components)).map { Int($0.depth) }.max() ?? 0
  }

  /// The name of the transfer function, "pq" or "hlg", if an SDR display cannot show it unchanged; else nil.
  public var hdrTransferName: String? {
    switch HDRTransfer(pointer.pointee.color_trc) {
    case .pq: "pq"
    case .hlg: "hlg"
    case nil: nil
    }
  }

  /// The mean quantiser of the frame's blocks, weighted by area, in the codec's own scale; nil if the decoder does not report
  /// it, or was not told to (`Decoder.Features.quantizers`).
  public var meanQuantizer: Double? {
    guard let side = av_frame_get_side_data(pointer, AV_FRAME_DATA_VIDEO_ENC_PARAMS), let data = side.pointee.data,
      side.pointee.size >= MemoryLayout<AVVideoEncParams>.size
    else { return nil }
    let bytes = UnsafeRawBufferPointer(start: data, count: side.pointee.size)
    let parameters = bytes.loadUnaligned(as: AVVideoEncParams.self)
    let base = Double(parameters.qp)
    let (count, stride, first) = (Int(parameters.nb_blocks), Int(parameters.block_size), Int(parameters.blocks_offset))
    guard count > 0, stride >= MemoryLayout<AVVideoBlockParams>.size,
      first + (count - 1) * stride + MemoryLayout<AVVideoBlockParams>.size <= bytes.count
    else { return base }
    var (sum, area) = (0, 0)
    for i in 0..<count {
      let block = bytes.loadUnaligned(fromByteOffset: first + i * stride, as: AVVideoBlockParams.self)
      let size = Int(block.w) * Int(block.h)
      sum += Int(block.delta_qp) * size
      area += size
    }
    return area > 0 ? base + Double(sum) / Double(area) : base
  }
}
