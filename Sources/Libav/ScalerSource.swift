import CFFmpeg
import Pixels

/// The input of libswscale: a crop or one field of a frame.
struct ScalerSource {
  var planes: [UnsafePointer<UInt8>?]
  var strides: [Int32]
  var size: PixelSize
  var format: AVPixelFormat
  var matrix: Int32
  var isFullRange: Bool
  /// The part to magnify, which may start and end at any pixel, while a source consists of whole chroma samples; nil if the
  /// source is not magnified.
  var magnifiedPart: PixelRect?

  init(rgba bytes: UnsafeMutablePointer<UInt8>, stride: Int, size: PixelSize) {
    planes = [UnsafePointer(bytes), nil, nil, nil]
    strides = [Int32(stride), 0, 0, 0]
    self.size = size
    format = AV_PIX_FMT_RGBA
    matrix = -1
    isFullRange = true
  }

  /// Creates a source from samples that are shown as they are.
  init(grey bytes: UnsafePointer<UInt8>, stride: Int, size: PixelSize) {
    planes = [bytes, nil, nil, nil]
    strides = [Int32(stride), 0, 0, 0]
    self.size = size
    format = AV_PIX_FMT_GRAY8
    matrix = SWS_CS_ITU709
    isFullRange = true
  }

  /// Creates a source from an image's packed pixels.
  init(rgb bytes: UnsafeBufferPointer<UInt8>, size: PixelSize) {
    planes = [bytes.baseAddress, nil, nil, nil]
    strides = [Int32(size.width * 3), 0, 0, 0]
    self.size = size
    format = AV_PIX_FMT_RGB24
    matrix = -1
    isFullRange = true
  }

  /// Creates a source from a whole frame, including both fields.
  init(whole pointer: UnsafeMutablePointer<AVFrame>) throws {
    let frame = pointer.pointee
    size = PixelSize(width: Int(frame.width), height: Int(frame.height))
    guard !size.isEmpty, av_pix_fmt_desc_get(AVPixelFormat(rawValue: frame.format)) != nil else {
      throw AVError(code: qd_averror_invaliddata(), context: "scaling the frame")
    }
    planes = [frame.data.0, frame.data.1, frame.data.2, frame.data.3].map { plane in plane.map { UnsafePointer<UInt8>($0) } }
    strides = [frame.linesize.0, frame.linesize.1, frame.linesize.2, frame.linesize.3]
    (format, matrix, isFullRange) = Self.colors(of: frame, size)
  }

  /// Creates a source from a shrunk frame, if it has colours.
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

  /// Creates a source from a whole frame, unless it is larger than anything that is shown.
  init(limited pointer: UnsafeMutablePointer<AVFrame>) throws {
    try self.init(whole: pointer)
    guard size.width <= Demuxer.maximumSide, size.height <= Demuxer.maximumSide
    else { throw AVError(code: qd_averror_invaliddata(), context: "scaling the frame") }
  }

