/// A multivariant playlist: the same content at several bit rates and sizes, with its sound and subtitles.
struct HLSMultivariantPlaylist: Sendable {
  /// The playlist's own address, to which others in it are relative.
  let address: String
  /// The protocol version; nil if not given.
  var version: Int?
  /// True if each segment can be decoded without the ones before it.
  var hasIndependentSegments = false
  /// The point to start at; nil if not given.
  var start: HLSStart?
  /// The variants, in the playlist's order; at least one.
  var variants: [HLSVariant] = []
  /// Variants that consist of keyframes only.
  var iFrameVariants: [HLSVariant] = []
  /// The renditions, in the playlist's order.
  var renditions: [HLSRendition] = []
  /// Values by name, for media playlists that import them.
  var variables: [String: String] = [:]
}

/// Builds a multivariant playlist from its lines.
struct HLSMultivariantPlaylistBuilder {
  private var playlist: HLSMultivariantPlaylist
  private var pending: HLSAttributes?

  /// True if a tag of multivariant playlists was read.
  private(set) var hasTags = false

  init(address: String) { playlist = HLSMultivariantPlaylist(address: address) }

  /// True if the next address is that of a variant.
  var expectsAddress: Bool { pending != nil }
  /// True if there is at least one variant.
  var hasVariants: Bool { expectsAddress || !playlist.variants.isEmpty }

  /// Reads a tag; those of media and of all playlists are ignored.
  mutating func apply(_ tag: HLSTag, _ value: ArraySlice<UInt8>, _ variables: inout HLSVariables) throws(HLSPlaylistError) {
    switch tag {
    case .variant: pending = try HLSAttributes(value, &variables)
    case .iFrameVariant:
      let attributes = try HLSAttributes(value, &variables)
      guard let uri = attributes.text("URI") else { break }
      try Self.add(HLSVariant(attributes, uri: uri), to: &playlist.iFrameVariants, "variants")
    case .media:
      guard let rendition = try HLSRendition(HLSAttributes(value, &variables)) else { break }
      try Self.add(rendition, to: &playlist.renditions, "renditions")
    default: return
    }
    hasTags = true
  }

  /// Adds the variant whose tag has been read.
  mutating func addVariant(_ uri: ArraySlice<UInt8>) throws(HLSPlaylistError) {
    guard let attributes = pending else { return }
    pending = nil
    try Self.add(HLSVariant(attributes, uri: String(decoding: uri, as: UTF8.self)), to: &playlist.variants, "variants")
  }

  private static func add<Entry>(_ entry: Entry, to list: inout [Entry], _ name: String) throws(HLSPlaylistError) {
    guard list.count < HLSLimits.entries else { throw HLSPlaylistError("more than \(HLSLimits.entries) \(name)") }
    list.append(entry)
  }

  /// Returns the playlist once all lines have been read; nil if it has no variants.
  func finished(_ common: HLSCommonTags, _ variables: HLSVariables) -> HLSMultivariantPlaylist? {
    guard !playlist.variants.isEmpty else { return nil }
    var result = playlist
    (result.version, result.hasIndependentSegments, result.start) = (common.version, common.hasIndependentSegments, common.start)
    result.variables = variables.values
    return result
  }
}
