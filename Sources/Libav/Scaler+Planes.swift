import CFFmpeg
import Pixels

/// Single planes of frames, in grey.
extension Scaler {
  /// Frames in RGB have no such planes: they are converted to 8-bit Y′CbCr first, with the matrix of BT.709 and full range.
  /// Their opacity is taken as it is, except from palettes and the like, which are converted to 8 bits too.
  func scalePlane(of frame: DecodedFrame, to request: ScaleRequest) throws -> PixelImage {
    var whole = try ScalerSource(limited: frame.pointer)
    let field = ScalerSource.field(of: frame.pointer, request.fields)
    if !ComponentLayout.isReadable(whole.format, request.plane) {
      whole = try converter.convert(whole, toRGB: request.plane == .alpha)
    }
    guard var source = try planes.extract(whole, request: request, field: request.fields == .bob ? nil : field) else {
      let grey: UInt8 = request.plane == .alpha ? 255 : 128
      return PixelImage(size: request.size) { $0.update(repeating: grey) }
    }
    if let field, request.fields == .bob { source = try interpolator.interpolate(source, keeping: field) }
    guard request.magnifies(source.size) else { return try draw(source, to: request) }
    var native = request
    (native.size, native.orientation) = (source.size, .upright)
    return try draw(source, to: native).magnified(PixelRect(size: source.size), to: request)
  }
}
