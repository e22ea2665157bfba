import CFFmpeg
import Pixels

/// Scales decoded frames of any pixel format to small RGB images.
///
/// Uses the frame's colour matrix and range (guessed from its size, as is usual, if the stream does not specify them),
/// takes one field of interlaced frames to avoid combing unless others are requested, tone-maps PQ and HLG to BT.709, and
/// draws transparent frames over a chequerboard unless their opacity is requested. Not thread-safe.
public final class Scaler {
  /// Enough for two steps per frame, and for the sizes before and after a change.
  private var contexts = SwsContexts(capacity: 4)
  private var rows = AlignedBuffer()
  private var wholeFrame = AlignedBuffer()
  // For single planes and fields.
  var planes = PlaneExtractor()
  var converter = EightBitConverter()
  var interpolator = FieldInterpolator()
  private var shrinker = AreaShrinker()
  private var toneMapper: ToneMapper?
  /// The image made last, whose memory is used again if it has not been kept: cells are fitted to it and it is dropped.
  private var latest: PixelImage?

  public init() {}

  /// - Throws: `AVError` if libswscale does not know the pixel format.
  public func scale(_ frame: DecodedFrame, to request: ScaleRequest) throws -> PixelImage {
    if request.plane != .picture { return try scalePlane(of: frame, to: request) }
    var source = try ScalerSource(frame.pointer, request: request)
    if request.fields == .bob, let field = ScalerSource.field(of: frame.pointer, .bob) {
      source = try interpolator.interpolate(source, keeping: field)
    }
    guard let part = source.magnifiedPart else { return try scale(source, of: frame, to: request) }
    var native = request
    (native.size, native.orientation) = (source.size, .upright)
    return try scale(source, of: frame, to: native).magnified(part, to: request)
  }

  /// Scales what has been taken out of a frame for a request.
  func scale(_ source: ScalerSource, of frame: DecodedFrame, to request: ScaleRequest) throws -> PixelImage {
    if let transfer = HDRTransfer(frame.pointer.pointee.color_trc) {
      return try scaleHDR(source, transfer: transfer, frame: frame.pointer, to: request)
    }
    if qd_pix_fmt_has_alpha(source.format) != 0 {
      return try scaleAlpha(source, to: request)
    }
    return try draw(source, to: request)
  }

  /// Scales opaque pixels whose values are those of an SDR display.
  func draw(_ source: ScalerSource, to request: ScaleRequest) throws -> PixelImage {
    let target = request.sizeBeforeTurning
    // libswscale writes 32-bit pixels a quarter faster than packed 24-bit ones.
    let stride = try rows.reserve(rowBytes: target.width * 4, rows: target.height)
    if let planes = try shrinker.shrink(source, to: target) {
      planes.convert(into: rows.base, stride: stride)
    } else {
      try run(source, to: target, format: AV_PIX_FMT_BGRA, into: rows.base, stride: stride)
    }
    if request.orientation == .upright { return image(bgr0: rows.base, stride: stride, size: target) }
    return Self.image(rows.base, stride: stride, bytesPerPixel: 4, request: request) { p, _, _ in (p[2], p[1], p[0]) }
  }

  // MARK: - Special frames

