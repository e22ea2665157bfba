/// Bounds on playlists, which come from the network and are not trusted.
enum HLSLimits {
  /// The size of a playlist, and of all text that its variables expand to, in bytes.
  static let playlistBytes = 8 << 20
  /// The segments of a media playlist.
  static let segments = 200_000
  /// The playlists on the way to a segment: a multivariant playlist, and a media playlist.
  static let depth = 2
  /// A line's length in bytes, before and after variables are substituted.
  static let lineBytes = 1 << 16
  /// The attributes of a tag, and the parts of an attribute.
  static let attributes = 64
  /// The variants, I-frame variants and renditions of a multivariant playlist, each.
  static let entries = 2000
  /// The variables of a playlist.
  static let variables = 1000
  /// The formats in which the key of one segment is given.
  static let keyFormats = 16
  /// The duration of a segment in nanoseconds: a week.
  static let segmentDuration: Int64 = 7 * 86_400 * 1_000_000_000
  /// The duration of a media playlist in nanoseconds: ten years. Sums of a few of them fit in 64 bits.
  static let duration: Int64 = 3650 * 86_400 * 1_000_000_000
  /// Media sequence and discontinuity sequence numbers; leaves room to count on from there.
  static let sequence = 1 << 62
}
