import CFFmpeg
import Pixels

/// The places of samples in a pixel format whose samples are whole bytes or pairs of bytes.
struct SampleLayout: Equatable {
  struct Component: Equatable {
    var plane: Int
    /// Samples of the plane from one sample of the component to the next.
    var step: Int
    /// The first sample's place in a row.
    var offset: Int
    var chromaShift = SampleForm.ChromaShift()
  }

  /// Y, U and V; R, G and B; or grey. Opacity is left out.
  var components: [Component]
  /// Bits per sample, from the lowest: those in the high bits of 16 count as 16.
  var bits: Int

  /// True for two-byte samples.
  var isWide: Bool { bits > 8 }

  /// Creates the layout of a format; nil if its samples are not whole bytes in the order of little-endian machines.
  init?(_ format: AVPixelFormat) {
    guard let descriptor = av_pix_fmt_desc_get(format)?.pointee else { return nil }
    let others = AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_BE | AV_PIX_FMT_FLAG_FLOAT
      | AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_BAYER
    guard descriptor.flags & UInt64(others) == 0, format != AV_PIX_FMT_XYZ12LE else { return nil }
    let hasOpacity = descriptor.flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0
    let count = Int(descriptor.nb_components) - (hasOpacity ? 1 : 0)
    let all = [descriptor.comp.0, descriptor.comp.1, descriptor.comp.2].prefix(count)
    guard let first = all.first, count == 1 || count == 3 else { return nil }
    bits = Int(first.depth + first.shift)
    let bytes: Int32 = bits > 8 ? 2 : 1
    guard bits == 8 || (9...16).contains(bits), all.allSatisfy({
      $0.depth + $0.shift == first.depth + first.shift && $0.shift == first.shift && $0.step % bytes == 0
        && $0.offset % bytes == 0 && $0.step > 0
    }) else { return nil }
    let isRGB = descriptor.flags & UInt64(AV_PIX_FMT_FLAG_RGB) != 0
    let shift = SampleForm.ChromaShift(across: Int(descriptor.log2_chroma_w), down: Int(descriptor.log2_chroma_h))
    components = all.enumerated().map { i, component in
      Component(
        plane: Int(component.plane), step: Int(component.step / bytes), offset: Int(component.offset / bytes),
        chromaShift: i == 0 || isRGB ? SampleForm.ChromaShift() : shift)
    }
  }

  init(components: [Component], bits: Int) {
    self.components = components
    self.bits = bits
  }

  /// True if each component has a plane of its own, in order.
  var isPlain: Bool {
    components.enumerated().allSatisfy { $1.plane == $0 && $1.step == 1 && $1.offset == 0 }
  }

  /// The same without all but the first component.
  var brightness: SampleLayout { SampleLayout(components: Array(components.prefix(1)), bits: bits) }
}

/// Planes of samples in memory that something else owns.
struct SamplePlanes {
  var bytes: [UnsafePointer<UInt8>?]
  /// In bytes.
  var strides: [Int]
  var size: PixelSize
  var layout: SampleLayout

  /// Returns the planes of a frame in a format with a layout.
  ///
  /// - Throws: `AVError` if a plane is missing.
  init(_ frame: UnsafeMutablePointer<AVFrame>, _ layout: SampleLayout) throws {
    let source = try ScalerSource(whole: frame)
    bytes = source.planes
    strides = source.strides.map { Int($0) }
    size = source.size
    self.layout = layout
    guard layout.components.allSatisfy({ bytes[$0.plane] != nil }) else {
      throw AVError(code: qd_averror_invaliddata(), context: "comparing the frames")
    }
  }

  /// The same without all but the first component.
  var brightness: SamplePlanes {
    var planes = self
    planes.layout = layout.brightness
    return planes
  }

  /// Creates one plane.
  init(grey bytes: UnsafePointer<UInt8>, stride: Int, size: PixelSize, bits: Int) {
    self.bytes = [bytes]
    strides = [stride]
    self.size = size
    layout = SampleLayout(components: [SampleLayout.Component(plane: 0, step: 1, offset: 0)], bits: bits)
  }
}
