import CFFmpeg
import Pixels

/// Draws measurements of frames, at their own depth.
///
/// Of large frames, it reads only every nth line, so that about a quarter of a million values are counted, or half as many if
/// they are converted first: RGB histograms are counted after a conversion to 8 bits, without tone mapping, as are other scopes of
/// frames in RGB, with BT.709's matrix and full range.
/// Not thread-safe.
public final class FrameScopes {
  private var converter = EightBitConverter()

  public init() {}

  /// - Parameters:
  ///   - region: the part of the displayed frame to measure.
  ///   - orientation: as the frame is displayed.
  ///   - size: of the image.
  /// - Throws: `AVError` if libswscale does not know the pixel format, or memory runs out.
  public func image(
    _ scope: FrameScope, of frame: DecodedFrame, region: FrameRegion = .whole, orientation: Orientation = .upright,
    size: PixelSize
  ) throws -> PixelImage {
    var request = ScaleRequest(size: size, orientation: orientation)
    (request.region, request.fields) = (region, .weave)
    return try image(scope, of: ScalerSource(frame.pointer, request: request), orientation, size)
  }

  /// - Throws: as for frames.
  public func image(_ scope: FrameScope, of image: PixelImage, size: PixelSize) throws -> PixelImage {
    try image.withBytes { try self.image(scope, of: ScalerSource(rgb: $0, size: image.size), .upright, size) }
  }

  private func image(
    _ scope: FrameScope, of source: ScalerSource, _ orientation: Orientation, _ size: PixelSize
  ) throws -> PixelImage {
    let isRGB = scope == .rgbHistogram
    var source = source
    if isRGB || !ComponentLayout.isReadable(source.format, .luma) {
      source.thin(to: ScopeCounts.maxCount / 2)
      source = try converter.convert(source, toRGB: isRGB)
    }
    switch scope {
    case .histogram: return ScopeDrawing.histogram([ScopeCounts.histogram(source, .luma)], size: size)
    case .rgbHistogram:
      // In RGB, the three planes are those of red, green and blue.
      return ScopeDrawing.histogram([.luma, .cb, .cr].map { ScopeCounts.histogram(source, $0) }, size: size)
    case .waveform:
      return ScopeDrawing.density(ScopeCounts.waveform(source, orientation, size: size), size: size) { _, _ in (255, 255, 255) }
    case .vectorscope:
      return ScopeDrawing.density(ScopeCounts.vectorscope(source, size: size), size: size) { x, y in
        ScopeDrawing.hue(cb: Float(x) / Float(size.width) - 0.5, cr: Float(y) / Float(size.height) - 0.5)
      }
    }
  }
}

extension ScalerSource {
  /// Leaves every nth line, so that no more than a number of pixels remain, as far as whole lines allow.
  mutating func thin(to count: Int) {
    let n = max(1, min(size.height, (size.area + count - 1) / count))
    for i in 0..<4 where strides.indices.contains(i) && !(i == 1 && isPaletted) { strides[i] *= Int32(n) }
    size.height = max(1, size.height / n)
  }

  private var isPaletted: Bool {
    av_pix_fmt_desc_get(format).map { $0.pointee.flags & UInt64(AV_PIX_FMT_FLAG_PAL) != 0 } ?? false
  }
}
