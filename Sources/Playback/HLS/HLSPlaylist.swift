/// A playlist of HTTP Live Streaming.
///
/// Source: RFC 8216 and draft-pantos-hls-rfc8216bis, read as tolerantly as real playlists require.
enum HLSPlaylist: Sendable {
  case multivariant(HLSMultivariantPlaylist)
  case media(HLSMediaPlaylist)

  /// Parses a playlist.
  ///
  /// - Parameters:
  ///   - bytes: the playlist, in UTF-8.
  ///   - address: its own address, after redirects.
  ///   - variables: those of the multivariant playlist that named it; see `HLSMultivariantPlaylist.variables`.
  init(_ bytes: [UInt8], address: String, importing variables: [String: String] = [:]) throws(HLSPlaylistError) {
    guard bytes.count <= HLSLimits.playlistBytes else {
      throw HLSPlaylistError("is larger than \(HLSLimits.playlistBytes >> 20) MB")
    }
    var reader = HLSPlaylistReader(bytes: bytes.count, address: address, variables)
    var number = 0
    for line in TextLines(bytes) {
      number += 1
      do {
        try reader.read(line)
      } catch {
        throw error.at(line: number)
      }
    }
    self = try reader.finished()
  }
}

/// Reads the lines of a playlist, whose kind turns out on the way.
private struct HLSPlaylistReader {
  private var hasBegun = false
  private var common = HLSCommonTags()
  private var variables: HLSVariables
  private var media: HLSMediaPlaylistBuilder
  private var multivariant: HLSMultivariantPlaylistBuilder

  init(bytes: Int, address: String, _ imports: [String: String]) {
    variables = HLSVariables(address: address, imports: imports)
    media = HLSMediaPlaylistBuilder(address: address, playlistBytes: bytes)
    multivariant = HLSMultivariantPlaylistBuilder(address: address)
  }

  mutating func read(_ line: ArraySlice<UInt8>) throws(HLSPlaylistError) {
    guard line.count <= HLSLimits.lineBytes else { throw HLSPlaylistError("longer than \(HLSLimits.lineBytes) bytes") }
    let line = TextLines.trimmed(line)
    guard let first = line.first else { return }
    guard hasBegun else {
      guard line.starts(with: "#EXTM3U".utf8) else { throw HLSPlaylistError("does not start with #EXTM3U") }
      hasBegun = true
      return
    }
    if first != UInt8(ascii: "#") {
      try readAddress(line)
    } else if line.starts(with: "#EXT".utf8) {
      let name = line.dropFirst().prefix { $0 != UInt8(ascii: ":") }
      guard let tag = HLSTag(rawValue: String(decoding: TextLines.trimmed(name), as: UTF8.self)) else { return }
      let value = TextLines.trimmed(line[name.endIndex...].dropFirst())
      try common.apply(tag, value, &variables)
      try media.apply(tag, value, &variables)
      try multivariant.apply(tag, value, &variables)
      if media.hasSegments, multivariant.hasVariants { throw HLSPlaylistError("both segments and variants") }
    }
  }

  private mutating func readAddress(_ line: ArraySlice<UInt8>) throws(HLSPlaylistError) {
    let address = try variables.substitute(in: line)
    if multivariant.expectsAddress {
      try multivariant.addVariant(address)
    } else if media.expectsAddress {
      try media.addSegment(address)
    } else if !multivariant.hasTags {
      throw HLSPlaylistError("address without EXTINF or STREAM-INF before it")
    }
  }

  func finished() throws(HLSPlaylistError) -> HLSPlaylist {
    guard hasBegun else { throw HLSPlaylistError("is empty") }
    if let playlist = multivariant.finished(common, variables) { return .multivariant(playlist) }
    guard media.hasTags else { throw HLSPlaylistError("names neither segments nor variants") }
    return .media(media.finished(common))
  }
}
