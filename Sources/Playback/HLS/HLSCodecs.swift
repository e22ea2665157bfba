/// Codecs by their names in playlists (RFC 6381).
enum HLSCodecs {
  typealias Name = (short: String, long: String)

  /// The codecs of video and of others, with libav's short names and names for people.
  private static let video: [String: Name] = [
    "avc1": ("h264", "H.264"), "avc3": ("h264", "H.264"), "hvc1": ("hevc", "HEVC"), "hev1": ("hevc", "HEVC"),
    "dvh1": ("hevc", "HEVC"), "dvhe": ("hevc", "HEVC"), "av01": ("av1", "AV1"), "vp09": ("vp9", "VP9"), "vp08": ("vp8", "VP8"),
    "mp4v": ("mpeg4", "MPEG-4 part 2"),
  ]
  private static let others: [String: Name] = [
    "mp4a": ("aac", "AAC"), "ac-3": ("ac3", "AC-3"), "ec-3": ("eac3", "E-AC-3"), "opus": ("opus", "Opus"),
    "Opus": ("opus", "Opus"),
    "flac": ("flac", "FLAC"), "fLaC": ("flac", "FLAC"), "alac": ("alac", "ALAC"), "vorbis": ("vorbis", "Vorbis"),
    "mp3": ("mp3", "MP3"),
    "wvtt": ("webvtt", "WebVTT"), "stpp": ("ttml", "TTML"),
  ]

  /// Returns true if a codec can be decoded, as far as its name tells.
  static func canDecode(_ codec: String) -> Bool { name(of: codec) != nil }

  /// Returns true for a codec of video.
  static func isVideo(_ codec: String) -> Bool { video[kind(of: codec)] != nil }

  /// Returns the names of a codec; nil if it is unknown.
  static func name(of codec: String) -> Name? { video[kind(of: codec)] ?? others[kind(of: codec)] }

  private static func kind(of codec: String) -> String { String(codec.prefix { $0 != "." }) }
}
