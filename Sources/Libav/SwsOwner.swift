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
    let created = Self.withFilter(for: key) { filter in
      sws_getContext(
        Int32(key.source.width), Int32(key.source.height), AVPixelFormat(rawValue: key.sourceFormat),
        Int32(key.target.width), Int32(key.target.height), AVPixelFormat(rawValue: key.targetFormat),
        key.flags, filter, nil, nil)
    }
    guard let pointer = created else { throw AVError(code: qd_averror(EINVAL), context: "scaling the frame") }
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

  /// Grey of 8 bits in its own size goes through a table of greys, which knows no limited range. A filter, be it one that changes
  /// nothing, makes libswscale take its long way.
  private static func withFilter(
    for key: Key, _ body: (UnsafeMutablePointer<SwsFilter>?) -> OpaquePointer?
  ) -> OpaquePointer? {
    guard key.sourceFormat == AV_PIX_FMT_GRAY8.rawValue, !key.isFullRange, key.source == key.target,
      let vector = sws_allocVec(3)
    else { return body(nil) }
    defer { sws_freeVec(vector) }
    for (i, coefficient) in [0.0, 1, 0].enumerated() { vector.pointee.coeff[i] = coefficient }
    var filter = SwsFilter(lumH: vector, lumV: nil, chrH: nil, chrV: nil)
    return body(&filter)
  }

  /// Averages what falls into a pixel when shrinking; smooth when enlarging.
  ///
  /// - Parameter unscaled: what is done where the size stays.
  static func flags(from source: PixelSize, to target: PixelSize, unscaled: Int32) -> Int32 {
    let shrinks = target.width <= source.width && target.height <= source.height
    let method = source == target ? unscaled : shrinks ? SWS_AREA : SWS_BICUBIC
    // Each pixel with a colour of its own, not one for two.
    return method | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP
  }
}

/// The contexts that were made last.
struct SwsContexts {
  let capacity: Int
  private var made: [SwsOwner] = []

  init(capacity: Int) { self.capacity = capacity }

  /// The one for `key`, made where there is none.
  ///
  /// - Throws: `AVError` when libswscale refuses.
  mutating func context(for key: SwsOwner.Key) throws -> SwsOwner {
    if let known = made.first(where: { $0.key == key }) { return known }
    let new = try SwsOwner(key)
    if made.count >= capacity { made.removeFirst() }
    made.append(new)
    return new
  }
}
