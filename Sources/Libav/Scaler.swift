import CFFmpeg
import Pixels

/// Makes small RGB images from decoded frames of any pixel format.
///
/// Takes the frame's colour matrix and range (guessed from the size as is usual where the stream does not
/// say), one field of interlaced pictures (so that nothing combs), tone-maps PQ and HLG to BT.709 and lays
/// transparent pictures over a chequerboard. Not thread safe: one user at a time.
public final class Scaler {
  private var contexts: [SwsOwner] = []
  private var rows = AlignedBuffer()
  private var wholePicture = AlignedBuffer()
  private var toneMapper: ToneMapper?

  public init() {}

  /// - Throws: `AVError` when libswscale does not know the pixel format.
  public func scale(_ frame: DecodedFrame, to request: ScaleRequest) throws -> PixelImage {
    let source = try Source(frame.pointer, request: request)
    let target = request.sizeBeforeTurning
    if let transfer = HDRTransfer(frame.pointer.pointee.color_trc) {
      return try scaleHDR(source, transfer: transfer, frame: frame.pointer, to: request)
    }
    if qd_pix_fmt_has_alpha(source.format) != 0 {
      return try scaleAlpha(source, to: request)
    }
    // libswscale writes 32-bit pixels a quarter faster than packed 24-bit ones.
    let stride = rows.reserve(rowBytes: target.width * 4, rows: target.height)
    try run(source, to: target, format: AV_PIX_FMT_BGRA, into: rows.base, stride: stride)
    return Self.image(rows.base, stride: stride, bytesPerPixel: 4, request: request) { p, _, _ in (p[2], p[1], p[0]) }
  }

  // MARK: - Special pictures

  private func scaleHDR(
    _ source: Source, transfer: HDRTransfer, frame: UnsafeMutablePointer<AVFrame>, to request: ScaleRequest
  ) throws -> PixelImage {
    let target = request.sizeBeforeTurning
    let stride = rows.reserve(rowBytes: target.width * 6, rows: target.height)
    try run(source, to: target, format: AV_PIX_FMT_RGB48LE, into: rows.base, stride: stride)
    let settings = ToneMapper.Settings(frame: frame, transfer: transfer)
    let mapper: ToneMapper
    if let toneMapper, toneMapper.settings == settings {
      mapper = toneMapper
    } else {
      mapper = ToneMapper(settings)
      toneMapper = mapper
    }
    let base = rows.base
    for y in 0..<target.height {
      let row = UnsafeMutableRawPointer(base + y * stride)
      mapper.map(row.assumingMemoryBound(to: UInt16.self), count: target.width)
    }
    // The mapper leaves 8-bit values in the high bytes.
    return Self.image(base, stride: stride, bytesPerPixel: 6, request: request) { p, _, _ in (p[1], p[3], p[5]) }
  }

  /// Colours are weighed by their opacity before scaling, or hidden colours would bleed in at the edges.
  private func scaleAlpha(_ source: Source, to request: ScaleRequest) throws -> PixelImage {
    let whole = source.size
    let wholeStride = wholePicture.reserve(rowBytes: whole.width * 4, rows: whole.height)
    try run(source, to: whole, format: AV_PIX_FMT_RGBA, into: wholePicture.base, stride: wholeStride)
    for y in 0..<whole.height {
      let row = wholePicture.base + y * wholeStride
      for x in 0..<whole.width {
        let p = row + 4 * x
        let alpha = UInt32(p[3])
        if alpha == 255 { continue }
        for c in 0..<3 { p[c] = UInt8((UInt32(p[c]) * alpha + 127) / 255) }
      }
    }
    let target = request.sizeBeforeTurning
    let stride = rows.reserve(rowBytes: target.width * 4, rows: target.height)
    let premultiplied = Source(rgba: wholePicture.base, stride: wholeStride, size: whole)
    try run(premultiplied, to: target, format: AV_PIX_FMT_RGBA, into: rows.base, stride: stride)
    return Self.image(rows.base, stride: stride, bytesPerPixel: 4, request: request) { p, x, y in
      // Squares of four pixels in two greys, as picture editors show transparency.
      let square: UInt32 = (x / 4 + y / 4) % 2 == 0 ? 0x66 : 0x99
      let rest = (255 - UInt32(p[3])) * square + 127
      func over(_ value: UInt8) -> UInt8 { UInt8(min(255, UInt32(value) + rest / 255)) }
      return (over(p[0]), over(p[1]), over(p[2]))
    }
  }

  // MARK: - libswscale

  private func run(
    _ source: Source, to target: PixelSize, format: AVPixelFormat,
    into bytes: UnsafeMutablePointer<UInt8>, stride: Int
  ) throws {
    let key = SwsOwner.Key(
      source: source.size, sourceFormat: source.format.rawValue, target: target,
      targetFormat: format.rawValue, matrix: source.matrix, isFullRange: source.isFullRange,
      flags: Self.flags(from: source.size, to: target))
    let context = try context(for: key)
    var planes: [UnsafePointer<UInt8>?] = source.planes
    var strides = source.strides
    var output: [UnsafeMutablePointer<UInt8>?] = [bytes, nil, nil, nil]
    var outputStrides: [Int32] = [Int32(stride), 0, 0, 0]
    let done = sws_scale(
      context.pointer, &planes, &strides, 0, Int32(source.size.height), &output, &outputStrides)
    try AVError.check(done, "scaling the picture")
  }

