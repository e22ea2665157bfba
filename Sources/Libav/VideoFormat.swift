import CFFmpeg
import Pixels

/// The format of coded frames, in libav's names; empty or "unknown" if unspecified.
public struct VideoFormat: Hashable, Sendable {
  /// Size of the coded frames.
  public var size: PixelSize
  public var pixelFormat: String
  /// Width divided by height of a pixel.
  public var sampleAspectRatio: Ratio
  public var colorSpace: String
  public var colorTransfer: String
  public var colorPrimaries: String
  public var colorRange: String

  public init(
    size: PixelSize, pixelFormat: String, sampleAspectRatio: Ratio = Ratio(1, 1), colorSpace: String = "",
    colorTransfer: String = "", colorPrimaries: String = "", colorRange: String = ""
  ) {
    self.size = size
    self.pixelFormat = pixelFormat
    self.sampleAspectRatio = sampleAspectRatio
    self.colorSpace = colorSpace
    self.colorTransfer = colorTransfer
    self.colorPrimaries = colorPrimaries
    self.colorRange = colorRange
    adaptRange()
  }

  /// Returns true if libav has a pixel format of this name that frames in memory can use.
  public static func isPixelFormat(_ name: String) -> Bool {
    let format = av_get_pix_fmt(name)
    guard format != AV_PIX_FMT_NONE, let descriptor = av_pix_fmt_desc_get(format) else { return false }
    return descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_HWACCEL) == 0
  }

  /// Returns the same format with another pixel format.
  func with(pixelFormat format: AVPixelFormat) -> VideoFormat {
    var result = self
    result.pixelFormat = av_get_pix_fmt_name(format).map(String.init(cString:)) ?? pixelFormat
    result.adaptRange()
    return result
  }

  /// The old "J" formats equal their plain counterparts with full range; RGB has no matrix and uses full range.
  private mutating func adaptRange() {
    let (plain, isFull) = ScalerSource.withoutJPEGRange(av_get_pix_fmt(pixelFormat))
    if isFull, let name = av_get_pix_fmt_name(plain) {
      pixelFormat = String(cString: name)
      colorRange = "pc"
    }
    if isRGB {
      colorRange = "pc"
      colorSpace = "gbr"
    } else if colorSpace == "gbr" {
      colorSpace = ""
    }
  }

  var format: AVPixelFormat { av_get_pix_fmt(pixelFormat) }
  var isRGB: Bool { qd_pix_fmt_is_rgb(format) != 0 }
  var isFullRange: Bool { ScalerSource.isFullRange(format, range) }
  var space: AVColorSpace { Self.value(av_color_space_from_name(colorSpace), AVCOL_SPC_UNSPECIFIED) }
  var transfer: AVColorTransferCharacteristic { Self.value(av_color_transfer_from_name(colorTransfer), AVCOL_TRC_UNSPECIFIED) }
  var primaries: AVColorPrimaries { Self.value(av_color_primaries_from_name(colorPrimaries), AVCOL_PRI_UNSPECIFIED) }
  var range: AVColorRange { Self.value(av_color_range_from_name(colorRange), AVCOL_RANGE_UNSPECIFIED) }
  /// libswscale's number of the colour matrix, guessed if unspecified; −1 for RGB.
  var matrix: Int32 { isRGB ? -1 : ScalerSource.matrix(space, size: size) }

  private static func value<T: RawRepresentable>(_ found: Int32, _ unknown: T) -> T where T.RawValue == UInt32 {
    found < 0 ? unknown : T(rawValue: UInt32(found)) ?? unknown
  }

  /// Applies the colour and pixel properties to a frame.
  func mark(_ frame: UnsafeMutablePointer<AVFrame>) {
    frame.pointee.format = format.rawValue
    frame.pointee.colorspace = space
    frame.pointee.color_trc = transfer
    frame.pointee.color_primaries = primaries
    frame.pointee.color_range = range
    frame.pointee.sample_aspect_ratio = AVRational(num: sampleAspectRatio.numerator, den: sampleAspectRatio.denominator)
  }
}
