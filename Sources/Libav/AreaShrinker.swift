import CFFmpeg
import CPixelLoops
import Pixels

/// Shrinks planar frames to half their size or less, by averaging the samples that each pixel covers, with fractional
/// weights at its edges. Colour has the same resolution as brightness.
///
/// libswscale handles the rest: other formats, less shrinking, enlarging. Where both can do it, this takes less time, and
/// libswscale's fast path to RGB has one colour for two adjacent pixels.
struct AreaShrinker: ~Copyable {
  /// A small image with 16 bits per sample and all planes of the same size. Valid until the next call; grey images lack
  /// colours.
  struct Planes {
    var luma: UnsafeMutablePointer<UInt16>
    var chroma: (u: UnsafeMutablePointer<UInt16>, v: UnsafeMutablePointer<UInt16>)?
    var size: PixelSize
    var matrix: Int32
    var isFullRange: Bool
    /// Bits per sample of the source.
    var bits: Int
  }

  private var memory = AlignedBuffer()
  private var scratch: [Float] = []
  /// For each plane.
  private var shares = [Shares](repeating: Shares(), count: 3)

  /// The columns and rows of a plane that each pixel covers; usually the same for the next frame.
  private struct Shares {
    private var across: Axis?
    private var down: Axis?
    private(set) var columns: [qd_share] = []
    private(set) var weights: [Float] = []
    private(set) var taps = 0
    private(set) var rows: [qd_share] = []

    /// `length` pixels of the frame, with each sample covering 2^`shift` of them, divided into `parts`.
    struct Axis: Equatable {
      var length: Int
      var parts: Int
      var shift: Int

      var sampleCount: Int { (length + (1 << shift) - 1) >> shift }

      fileprivate var shares: [qd_share] {
        let axis = qd_axis(samples: sampleCount, span: Double(length) / Double(1 << shift), parts: parts)
        var shares = [qd_share](repeating: qd_share(), count: parts)
        qd_divide(axis, &shares)
        return shares
      }
    }

    mutating func divide(across: Axis, down: Axis) {
      if self.across != across {
        self.across = across
        columns = across.shares
        taps = qd_taps(columns, across.parts)
        weights = [Float](repeating: 0, count: taps * across.parts)
        qd_weigh(columns, across.parts, taps, &weights)
      }
      if self.down != down {
        self.down = down
        rows = down.shares
      }
    }
  }

  /// Returns the image at `target`'s size; nil if libswscale must do it.
  ///
  /// - Throws: `AVError` if memory runs out.
  mutating func shrink(_ source: ScalerSource, to target: PixelSize) throws -> Planes? {
    guard target.width * 2 <= source.size.width, target.height * 2 <= source.size.height,
      let format = PlanarFormat(source.format)
    else { return nil }
    let count = target.width * target.height
    let stride = try memory.reserve(rowBytes: count * 2, rows: format.hasChroma ? 3 : 1)
    func output(_ i: Int, _ base: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt16> {
      UnsafeMutableRawPointer(base + i * stride).assumingMemoryBound(to: UInt16.self)
    }
    let base = memory.base
    var planes = Planes(
      luma: output(0, base), size: target, matrix: source.matrix, isFullRange: source.isFullRange, bits: format.bits)
    guard shrink(source, 0, format.luma, format, to: [planes.luma], target) else { return nil }
    if format.hasChroma {
      let u = output(1, base), v = output(2, base)
      planes.chroma = (u, v)
      for (plane, outputs) in format.chromaPlanes(u, v) {
        guard shrink(source, plane, format.chroma, format, to: outputs, target) else { return nil }
      }
    }
    return planes
  }

  /// Averages one plane into as many outputs as it has interleaved samples per pixel.
  private mutating func shrink(
    _ source: ScalerSource, _ plane: Int, _ layout: PlanarFormat.Plane, _ format: PlanarFormat,
    to outputs: [UnsafeMutablePointer<UInt16>?], _ target: PixelSize
  ) -> Bool {
    guard let bytes = source.planes[plane], !format.isWide || source.strides[plane] % 2 == 0 else { return false }
    let across = Shares.Axis(length: source.size.width, parts: target.width, shift: layout.shiftAcross)
    let down = Shares.Axis(length: source.size.height, parts: target.height, shift: layout.shiftDown)
    shares[plane].divide(across: across, down: down)
    let shares = shares[plane]
    let needed = 3 * outputs.count * (across.sampleCount + shares.taps)
    if scratch.count < needed { scratch = [Float](repeating: 0, count: needed) }
    let samples = qd_plane(
      bytes: bytes, stride: Int(source.strides[plane]), samples: across.sampleCount, step: outputs.count,
      bits: Int32(format.bits))
    let shrink = format.isWide ? qd_shrink_16 : qd_shrink_8
    shares.columns.withUnsafeBufferPointer { columns in
      shares.weights.withUnsafeBufferPointer { weights in
        let columns = qd_columns(
          shares: columns.baseAddress, weights: weights.baseAddress, count: target.width, taps: shares.taps)
        shrink(samples, columns, shares.rows, target.height, outputs, &scratch)
      }
    }
    return true
  }
}

extension AreaShrinker.Planes {
  /// Writes the image as rows of bytes B, G, R, 0.
  func convert(into bytes: UnsafeMutablePointer<UInt8>, stride: Int) {
    let matrix = rgbMatrix
    for y in 0..<size.height {
      let i = y * size.width
      qd_yuv_to_bgr0(
        luma + i, chroma.map { UnsafePointer($0.u + i) }, chroma.map { UnsafePointer($0.v + i) }, size.width, matrix,
        bytes + y * stride)
    }
  }

