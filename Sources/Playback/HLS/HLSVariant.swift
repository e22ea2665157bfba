import Pixels

/// A variant of a multivariant playlist: the same content at one bit rate and size.
struct HLSVariant: Hashable, Sendable {
  /// The address of its media playlist, as in the playlist: relative to the playlist's own.
  let uri: String
  /// Peak bit rate in bits per second, with the most demanding of its renditions; 0 if not given.
  let bandwidth: Int
  /// Average bit rate in bits per second; nil if not given.
  let averageBandwidth: Int?
  /// Codecs as in RFC 6381, such as "avc1.64001f"; empty if not given.
  let codecs: [String]
  /// Size of its frames; nil if not given.
  let resolution: PixelSize?
  /// The highest frame rate in frames per second; nil if not given.
  let frameRate: Double?
  /// "SDR", "HLG" or "PQ"; nil if not given.
  let videoRange: String?
  /// The author's measure of quality; nil if not given.
  let score: Double?
  /// A name for people; untrusted text, nil if not given.
  let name: String?
  /// The groups of renditions that belong to it; nil if there is none.
  let audio, video, subtitles, closedCaptions: String?

  /// Creates a variant from the attributes of its tag.
  init(_ attributes: HLSAttributes, uri: String) {
    self.uri = uri
    bandwidth = attributes.integer("BANDWIDTH") ?? 0
    averageBandwidth = attributes.integer("AVERAGE-BANDWIDTH")
    codecs = attributes.parts("CODECS")
    resolution = attributes.size("RESOLUTION")
    frameRate = attributes.number("FRAME-RATE").flatMap { $0 > 0 ? $0 : nil }
    videoRange = attributes.text("VIDEO-RANGE")
    score = attributes.number("SCORE")
    name = attributes.text("NAME")
    audio = attributes.text("AUDIO")
    video = attributes.text("VIDEO")
    subtitles = attributes.text("SUBTITLES")
    closedCaptions = attributes.text("CLOSED-CAPTIONS").flatMap { $0 == "NONE" ? nil : $0 }
  }

  /// True if the codecs are known and all are of sound.
  var isAudioOnly: Bool {
    resolution == nil && !codecs.isEmpty && codecs.map { $0.lowercased() }.allSatisfy { codec in
      Self.soundCodecs.contains { codec.hasPrefix($0) }
    }
  }

  private static let soundCodecs = [
    "mp4a", "ac-3", "ec-3", "ac-4", "opus", "flac", "alac", "mp3", "vorbis", "dts", "mha1", "mhm1",
  ]
}