  /// Creates a source for a request. For `.bob`, both fields are in it.
  init(_ pointer: UnsafeMutablePointer<AVFrame>, request: ScaleRequest) throws {
    try self.init(limited: pointer)
    guard let descriptor = av_pix_fmt_desc_get(format)?.pointee else { return }
    if request.fields != .bob, let field = Self.field(of: pointer, request.fields) { take(field: field, descriptor) }
    // Chroma samples cover several pixels, and bit-packed formats (monochrome) cannot start inside a byte.
    let chroma = 1 << max(descriptor.log2_chroma_w, descriptor.log2_chroma_h)
    let isBitPacked = descriptor.flags & UInt64(AV_PIX_FMT_FLAG_BITSTREAM) != 0
    // The lines of a field stay its lines in all planes.
    let alignment = (isBitPacked ? 8 : max(2, Int(chroma))) * (request.fields == .bob ? 2 : 1)
    var part = request.sourceCrop(of: size, alignment: alignment)
    if request.magnifies(part.size) {
      let exact = request.sourceCrop(of: size)
      func whole(_ start: Int, _ end: Int, _ limit: Int) -> Range<Int> {
        start / alignment * alignment..<min(limit, (end + alignment - 1) / alignment * alignment)
      }
      let columns = whole(exact.x, exact.maxX, size.width), rows = whole(exact.y, exact.maxY, size.height)
      part = PixelRect(x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
      magnifiedPart = PixelRect(x: exact.x - part.x, y: exact.y - part.y, width: exact.width, height: exact.height)
    }
    crop(to: part, descriptor)
  }

  /// Returns the field of a frame that is to be shown, 0 for the top one; nil for all lines.
  static func field(of pointer: UnsafeMutablePointer<AVFrame>, _ fields: FrameFields) -> Int? {
    let first = qd_frame_is_top_field_first(pointer) != 0 ? 0 : 1
    return switch fields {
    case .automatic: qd_frame_is_interlaced(pointer) != 0 && pointer.pointee.height > 2 ? first : nil
    case .top: 0
    case .bottom: 1
    case .weave: nil
    // Frames that are not marked as interlaced state no order.
    case .bob: qd_frame_is_interlaced(pointer) != 0 ? first : 0
    }
  }

  /// Returns true if a plane has pixels, which the one of a palette has not.
  func hasPixels(_ plane: Int, _ descriptor: AVPixFmtDescriptor) -> Bool {
    planes[plane] != nil && !(plane == 1 && descriptor.flags & UInt64(AV_PIX_FMT_FLAG_PAL) != 0)
  }

  /// Leaves every second line.
  private mutating func take(field first: Int, _ descriptor: AVPixFmtDescriptor) {
    let chromaShift = Int(descriptor.log2_chroma_h)
    let chromaRows = (((size.height + (1 << chromaShift) - 1) >> chromaShift) + 1 - first) / 2
    guard size.height > first, chromaRows > 0 else { return }
    for i in 0..<4 where hasPixels(i, descriptor) {
      planes[i] = planes[i].map { $0 + first * Int(strides[i]) }
      strides[i] *= 2
    }
    // The second field can have a chroma row less than its lines need; it then has that many lines less.
    size.height = min((size.height + 1 - first) / 2, chromaRows << chromaShift)
  }

  /// Leaves a block of 16 × 16 pixels, or what there is of it, with a pixel in it; returns its top left corner.
  mutating func crop(around pixel: (x: Int, y: Int)) -> (x: Int, y: Int) {
    let side = 16
    let (x, y) = (pixel.x / side * side, pixel.y / side * side)
    guard let descriptor = av_pix_fmt_desc_get(format)?.pointee else { return (0, 0) }
    let block = PixelRect(x: x, y: y, width: min(side, size.width - x), height: min(side, size.height - y))
    crop(to: block, descriptor)
    return (x, y)
  }

  /// Leaves a part whose corner is aligned to chroma samples.
  private mutating func crop(to crop: PixelRect, _ descriptor: AVPixFmtDescriptor) {
    guard crop.size != size else { return }
    for i in 0..<4 where hasPixels(i, descriptor) {
      let offset = Self.offset(ofX: crop.x, y: crop.y, plane: i, format, stride: strides[i])
      planes[i] = planes[i].map { $0 + offset }
    }
    size = crop.size
  }

  /// Returns the offset in bytes of a pixel in a plane; the pixel must be aligned to chroma samples.
  static func offset(ofX x: Int, y: Int, plane: Int, _ format: AVPixelFormat, stride: Int32) -> Int {
    let isChroma = plane == 1 || plane == 2
    let row = isChroma ? y >> Int(av_pix_fmt_desc_get(format)?.pointee.log2_chroma_h ?? 0) : y
    let left = x == 0 ? 0 : max(0, av_image_get_linesize(format, Int32(x), Int32(plane)))
    return row * Int(stride) + Int(left)
  }

  private static func colors(of frame: AVFrame, _ size: PixelSize) -> (AVPixelFormat, matrix: Int32, isFullRange: Bool) {
    let stated = AVPixelFormat(rawValue: frame.format)
    let isRGB = qd_pix_fmt_is_rgb(stated) != 0
    return (withoutJPEGRange(stated).0, isRGB ? -1 : matrix(frame.colorspace, size: size), isFullRange(stated, frame.color_range))
  }

  /// Returns true if values of a format with a stated range use the full range.
  static func isFullRange(_ format: AVPixelFormat, _ range: AVColorRange) -> Bool {
    if range == AVCOL_RANGE_JPEG || withoutJPEGRange(format).1 || qd_pix_fmt_is_rgb(format) != 0 { return true }
    // Grey of unspecified range is full range, as in libswscale.
    guard range != AVCOL_RANGE_MPEG, let descriptor = av_pix_fmt_desc_get(format)?.pointee else { return false }
    return descriptor.nb_components < 3 && descriptor.flags & UInt64(AV_PIX_FMT_FLAG_PAL) == 0
  }

  /// The old "J" formats equal their plain counterparts with full range.
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
      // The usual convention if the stream does not specify it: BT.709 for high definition, otherwise BT.601.
      size.width >= 1280 || size.height > 576 ? SWS_CS_ITU709 : SWS_CS_ITU601
    }
  }
}
