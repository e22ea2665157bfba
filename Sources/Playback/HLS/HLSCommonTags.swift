/// The tags that both kinds of playlists may have.
struct HLSCommonTags {
  /// The protocol version; nil if not given.
  private(set) var version: Int?
  /// True if each segment can be decoded without the ones before it.
  private(set) var hasIndependentSegments = false
  /// The point to start at; nil if not given.
  private(set) var start: HLSStart?

  /// Reads a tag; others are ignored.
  mutating func apply(_ tag: HLSTag, _ value: ArraySlice<UInt8>, _ variables: inout HLSVariables) throws(HLSPlaylistError) {
    switch tag {
    case .version: version = HLSNumber.integer(value)
    case .independentSegments: hasIndependentSegments = true
    case .start: start = try HLSStart(HLSAttributes(value, &variables))
    case .define: try variables.define(HLSAttributes(value, &variables))
    default: return
    }
  }
}
