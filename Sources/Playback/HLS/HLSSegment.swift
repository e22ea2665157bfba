/// A segment of a media playlist, with everything that applies to it.
struct HLSSegment: Hashable, Sendable {
  /// The media sequence number, by which the segment is known while a live playlist moves on.
  let sequence: Int
  /// The address, as in the playlist: relative to the playlist's own.
  let uri: String
  /// Untrusted text; empty if there is none.
  let title: String
  /// The announced duration.
  let duration: MediaTime
  /// The part of the resource that is the segment; nil for all of it.
  let byteRange: Range<Int64>?
  /// True if the segment is missing on the server and must not be requested.
  let isGap: Bool
  /// The discontinuity sequence number; between segments with different ones, timestamps, formats and tracks may change.
  let discontinuity: Int
  /// The encryption of the segment's bytes.
  let encryption: HLSEncryption
  /// The initialization section to read before the segment; nil if it needs none.
  let map: HLSMap?
  /// The date and time of the segment's start, as time since 1970 in UTC; nil if the playlist gives no dates.
  let date: MediaTime?
  /// The approximate bit rate in bits per second; nil if the playlist does not announce it.
  let bitrate: Int?
}

/// An initialization section: what libavformat reads before a segment, such as the header of a fragmented MP4.
struct HLSMap: Hashable, Sendable {
  /// The address, as in the playlist.
  let uri: String
  /// The part of the resource that is the section; nil for all of it.
  let byteRange: Range<Int64>?
  /// The encryption of the section's bytes.
  let encryption: HLSEncryption
}

/// The encryption of a segment or an initialization section.
enum HLSEncryption: Hashable, Sendable {
  /// Not encrypted.
  case none
  /// AES in CBC mode with PKCS7 padding: the address of the key, as in the playlist, and the 16 bytes to begin with.
  case aes128(keyURI: String, initializationVector: [UInt8])
  /// An encryption that cannot be removed, by its name in the playlist, which is untrusted text.
  case unsupported(method: String)
}
