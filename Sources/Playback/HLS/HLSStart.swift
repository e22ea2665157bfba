/// The point at which a playlist asks to be started (EXT-X-START).
struct HLSStart: Hashable, Sendable {
  /// Nanoseconds from the beginning of the playlist; if negative, from its end.
  let offset: Int64
  /// True if playback starts exactly there, rather than with the segment that contains the point.
  let isPrecise: Bool

  /// Nil without a valid offset.
  init?(_ attributes: HLSAttributes) {
    guard let offset = attributes.nanoseconds("TIME-OFFSET") else { return nil }
    self.offset = min(max(offset, -HLSLimits.duration), HLSLimits.duration)
    isPrecise = attributes.isYes("PRECISE")
  }
}
