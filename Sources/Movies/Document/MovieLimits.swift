/// Limits of movie files.
package enum MovieLimits {
  /// Bytes of the file.
  static let fileBytes = 32 << 20
  /// Pieces; also overlays, markers and chapters.
  static let pieces = 100_000
  /// Bytes of a text or a name.
  package static let textBytes = 16_384
  /// Bytes of a path.
  static let pathBytes = 4096
  /// Bytes of foreign JSON in one YAML value.
  static let foreignBytes = fileBytes
  /// Warnings that are listed; the rest are counted.
  static let remarks = 100
  /// Seconds of one time, in either direction, so that the largest possible sums still fit in `MediaTime`.
  static let seconds: Int64 = 1 << 41
  /// Pixels a side.
  static let side = 16_384
  /// Pixels of a frame, which is held several times: 8192 × 8192.
  static let area = 1 << 26
  /// The limit of a size, as text.
  static let sizeText = "at most \(side) a side and \(area >> 20) megapixels"
}
