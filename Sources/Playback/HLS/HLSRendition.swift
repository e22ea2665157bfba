/// A rendition of a multivariant playlist: sound, subtitles or another view that belongs to variants.
struct HLSRendition: Hashable, Sendable {
  /// The kind of media.
  enum Kind: String, Sendable {
    case audio = "AUDIO"
    case video = "VIDEO"
    case subtitles = "SUBTITLES"
    case closedCaptions = "CLOSED-CAPTIONS"
  }

  /// The kind of media.
  let kind: Kind
  /// The group, which variants refer to.
  let group: String
  /// A name for people; untrusted text, empty if not given.
  let name: String
  /// The language tag; untrusted text, nil if not given.
  let language: String?
  /// True if it is played unless the user selects another one.
  let isDefault: Bool
  /// True if it may be selected by the user's languages.
  let isAutoselected: Bool
  /// True for subtitles that are essential to understand the content.
  let isForced: Bool
  /// Uniform type identifiers, such as "public.accessibility.describes-video".
  let characteristics: [String]
  /// Number of sound channels; 0 if unknown.
  let channelCount: Int
  /// The captions' channel in the video, such as "CC1"; nil for other kinds.
  let captionChannel: String?
  /// The address of its media playlist, as in the playlist; nil if the variants themselves contain it.
  let uri: String?

  /// Creates a rendition from the attributes of its tag; nil if its kind is unknown or it belongs to no group.
  init?(_ attributes: HLSAttributes) {
    guard let kind = Kind(rawValue: attributes["TYPE"] ?? ""), let group = attributes.text("GROUP-ID") else { return nil }
    self.kind = kind
    self.group = group
    name = attributes["NAME"] ?? ""
    language = attributes.text("LANGUAGE")
    isDefault = attributes.isYes("DEFAULT")
    isAutoselected = isDefault || attributes.isYes("AUTOSELECT")
    isForced = attributes.isYes("FORCED")
    characteristics = attributes.parts("CHARACTERISTICS")
    // "6/JOC" has parameters after the number.
    let channels = (attributes.bytes("CHANNELS") ?? []).prefix { $0 != UInt8(ascii: "/") }
    channelCount = min(HLSNumber.integer(channels) ?? 0, 1024)
    captionChannel = attributes.text("INSTREAM-ID")
    uri = attributes.text("URI")
  }
}
