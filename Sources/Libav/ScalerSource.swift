import CFFmpeg
import Pixels

/// The pixels that go into libswscale: a crop, or one field, of a frame.
struct ScalerSource {
  var planes: [UnsafePointer<UInt8>?]
  var strides: [Int32]
  var size: PixelSize
  var format: AVPixelFormat
  var matrix: Int32
  var isFullRange: Bool

  init(rgba bytes: UnsafeMutablePointer<UInt8>, stride: Int, size: PixelSize) {
    planes = [UnsafePointer(bytes), nil, nil, nil]
    strides = [Int32(stride), 0, 0, 0]
    self.size = size
    format = AV_PIX_FMT_RGBA
    matrix = -1
    isFullRange = true
  }

  /// An image's packed pixels.
  init(rgb bytes: UnsafeBufferPointer<UInt8>, size: PixelSize) {
    planes = [bytes.baseAddress, nil, nil, nil]
    strides = [Int32(size.width * 3), 0, 0, 0]
    self.size = size
    format = AV_PIX_FMT_RGB24
    matrix = -1
    isFullRange = true
  }

  /// All of a frame, both fields included.
  init(whole pointer: UnsafeMutablePointer<AVFrame>) throws {
    let frame = pointer.pointee
    size = PixelSize(width: Int(frame.width), height: Int(frame.height))
    guard !size.isEmpty, let descriptor = av_pix_fmt_desc_get(AVPixelFormat(rawValue: frame.format)) else {
      throw AVError(code: qd_averror_invaliddata(), context: "scaling the frame")
    }
    planes = [frame.data.0, frame.data.1, frame.data.2, frame.data.3].map { plane in plane.map { UnsafePointer<UInt8>($0) } }
    strides = [frame.linesize.0, frame.linesize.1, frame.linesize.2, frame.linesize.3]
    (format, matrix, isFullRange) = Self.colors(of: frame, descriptor.pointee, size)
  }

  /// A frame that has its size already, with colours.
  init?(_ small: AreaShrinker.Planes) {
    guard let chroma = small.chroma else { return nil }
    planes = [small.luma, chroma.u, chroma.v].map { plane in
      UnsafePointer(UnsafeRawPointer(plane).assumingMemoryBound(to: UInt8.self))
    } + [nil]
    strides = [Int32](repeating: Int32(small.size.width * 2), count: 3) + [0]
    size = small.size
    format = AV_PIX_FMT_YUV444P16LE
    matrix = small.matrix
    isFullRange = small.isFullRange
  }

  init(_ pointer: UnsafeMutablePointer<AVFrame>, request: ScaleRequest) throws {
    let frame = pointer.pointee
    var size = PixelSize(width: Int(frame.width), height: Int(frame.height))
    guard !size.isEmpty, size.width <= Demuxer.maximumSide, size.height <= Demuxer.maximumSide,
      let descriptor = av_pix_fmt_desc_get(AVPixelFormat(rawValue: frame.format))
    else { throw AVError(code: qd_averror_invaliddata(), context: "scaling the frame") }
    var planes = [frame.data.0, frame.data.1, frame.data.2, frame.data.3]
      .map { plane in plane.map { UnsafePointer<UInt8>($0) } }
    var strides = [frame.linesize.0, frame.linesize.1, frame.linesize.2, frame.linesize.3]
    let fullSize = size

    // The field that is shown first: every second line.
    let first = qd_frame_is_top_field_first(pointer) != 0 ? 0 : 1
    let chromaShift = Int(descriptor.pointee.log2_chroma_h)
    let chromaRows = (((size.height + (1 << chromaShift) - 1) >> chromaShift) + 1 - first) / 2
    if qd_frame_is_interlaced(pointer) != 0, size.height > 2, chromaRows > 0 {
      let isPaletted = descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_PAL) != 0
      for i in 0..<4 where planes[i] != nil && !(isPaletted && i == 1) {
        planes[i] = planes[i].map { $0 + first * Int(strides[i]) }
        strides[i] *= 2
      }
      // The second field can have a row of chroma less than its lines want: then it has that many lines less.
      size.height = min((size.height + 1 - first) / 2, chromaRows << chromaShift)
    }

