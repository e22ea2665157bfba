/// Codecs by their names in playlists (RFC 6381).
enum HLSCodecs {
  private static let known: Set<String> = [
    "avc1", "avc3", "hvc1", "hev1", "dvh1", "dvhe", "av01", "vp09", "vp08", "mp4v", "mp4a", "ac-3", "ec-3", "opus", "flac", "fLaC",
    "Opus", "alac", "vorbis", "mp3", "wvtt", "stpp",
  ]

  /// Returns true if a codec can be decoded, as far as its name tells.
  static func canDecode(_ name: String) -> Bool { known.contains(String(name.prefix { $0 != "." })) }
}
