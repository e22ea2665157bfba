import CFFmpeg
import Pixels

/// Owns one `SwsContext`, with the key that it was created for.
final class SwsOwner {
  struct Key: Hashable {
    var source: PixelSize
    var sourceFormat: Int32
    var target: PixelSize
    var targetFormat: Int32
    /// libswscale's number of the colour matrix; −1 if there is none.
    var matrix: Int32
    var isFullRange: Bool
    var flags: Int32
    /// The matrix of the output: −1, and full range, for RGB.
    var targetMatrix: Int32 = -1
    var targetIsFullRange = true
  }

  let key: Key
  let pointer: OpaquePointer

  init(_ key: Key) throws {
    _ = LibavLog.isSilentByDefault
    self.key = key
    guard let pointer = sws_alloc_context() else { throw AVError.outOfMemory("scaling the frame") }
    self.pointer = pointer
    Self.set(key, of: pointer)
    try AVError.check(Self.withFilter(for: key) { sws_init_context(pointer, $0, nil) }, "scaling the frame")
    if key.matrix >= 0 || key.targetMatrix >= 0,
      let source = sws_getCoefficients(key.matrix >= 0 ? key.matrix : SWS_CS_DEFAULT),
      let target = sws_getCoefficients(key.targetMatrix >= 0 ? key.targetMatrix : SWS_CS_DEFAULT) {
      // A negative result (−1) means that the formats need no matrix.
      sws_setColorspaceDetails(
        pointer, source, key.isFullRange ? 1 : 0, target, key.targetIsFullRange ? 1 : 0, 0, 1 << 16, 1 << 16)
    }
  }

  deinit { sws_freeContext(pointer) }

  private static func set(_ key: Key, of context: OpaquePointer) {
    func set(_ name: String, _ value: Int) { av_opt_set_int(UnsafeMutableRawPointer(context), name, Int64(value), 0) }
    set("srcw", key.source.width)
    set("srch", key.source.height)
    set("src_format", Int(key.sourceFormat))
    set("dstw", key.target.width)
    set("dsth", key.target.height)
    set("dst_format", Int(key.targetFormat))
    set("sws_flags", Int(key.flags))
    // Where both have a range, libswscale chooses how to convert before the colours are set: if it took them for equal, it would
    // copy the values.
    guard key.matrix >= 0, key.targetMatrix >= 0 else { return }
    set("src_range", key.isFullRange ? 1 : 0)
    set("dst_range", key.targetIsFullRange ? 1 : 0)
  }

  /// 8-bit grey of unchanged size goes through a lookup table that ignores limited range. A filter, even one that changes
  /// nothing, makes libswscale take its slow path.
  private static func withFilter(
    for key: Key, _ body: (UnsafeMutablePointer<SwsFilter>?) -> Int32
  ) -> Int32 {
    guard key.sourceFormat == AV_PIX_FMT_GRAY8.rawValue, !key.isFullRange, key.source == key.target,
      let vector = sws_allocVec(3)
    else { return body(nil) }
    defer { sws_freeVec(vector) }
    for (i, coefficient) in [0.0, 1, 0].enumerated() { vector.pointee.coeff[i] = coefficient }
    var filter = SwsFilter(lumH: vector, lumV: nil, chrH: nil, chrV: nil)
    return body(&filter)
  }

  /// Returns scaling flags: averaging when shrinking, smooth when enlarging.
  ///
  /// - Parameter unscaled: the method to use if the size stays the same.
  static func flags(from source: PixelSize, to target: PixelSize, unscaled: Int32) -> Int32 {
    let shrinks = target.width <= source.width && target.height <= source.height
    let method = source == target ? unscaled : shrinks ? SWS_AREA : SWS_BICUBIC
    // A separate colour for each pixel, not one for two.
    return method | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP
  }
}

/// The contexts created most recently.
struct SwsContexts {
  let capacity: Int
  private var made: [SwsOwner] = []

  init(capacity: Int) { self.capacity = capacity }

  /// Returns the context for `key`, creating it if necessary.
  ///
  /// - Throws: `AVError` if libswscale rejects the key.
  mutating func context(for key: SwsOwner.Key) throws -> SwsOwner {
    if let known = made.first(where: { $0.key == key }) { return known }
    let new = try SwsOwner(key)
    if made.count >= capacity { made.removeFirst() }
    made.append(new)
    return new
  }
}
