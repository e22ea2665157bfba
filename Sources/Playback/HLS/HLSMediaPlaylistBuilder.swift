/// Builds a media playlist from its lines.
struct HLSMediaPlaylistBuilder {
  /// The tags that apply to the next segment only.
  private struct Pending {
    /// In nanoseconds.
    var duration: Int64?
    var title: ArraySlice<UInt8> = []
    var byteRange: ArraySlice<UInt8>?
    var isGap = false
    var date: Int64?
  }

  private var playlist: HLSMediaPlaylist
  private var pending = Pending()
  private var keys = HLSKeys()
  /// The map that applies, until it is in the table.
  private var newMap: HLSSegmentList.Map?
  private var map: Int32 = -1
  /// The key that applies; nil if it is not in the table yet.
  private var key: Int32? = -1
  private var discontinuities: UInt32 = 0
  private var bitrate: UInt32 = 0

  /// True if a tag of media playlists was read.
  private(set) var hasTags = false

  init(address: String, playlistBytes: Int) {
    playlist = HLSMediaPlaylist(address: address, segments: HLSSegmentList(playlistBytes: playlistBytes))
  }

  /// True if the next address is that of a segment.
  var expectsAddress: Bool { pending.duration != nil }
  /// True if there is at least one segment.
  var hasSegments: Bool { expectsAddress || !playlist.segments.isEmpty }

  /// Reads a tag; those of multivariant and of all playlists are ignored.
  mutating func apply(_ tag: HLSTag, _ value: ArraySlice<UInt8>, _ variables: inout HLSVariables) throws(HLSPlaylistError) {
    switch tag {
    case .segment: try applySegment(value)
    case .byteRange: pending.byteRange = value
    case .discontinuity: discontinuities += 1
    case .gap: pending.isGap = true
    case .date: pending.date = HLSDate.nanoseconds(value)
    case .bitrate: bitrate = HLSNumber.integer(value).map { UInt32(clamping: $0) } ?? 0
    case .key:
      try keys.apply(HLSAttributes(value, &variables), &playlist.segments.text)
      key = nil
    case .map: try applyMap(HLSAttributes(value, &variables))
    case .skip: throw HLSPlaylistError("SKIP leaves out segments, although all were requested")
    case .targetDuration:
      // Some servers write decimals.
      guard let duration = HLSNumber.nanoseconds(value), duration >= 0 else {
        throw HLSPlaylistError("TARGETDURATION without a duration")
      }
      guard duration <= HLSLimits.segmentDuration else { throw HLSPlaylistError("TARGETDURATION of more than a week") }
      playlist.targetDuration = duration
    case .mediaSequence: playlist.segments.firstSequence = try sequence(value, "MEDIA-SEQUENCE")
    case .discontinuitySequence: playlist.segments.firstDiscontinuity = try sequence(value, "DISCONTINUITY-SEQUENCE")
    case .endList: playlist.isEnded = true
    case .playlistType: playlist.kind = .init(rawValue: String(decoding: value, as: UTF8.self).uppercased())
    case .iFramesOnly: playlist.isIFramesOnly = true
    case .serverControl:
      let distance = try HLSAttributes(value, &variables).nanoseconds("HOLD-BACK")
      playlist.holdBack = distance.map { min(max($0, 0), HLSLimits.segmentDuration) }
    case .version, .independentSegments, .start, .define, .media, .variant, .iFrameVariant: return
    }
    hasTags = true
  }

  private func sequence(_ value: ArraySlice<UInt8>, _ tag: String) throws(HLSPlaylistError) -> Int {
    guard let number = HLSNumber.integer(value) else { throw HLSPlaylistError("\(tag) without a number") }
    guard number <= HLSLimits.sequence else { throw HLSPlaylistError("\(tag) is too large") }
    return number
  }

  private mutating func applySegment(_ value: ArraySlice<UInt8>) throws(HLSPlaylistError) {
    let text = value.prefix { $0 != UInt8(ascii: ",") && !TextLines.isBlank($0) }
    guard !text.isEmpty else { throw HLSPlaylistError("EXTINF without a duration") }
    guard let duration = HLSNumber.nanoseconds(text) else { throw HLSPlaylistError("EXTINF with an invalid duration") }
    guard duration >= 0 else { throw HLSPlaylistError("EXTINF with a negative duration") }
    guard duration <= HLSLimits.segmentDuration else { throw HLSPlaylistError("EXTINF with a duration of more than a week") }
    pending.duration = duration
    pending.title = TextLines.trimmed(value.drop { $0 != UInt8(ascii: ",") }.dropFirst())
  }

  private mutating func applyMap(_ attributes: HLSAttributes) throws(HLSPlaylistError) {
    guard let uri = attributes.text("URI") else { throw HLSPlaylistError("MAP without a URI") }
    var range: Range<Int64>?
    if let text = attributes.bytes("BYTERANGE") {
      range = HLSNumber.byteRange(text, next: 0)
      guard range != nil else { throw HLSPlaylistError("MAP with an invalid BYTERANGE") }
    }
    newMap = HLSSegmentList.Map(uri: playlist.segments.text.append(uri.utf8), byteRange: range, key: currentKey(), segment: 0)
  }

  /// Adds the key that applies to the table if it is not in there.
  private mutating func currentKey() -> Int32 {
    if let key { return key }
    let index = keys.effective.map { playlist.segments.append($0) } ?? -1
    key = index
    return index
  }

  /// Adds the segment whose tags have been read.
  mutating func addSegment(_ uri: ArraySlice<UInt8>) throws(HLSPlaylistError) {
    guard let duration = pending.duration else { throw HLSPlaylistError("segment without EXTINF") }
    let last = playlist.segments.records.last
    let isSameResource = last.map { playlist.segments.text[$0.uri] == uri } ?? false
    var range: Range<Int64>?
    if let text = pending.byteRange {
      let next = isSameResource ? last?.byteRange?.upperBound ?? 0 : 0
      range = HLSNumber.byteRange(text, next: next)
      guard range != nil else { throw HLSPlaylistError("invalid BYTERANGE") }
    }
    guard playlist.segments.count < HLSLimits.segments else { throw HLSPlaylistError("more than \(HLSLimits.segments) segments") }
    let end = playlist.segments.duration + duration
    guard end <= HLSLimits.duration else { throw HLSPlaylistError("segments of more than ten years") }
    if var map = newMap {
      map.segment = Int32(playlist.segments.count)
      self.map = playlist.segments.append(map)
      newMap = nil
    }
    let span: HLSText.Span
    if let last, isSameResource, pending.title.isEmpty {
      span = last.uri
    } else {
      span = playlist.segments.text.append(uri)
      _ = playlist.segments.text.append(pending.title)
    }
    playlist.segments.append(HLSSegmentList.Record(
      end: end, date: pending.date, isGap: pending.isGap, titleLength: UInt32(pending.title.count), byteRange: range, uri: span,
      key: currentKey(), map: map, discontinuities: discontinuities, bitrate: range == nil ? bitrate : 0))
    pending = Pending()
  }

  /// Returns the playlist once all lines have been read.
  func finished(_ common: HLSCommonTags) -> HLSMediaPlaylist {
    var result = playlist
    (result.version, result.hasIndependentSegments, result.start) = (common.version, common.hasIndependentSegments, common.start)
    result.segments.extrapolateDates()
    let longest = result.segments.indices.map { result.segments.start(of: $0 + 1) - result.segments.start(of: $0) }.max() ?? 0
    result.targetDuration = max(1_000_000_000, result.targetDuration == 0 ? longest : result.targetDuration)
    return result
  }
}
