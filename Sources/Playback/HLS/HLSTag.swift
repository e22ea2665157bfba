/// The tags of playlists, by their names; those that are not listed are ignored.
enum HLSTag: String {
  // Any playlist.
  case version = "EXT-X-VERSION"
  case independentSegments = "EXT-X-INDEPENDENT-SEGMENTS"
  case start = "EXT-X-START"
  case define = "EXT-X-DEFINE"

  // The segments of media playlists.
  case segment = "EXTINF"
  case byteRange = "EXT-X-BYTERANGE"
  case discontinuity = "EXT-X-DISCONTINUITY"
  case key = "EXT-X-KEY"
  case map = "EXT-X-MAP"
  case date = "EXT-X-PROGRAM-DATE-TIME"
  case gap = "EXT-X-GAP"
  case bitrate = "EXT-X-BITRATE"
  case skip = "EXT-X-SKIP"

  // Media playlists as a whole.
  case targetDuration = "EXT-X-TARGETDURATION"
  case mediaSequence = "EXT-X-MEDIA-SEQUENCE"
  case discontinuitySequence = "EXT-X-DISCONTINUITY-SEQUENCE"
  case endList = "EXT-X-ENDLIST"
  case playlistType = "EXT-X-PLAYLIST-TYPE"
  case iFramesOnly = "EXT-X-I-FRAMES-ONLY"
  case serverControl = "EXT-X-SERVER-CONTROL"

  // Multivariant playlists.
  case media = "EXT-X-MEDIA"
  case variant = "EXT-X-STREAM-INF"
  case iFrameVariant = "EXT-X-I-FRAME-STREAM-INF"
}
