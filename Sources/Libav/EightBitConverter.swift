import CFFmpeg
import Pixels

/// Converts frames of any format to one of 8 bits, in their own size.
struct EightBitConverter: ~Copyable {
  private var contexts = SwsContexts(capacity: 2)
  private var memory = AlignedBuffer()

  /// Returns a source in RGB with opacity, or in Y′CbCr of the matrix of BT.709 with full range; valid until the next call.
  ///
  /// - Throws: `AVError` if libswscale does not know the pixel format, or memory runs out.
  mutating func convert(_ source: ScalerSource, toRGB isRGB: Bool) throws -> ScalerSource {
    let format = isRGB ? AV_PIX_FMT_RGBA : AV_PIX_FMT_YUV444P
    let planeCount = isRGB ? 1 : 3
    let stride = try memory.reserve(rowBytes: source.size.width * (isRGB ? 4 : 1), rows: source.size.height * planeCount)
    var output = [UnsafeMutablePointer<UInt8>?](repeating: nil, count: 4)
    var strides = [Int32](repeating: 0, count: 4)
    for plane in 0..<planeCount {
      output[plane] = memory.base + plane * stride * source.size.height
      strides[plane] = Int32(stride)
    }
    let context = try contexts.context(for: SwsOwner.Key(
      source: source.size, sourceFormat: source.format.rawValue, target: source.size, targetFormat: format.rawValue,
      matrix: source.matrix, isFullRange: source.isFullRange,
      flags: SwsOwner.flags(from: source.size, to: source.size, unscaled: SWS_POINT),
      targetMatrix: isRGB ? -1 : SWS_CS_ITU709))
    var (from, fromStrides) = (source.planes, source.strides)
    let done = sws_scale(context.pointer, &from, &fromStrides, 0, Int32(source.size.height), &output, &strides)
    try AVError.check(done, "converting the frame")
    var result = source
    (result.planes, result.strides, result.format) = (output.map { $0.map { UnsafePointer($0) } }, strides, format)
    (result.matrix, result.isFullRange) = (isRGB ? -1 : SWS_CS_ITU709, true)
    return result
  }
}