    // Chroma samples stand for several pixels, and bit-packed formats (monochrome) cannot begin inside a byte.
    let chroma = 1 << max(descriptor.pointee.log2_chroma_w, descriptor.pointee.log2_chroma_h)
    let isBitPacked = descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_BITSTREAM) != 0
    let crop = request.sourceCrop(of: size, alignment: isBitPacked ? 8 : max(2, Int(chroma)))
    if crop.size != size {
      var offsets = [Int](repeating: 0, count: 4)
      let isPaletted = descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_PAL) != 0
      for i in 0..<4 where planes[i] != nil && !(isPaletted && i == 1) {
        let isChroma = i == 1 || i == 2
        let y = isChroma ? crop.y >> Int(descriptor.pointee.log2_chroma_h) : crop.y
        let left = av_image_get_linesize(AVPixelFormat(rawValue: frame.format), Int32(crop.x), Int32(i))
        offsets[i] = y * Int(strides[i]) + Int(max(0, crop.x == 0 ? 0 : left))
        planes[i] = planes[i].map { $0 + offsets[i] }
      }
      size = crop.size
    }
    self.planes = planes
    self.strides = strides
    self.size = size

    (format, matrix, isFullRange) = Self.colors(of: frame, descriptor.pointee, fullSize)
  }

  private static func colors(
    of frame: AVFrame, _ descriptor: AVPixFmtDescriptor, _ size: PixelSize
  ) -> (AVPixelFormat, matrix: Int32, isFullRange: Bool) {
    let (format, saysFull) = withoutJPEGRange(AVPixelFormat(rawValue: frame.format))
    let isRGB = qd_pix_fmt_is_rgb(format) != 0
    // Grey without a word on its range is full, as in libswscale.
    let isGrey = descriptor.nb_components < 3 && descriptor.flags & UInt64(AV_PIX_FMT_FLAG_PAL) == 0
    let isFullRange = saysFull || frame.color_range == AVCOL_RANGE_JPEG || isRGB
      || (isGrey && frame.color_range != AVCOL_RANGE_MPEG)
    return (format, isRGB ? -1 : matrix(frame.colorspace, size: size), isFullRange)
  }

  /// The old "J" formats mean their plain twins with full range.
  static func withoutJPEGRange(_ format: AVPixelFormat) -> (AVPixelFormat, Bool) {
    switch format {
    case AV_PIX_FMT_YUVJ420P: (AV_PIX_FMT_YUV420P, true)
    case AV_PIX_FMT_YUVJ422P: (AV_PIX_FMT_YUV422P, true)
    case AV_PIX_FMT_YUVJ444P: (AV_PIX_FMT_YUV444P, true)
    case AV_PIX_FMT_YUVJ440P: (AV_PIX_FMT_YUV440P, true)
    case AV_PIX_FMT_YUVJ411P: (AV_PIX_FMT_YUV411P, true)
    default: (format, false)
    }
  }

  static func matrix(_ space: AVColorSpace, size: PixelSize) -> Int32 {
    switch space {
    case AVCOL_SPC_BT709: SWS_CS_ITU709
    case AVCOL_SPC_BT470BG, AVCOL_SPC_SMPTE170M: SWS_CS_ITU601
    case AVCOL_SPC_SMPTE240M: SWS_CS_SMPTE240M
    case AVCOL_SPC_FCC: SWS_CS_FCC
    case AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL: SWS_CS_BT2020
    default:
      // What the field does where the stream is silent: high definition is BT.709, the rest BT.601.
      size.width >= 1280 || size.height > 576 ? SWS_CS_ITU709 : SWS_CS_ITU601
    }
  }
}