  private func scaleHDR(
    _ source: ScalerSource, transfer: HDRTransfer, frame: UnsafeMutablePointer<AVFrame>, to request: ScaleRequest
  ) throws -> PixelImage {
    let target = request.sizeBeforeTurning
    let stride = try rows.reserve(rowBytes: target.width * 6, rows: target.height)
    let source = try shrinker.shrink(source, to: target).flatMap { ScalerSource($0) } ?? source
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

  /// Colours are weighted by opacity before scaling, since hidden colours would otherwise bleed in at the edges.
  private func scaleAlpha(_ source: ScalerSource, to request: ScaleRequest) throws -> PixelImage {
    let whole = source.size
    let wholeStride = try wholeFrame.reserve(rowBytes: whole.width * 4, rows: whole.height)
    try run(source, to: whole, format: AV_PIX_FMT_RGBA, into: wholeFrame.base, stride: wholeStride)
    for y in 0..<whole.height {
      let row = wholeFrame.base + y * wholeStride
      for x in 0..<whole.width {
        let p = row + 4 * x
        let alpha = UInt32(p[3])
        if alpha == 255 { continue }
        for c in 0..<3 { p[c] = UInt8((UInt32(p[c]) * alpha + 127) / 255) }
      }
    }
    let target = request.sizeBeforeTurning
    let stride = try rows.reserve(rowBytes: target.width * 4, rows: target.height)
    let premultiplied = ScalerSource(rgba: wholeFrame.base, stride: wholeStride, size: whole)
    try run(premultiplied, to: target, format: AV_PIX_FMT_RGBA, into: rows.base, stride: stride)
    if request.keepsOpacity { return Self.transparent(rows.base, stride: stride, request: request) }
    return Self.image(rows.base, stride: stride, bytesPerPixel: 4, request: request) { p, x, y in
      // Squares of four pixels in two greys, as image editors show transparency.
      let square: UInt32 = (x / 4 + y / 4) % 2 == 0 ? 0x66 : 0x99
      let rest = (255 - UInt32(p[3])) * square + 127
      func over(_ value: UInt8) -> UInt8 { UInt8(min(255, UInt32(value) + rest / 255)) }
      return (over(p[0]), over(p[1]), over(p[2]))
    }
  }

  // MARK: - libswscale

  private func run(
    _ source: ScalerSource, to target: PixelSize, format: AVPixelFormat,
    into bytes: UnsafeMutablePointer<UInt8>, stride: Int
  ) throws {
    let key = SwsOwner.Key(
      source: source.size, sourceFormat: source.format.rawValue, target: target,
      targetFormat: format.rawValue, matrix: source.matrix, isFullRange: source.isFullRange,
      flags: SwsOwner.flags(from: source.size, to: target, unscaled: SWS_POINT))
    let context = try contexts.context(for: key)
    var planes: [UnsafePointer<UInt8>?] = source.planes
    var strides = source.strides
    var output: [UnsafeMutablePointer<UInt8>?] = [bytes, nil, nil, nil]
    var outputStrides: [Int32] = [Int32(stride), 0, 0, 0]
    let done = sws_scale(
      context.pointer, &planes, &strides, 0, Int32(source.size.height), &output, &outputStrides)
    try AVError.check(done, "scaling the frame")
  }

  // MARK: - Into the image

  /// Packs the pixels of the most common case.
  private func image(bgr0 base: UnsafeMutablePointer<UInt8>, stride: Int, size: PixelSize) -> PixelImage {
    let image = PixelImage(size: size, reusing: &latest) { out in
      guard var to = UnsafeMutableRawPointer(out.baseAddress) else { return }
      for y in 0..<size.height {
        let row = UnsafeRawPointer(base + y * stride)
        func pixel(_ x: Int) -> UInt32 {
          UInt32(bigEndian: row.loadUnaligned(fromByteOffset: 4 * x, as: UInt32.self)) >> 8
        }
        // The fourth byte lies in the next pixel, which is written afterwards.
        for x in 0..<(size.width - 1) {
          to.storeBytes(of: pixel(x).littleEndian, as: UInt32.self)
          to += 3
        }
        let last = pixel(size.width - 1)
        to.storeBytes(of: UInt16(truncatingIfNeeded: last).littleEndian, as: UInt16.self)
        to.storeBytes(of: UInt8(truncatingIfNeeded: last >> 16), toByteOffset: 2, as: UInt8.self)
        to += 3
      }
    }
    latest = image
    return image
  }

  /// Undoes the weighting of colours by opacity.
  private static func transparent(_ base: UnsafeMutablePointer<UInt8>, stride: Int, request: ScaleRequest) -> PixelImage {
    let opacity = image(base, stride: stride, bytesPerPixel: 4, request: request) { p, _, _ in (p[3], 0, 0) }
    return image(
      base, stride: stride, bytesPerPixel: 4, request: request,
      opacity: opacity.withBytes { bytes in Swift.stride(from: 0, to: bytes.count, by: 3).map { bytes[$0] } }
    ) { p, _, _ in
      let alpha = UInt32(p[3])
      guard alpha > 0 else { return (0, 0, 0) }
      func full(_ value: UInt8) -> UInt8 { UInt8(min(255, (UInt32(value) * 255 + alpha / 2) / alpha)) }
      return (full(p[0]), full(p[1]), full(p[2]))
    }
  }

  /// Collects pixels into a `PixelImage`, applying the orientation.
  @inline(__always)
  private static func image(
    _ base: UnsafeMutablePointer<UInt8>, stride: Int, bytesPerPixel: Int, request: ScaleRequest, opacity: [UInt8]? = nil,
    pixel: (UnsafeMutablePointer<UInt8>, Int, Int) -> (UInt8, UInt8, UInt8)
  ) -> PixelImage {
    let size = request.size
    let isUpright = request.orientation == .upright
    return PixelImage(size: size, opacity: opacity) { out in
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

extension PixelImage {
  /// Returns a part of the image, turned, with pixels repeated up to the requested size.
  func magnified(_ part: PixelRect, to request: ScaleRequest) -> PixelImage {
    let (size, orientation) = (request.size, request.orientation)
    if size == self.size, part.size == size, orientation == .upright { return self }
    let displayed = orientation.swapsSides ? PixelSize(width: part.height, height: part.width) : part.size
    let columns = (0..<size.width).map { (2 * $0 + 1) * displayed.width / (2 * size.width) }
    let rows = (0..<size.height).map { (2 * $0 + 1) * displayed.height / (2 * size.height) }
    func place(_ x: Int, _ y: Int) -> Int {
      let place = orientation.sourcePixel(x: columns[x], y: rows[y], displayed: displayed)
      return (place.y + part.y) * width + place.x + part.x
    }
    let transparency = opacity.map { opacity in
      (0..<size.area).map { opacity[place($0 % size.width, $0 / size.width)] }
    }
    return withBytes { bytes in
      PixelImage(size: size, opacity: transparency) { out in
        var to = 0
        for y in 0..<size.height {
          for x in 0..<size.width {
            let from = 3 * place(x, y)
            (out[to], out[to + 1], out[to + 2]) = (bytes[from], bytes[from + 1], bytes[from + 2])
            to += 3
          }
        }
      }
    }
  }
}
