/// What a movie's file can have at the most.
enum MovieLimits {
  /// Bytes of the file.
  static let fileBytes = 32 << 20
  /// Pieces; overlays, markers and chapters, too.
  static let pieces = 100_000
  /// Bytes of a text or a name.
  static let textBytes = 16_384
  /// Bytes of a path.
  static let pathBytes = 4096
  /// Bytes of what another program's file said of one thing, as YAML carries it.
  static let foreignBytes = fileBytes
  /// Remarks that are told; the rest is counted.
  static let remarks = 100
  /// Seconds of one time, in either direction: sums of so many as there may be fit where times are kept.
  static let seconds: Int64 = 1 << 41
  /// Pixels a side.
  static let side = 16_384
}