  /// Averages what falls into a pixel when shrinking; smooth when enlarging.
  private static func flags(from source: PixelSize, to target: PixelSize) -> Int32 {
    let shrinks = target.width <= source.width && target.height <= source.height
    if source == target { return SWS_POINT | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP }
    return shrinks ? SWS_AREA | SWS_ACCURATE_RND : SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT
  }

  private func context(for key: SwsOwner.Key) throws -> SwsOwner {
    if let i = contexts.firstIndex(where: { $0.key == key }) { return contexts[i] }
    let made = try SwsOwner(key)
    // Two steps of one picture, and the sizes before and after a change.
    if contexts.count >= 4 { contexts.removeFirst() }
    contexts.append(made)
    return made
  }

  // MARK: - Into the image

  /// Gathers pixels into a `PixelImage`, turning the picture on the way.
  @inline(__always)
  private static func image(
    _ base: UnsafeMutablePointer<UInt8>, stride: Int, bytesPerPixel: Int, request: ScaleRequest,
    pixel: (UnsafeMutablePointer<UInt8>, Int, Int) -> (UInt8, UInt8, UInt8)
  ) -> PixelImage {
    let size = request.size
    let isUpright = request.orientation == .upright
    return PixelImage(size: size) { out in
      guard var to = out.baseAddress else { return }
      for y in 0..<size.height {
        var from = base + y * stride
        for x in 0..<size.width {
          if !isUpright {
            let place = request.orientation.sourcePixel(x: x, y: y, displayed: size)
            from = base + place.y * stride + place.x * bytesPerPixel
          }
          (to[0], to[1], to[2]) = pixel(from, x, y)
          to += 3
          from += bytesPerPixel
        }
      }
    }
  }
}

/// The pixels that go into libswscale: a crop, or one field, of a frame.
private struct Source {
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

  init(_ pointer: UnsafeMutablePointer<AVFrame>, request: ScaleRequest) throws {
    let frame = pointer.pointee
    var size = PixelSize(width: Int(frame.width), height: Int(frame.height))
    guard !size.isEmpty, size.width <= Demuxer.maximumSide, size.height <= Demuxer.maximumSide,
      let descriptor = av_pix_fmt_desc_get(AVPixelFormat(rawValue: frame.format))
    else { throw AVError(code: qd_averror_invaliddata(), context: "scaling the picture") }
    var planes = [frame.data.0, frame.data.1, frame.data.2, frame.data.3]
      .map { plane in plane.map { UnsafePointer<UInt8>($0) } }
    var strides = [frame.linesize.0, frame.linesize.1, frame.linesize.2, frame.linesize.3]
    let fullSize = size

    if qd_frame_is_interlaced(pointer) != 0, size.height > 2 {
      // The field that is shown first: every second line.
      let isPaletted = descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_PAL) != 0
      let first = qd_frame_is_top_field_first(pointer) != 0 ? 0 : 1
      for i in 0..<4 where planes[i] != nil && !(isPaletted && i == 1) {
        planes[i] = planes[i].map { $0 + first * Int(strides[i]) }
        strides[i] *= 2
      }
      let chromaShift = Int(descriptor.pointee.log2_chroma_h)
      let chromaRows = (size.height + (1 << chromaShift) - 1) >> chromaShift
      size.height = (size.height + 1 - first) / 2
      // The second field can have a row of chroma less than its lines want: then it has that many lines less.
      let rows = (chromaRows + 1 - first) / 2
      if rows > 0 { size.height = min(size.height, rows << chromaShift) }
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

    let (format, saysFull) = Self.withoutJPEGRange(AVPixelFormat(rawValue: frame.format))
    self.format = format
    let isRGB = qd_pix_fmt_is_rgb(format) != 0
    matrix = isRGB ? -1 : Self.matrix(frame.colorspace, size: fullSize)
    // Grey without a word on its range is full, as in libswscale.
    let isGrey = descriptor.pointee.nb_components < 3 && descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_PAL) == 0
    isFullRange = saysFull || frame.color_range == AVCOL_RANGE_JPEG || isRGB
      || (isGrey && frame.color_range != AVCOL_RANGE_MPEG)
  }

  /// The old "J" formats mean their plain twins with full range.
  private static func withoutJPEGRange(_ format: AVPixelFormat) -> (AVPixelFormat, Bool) {
    switch format {
    case AV_PIX_FMT_YUVJ420P: (AV_PIX_FMT_YUV420P, true)
    case AV_PIX_FMT_YUVJ422P: (AV_PIX_FMT_YUV422P, true)
    case AV_PIX_FMT_YUVJ444P: (AV_PIX_FMT_YUV444P, true)
    case AV_PIX_FMT_YUVJ440P: (AV_PIX_FMT_YUV440P, true)
    case AV_PIX_FMT_YUVJ411P: (AV_PIX_FMT_YUV411P, true)
    default: (format, false)
    }
  }

  private static func matrix(_ space: AVColorSpace, size: PixelSize) -> Int32 {
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

/// Owns scratch memory that is aligned and padded as libswscale's fast paths want it.
private struct AlignedBuffer: ~Copyable {
  private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  /// Makes room and returns the bytes from row to row.
  mutating func reserve(rowBytes: Int, rows: Int) -> Int {
    let stride = (rowBytes + 63) / 64 * 64
    let needed = stride * rows + 64
    if memory.count < needed {
      memory.deallocate()
      memory = .allocate(byteCount: needed, alignment: 64)
    }
    return stride
  }

  var base: UnsafeMutablePointer<UInt8> {
    guard let base = memory.baseAddress else { preconditionFailure("reserve first") }
    return base.assumingMemoryBound(to: UInt8.self)
  }

  deinit { memory.deallocate() }
}
