import CFFmpeg
import Pixels

/// Owns one `SwsContext` and remembers what it was made for.
final class SwsOwner {
  struct Key: Hashable {
    var source: PixelSize
    var sourceFormat: Int32
    var target: PixelSize
    var targetFormat: Int32
    /// libswscale's number of the colour matrix; −1 where there is none.
    var matrix: Int32
    var isFullRange: Bool
    var flags: Int32
    /// Of what comes out: −1, and full range, for RGB.
    var targetMatrix: Int32 = -1
    var targetIsFullRange = true
  }

  let key: Key
  let pointer: OpaquePointer

  init(_ key: Key) throws {
    self.key = key
    guard
      let pointer = sws_getContext(
        Int32(key.source.width), Int32(key.source.height), AVPixelFormat(rawValue: key.sourceFormat),
        Int32(key.target.width), Int32(key.target.height), AVPixelFormat(rawValue: key.targetFormat),
        key.flags, nil, nil, nil)
    else { throw AVError(code: qd_averror(EINVAL), context: "scaling the frame") }
    self.pointer = pointer
    if key.matrix >= 0 || key.targetMatrix >= 0,
      let source = sws_getCoefficients(key.matrix >= 0 ? key.matrix : SWS_CS_DEFAULT),
      let target = sws_getCoefficients(key.targetMatrix >= 0 ? key.targetMatrix : SWS_CS_DEFAULT) {
      // A refusal (−1) means the formats need no matrix.
      sws_setColorspaceDetails(
        pointer, source, key.isFullRange ? 1 : 0, target, key.targetIsFullRange ? 1 : 0, 0, 1 << 16, 1 << 16)
    }
  }

  deinit { sws_freeContext(pointer) }
}
