/// A media playlist: the segments of one rendition, in order.
struct HLSMediaPlaylist: Sendable {
  /// A promise about how a live playlist changes.
  enum Kind: String, Sendable {
    /// Segments are only added.
    case event = "EVENT"
    /// Nothing changes.
    case video = "VOD"
  }

  /// The playlist's own address, to which others in it are relative.
  let address: String
  /// The protocol version; nil if not given.
  var version: Int?
  /// True if each segment can be decoded without the ones before it.
  var hasIndependentSegments = false
  /// The point to start at; nil if not given.
  var start: HLSStart?
  /// The longest duration of a segment in nanoseconds, as announced; else the longest there is. At least one second.
  var targetDuration: Int64 = 0
  /// The kind of playlist; nil if not given.
  var kind: Kind?
  /// True if no segments will be added.
  var isEnded = false
  /// True if each segment is a single frame, for trick play.
  var isIFramesOnly = false
  /// The least distance from the end of a live playlist at which to play, in nanoseconds; nil if not given.
  var holdBack: Int64?
  /// The segments; empty in a live playlist that has just begun.
  var segments: HLSSegmentList
}