  /// libswscale's matrices for BT.601 and the like, as 16.16 numbers for limited range.
  private var rgbMatrix: qd_yuv_matrix {
    let largest = Double((1 << bits) - 1) * Double(1 << (16 - bits))
    let light = isFullRange ? 255 / largest : 255 / (219 * 256)
    let colour = isFullRange ? 224 / largest : 1.0 / 256
    func factor(_ i: Int) -> Float {
      let coefficients = sws_getCoefficients(max(0, matrix))
      return Float(Double(coefficients?[i] ?? 0) / 65536 * colour)
    }
    return qd_yuv_matrix(
      black: isFullRange ? 0 : 16 * 256, y: Float(light), red_v: factor(0), green_u: -factor(2), green_v: -factor(3),
      blue_u: factor(1))
  }
}

/// The layout of a planar format's samples, if they can be averaged separately.
private struct PlanarFormat {
  struct Plane {
    var shiftAcross = 0
    var shiftDown = 0
  }

  var bits: Int
  let luma = Plane()
  var chroma: Plane
  var hasChroma: Bool
  private var isInterleaved = false
  private var isUFirst = true

  /// True for two-byte samples.
  var isWide: Bool { bits > 8 }

  init?(_ format: AVPixelFormat) {
    guard let descriptor = av_pix_fmt_desc_get(format)?.pointee else { return nil }
    let others = AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_BE | AV_PIX_FMT_FLAG_FLOAT
      | AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_ALPHA
    guard descriptor.flags & UInt64(others) == 0 else { return nil }
    let (y, u, v) = (descriptor.comp.0, descriptor.comp.1, descriptor.comp.2)
    // Some formats have their samples in the high bits.
    bits = Int(y.depth + y.shift)
    let bytes: Int32 = bits > 8 ? 2 : 1
    guard bits == 8 || (9...16).contains(bits), y.plane == 0, y.step == bytes, y.offset == 0 else { return nil }
    hasChroma = descriptor.nb_components == 3
    chroma = Plane(shiftAcross: Int(descriptor.log2_chroma_w), shiftDown: Int(descriptor.log2_chroma_h))
    guard hasChroma else {
      if descriptor.nb_components != 1 { return nil }
      return
    }
    guard u.depth + u.shift == y.depth + y.shift, v.depth + v.shift == y.depth + y.shift, u.step == v.step else {
      return nil
    }
    if u.plane == 1, v.plane == 2, u.step == bytes, u.offset == 0, v.offset == 0 { return }
    guard u.plane == 1, v.plane == 1, u.step == 2 * bytes, abs(u.offset - v.offset) == bytes else { return nil }
    isInterleaved = true
    isUFirst = u.offset < v.offset
  }

  /// Returns the indices of the colour planes, and where their samples go.
  func chromaPlanes(
    _ u: UnsafeMutablePointer<UInt16>, _ v: UnsafeMutablePointer<UInt16>
  ) -> [(Int, [UnsafeMutablePointer<UInt16>?])] {
    isInterleaved ? [(1, isUFirst ? [u, v] : [v, u])] : [(1, [u]), (2, [v])]
  }
}
