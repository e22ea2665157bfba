import CFFmpeg
import Pixels

/// The pixel format of a frame and what its samples mean.
struct SampleForm: Equatable {
  enum Family {
    case rgb, yuv, grey
  }

  /// The transfer function and primaries of a frame of high dynamic range.
  struct Light: Equatable {
    var transfer: HDRTransfer
    var isWideGamut: Bool
  }

  /// The pixels of a chroma sample, as powers of two.
  struct ChromaShift: Equatable {
    var across = 0
    var down = 0
  }

  /// None of the old "J" formats.
  var format: AVPixelFormat
  /// libswscale's number of the colour matrix; −1 for RGB.
  var matrix: Int32
  /// True for RGB.
  var isFullRange: Bool
  /// Nil for frames of standard dynamic range.
  var light: Light?
  let family: Family
  /// Bits of a sample.
  let depth: Int
  let chromaShift: ChromaShift

  /// - Throws: `AVError` if there is no frame.
  init(_ pointer: UnsafeMutablePointer<AVFrame>) throws {
    let source = try ScalerSource(whole: pointer)
    let light = HDRTransfer(pointer.pointee.color_trc).map {
      Light(transfer: $0, isWideGamut: ToneMapper.Settings(frame: pointer, transfer: $0).isWideGamut)
    }
    self.init(source.format, matrix: source.matrix, isFullRange: source.isFullRange, light: light)
  }

  init(_ format: AVPixelFormat, matrix: Int32 = -1, isFullRange: Bool = true, light: Light? = nil) {
    self.format = format
    self.light = light
    let descriptor = av_pix_fmt_desc_get(format)?.pointee
    let flags = descriptor?.flags ?? 0
    let isColorful = flags & UInt64(AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BAYER) != 0
    let components = (descriptor?.nb_components ?? 0) - (flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0 ? 1 : 0)
    family = if isColorful || [AV_PIX_FMT_XYZ12LE, AV_PIX_FMT_XYZ12BE].contains(format) {
      .rgb
    } else {
      components < 3 ? .grey : .yuv
    }
    self.matrix = family == .rgb ? -1 : matrix
    self.isFullRange = family == .rgb || isFullRange
    let bits = descriptor.map { max($0.comp.0.depth, $0.comp.1.depth) } ?? 8
    depth = family == .rgb && flags & UInt64(AV_PIX_FMT_FLAG_BAYER) != 0 ? 16 : Int(bits)
    chromaShift = family != .yuv ? ChromaShift()
      : ChromaShift(across: Int(descriptor?.log2_chroma_w ?? 0), down: Int(descriptor?.log2_chroma_h ?? 0))
  }

  /// Bits of a sample as whole numbers that can be compared: 8…16.
  var comparedDepth: Int { min(16, max(8, depth)) }

  /// Returns the format for comparisons in which frames of any format of a family are comparable: planes of little-endian
  /// samples for Y′CbCr and grey, and packed RGB.
  ///
  /// - Parameter depth: at least so many bits if there is such a format.
  static func plainFormat(_ family: Family, depth: Int, _ chromaShift: ChromaShift) -> AVPixelFormat {
    if family == .rgb { return depth > 8 ? AV_PIX_FMT_RGB48LE : AV_PIX_FMT_RGB24 }
    var best: (format: AVPixelFormat, depth: Int)?
    var next = av_pix_fmt_desc_next(nil)
    while let descriptor = next {
      next = av_pix_fmt_desc_next(descriptor)
      let form = SampleForm(av_pix_fmt_desc_get_id(descriptor))
      guard form.family == family, form.chromaShift == chromaShift, let layout = SampleLayout(form.format),
        descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) == 0, layout.isPlain, layout.bits == form.depth,
        !ScalerSource.withoutJPEGRange(form.format).1, sws_isSupportedOutput(form.format) != 0
      else { continue }
      if let best, best.depth >= depth ? form.depth < depth || form.depth >= best.depth : form.depth <= best.depth { continue }
      best = (form.format, form.depth)
    }
    return best?.format ?? (family == .yuv ? AV_PIX_FMT_YUV444P16LE : AV_PIX_FMT_GRAY16LE)
  }

  /// The pixel format, matrix, range and transfer function in words.
  var text: String {
    var parts = [av_get_pix_fmt_name(format).map { String(cString: $0) } ?? "unknown"]
    if family == .yuv { parts.append(Self.name(ofMatrix: matrix)) }
    if family != .rgb { parts.append(isFullRange ? "full range" : "limited range") }
    if let light { parts.append(light.transfer == .pq ? "PQ" : "HLG") }
    return parts.joined(separator: ", ")
  }

  private static func name(ofMatrix matrix: Int32) -> String {
    switch matrix {
    case SWS_CS_ITU709: "BT.709"
    case SWS_CS_SMPTE240M: "SMPTE 240M"
    case SWS_CS_FCC: "FCC"
    case SWS_CS_BT2020: "BT.2020"
    default: "BT.601"
    }
  }
}
