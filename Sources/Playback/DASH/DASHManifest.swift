import Glibc
import Transport

/// A manifest of Dynamic Adaptive Streaming over HTTP (MPEG-DASH), as the playlists of HTTP Live Streaming that say the same.
///
/// Its representations become variants and renditions, whose playlists have addresses that nobody serves: `HLSLoader` takes them from
/// here.
struct DASHManifest: Sendable {
  /// A way to read one representation over all periods.
  struct Track: Hashable, Sendable {
    fileprivate var parts: [Part]
    /// True for subtitles in one WebVTT file.
    var isText: Bool
  }

  /// A representation in one period.
  fileprivate struct Part: Hashable, Sendable {
    /// The elements from the period to the representation, whose attributes the inner ones override.
    var path: [XMLElement]
    /// The address that those of segments are relative to.
    var base: NetworkURL
    var start: Double
    /// In seconds; nil if unknown.
    var duration: Double?

    var representation: XMLElement { path[path.count - 1] }

    /// An attribute of the innermost element that has it.
    func value(_ name: String) -> String? { path.reversed().lazy.compactMap { $0[name] }.first }
  }

  /// The multivariant playlist, or the only track's.
  enum Root: Sendable {
    case multivariant([UInt8])
    case media(Int)
  }

  let root: Root
  let tracks: [Track]
  /// True for a live presentation, whose manifest changes.
  let isLive: Bool
  private let url: NetworkURL
  /// Of a live presentation, in seconds since 1970.
  private let availabilityStart: Double
  private let timeShift: Double
  /// The least time between two loads of a live manifest, in seconds.
  let updatePeriod: Double

  private static let maxTracks = 500
  private static let maxPeriods = 2000

  /// - Parameter url: the manifest's address, after redirects.
  /// - Throws: `PlaybackError`.
  init(_ bytes: [UInt8], at url: NetworkURL) throws(PlaybackError) {
    guard let root = XMLReader.root(of: bytes), root.name == "MPD" else {
      throw PlaybackError(.playlist, "is not a readable DASH manifest")
    }
    self.url = url
    isLive = root["type"] == "dynamic"
    availabilityStart = DASHText.date(root["availabilityStartTime"]) ?? 0
    timeShift = DASHText.duration(root["timeShiftBufferDepth"]) ?? 300
    updatePeriod = max(1, DASHText.duration(root["minimumUpdatePeriod"]) ?? 5)
    let sets = try Self.sets(of: root, at: url)
    guard !sets.isEmpty else { throw PlaybackError(.playlist, "is a DASH manifest without tracks that can be played") }
    var tracks: [Track] = []
    func add(_ parts: [Part], isText: Bool = false) -> Int? {
      guard tracks.count < Self.maxTracks else { return nil }
      tracks.append(Track(parts: parts, isText: isText))
      return tracks.count - 1
    }
    let videos = sets.filter { $0.kind == "video" }, sounds = sets.filter { $0.kind == "audio" }, texts = sets.filter { $0.kind == "text" }
    if videos.isEmpty {
      guard let sound = sounds.first?.best, let index = add(sound) else {
        throw PlaybackError(.playlist, "is a DASH manifest without tracks that can be played")
      }
      (self.root, self.tracks) = (.media(index), tracks)
      return
    }
    var lines = ["#EXTM3U"]
    var soundCodecs: String?, soundBandwidth = 0
    for (number, set) in sounds.enumerated() {
      guard let best = set.best, let index = add(best) else { continue }
      lines.append(
        "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"sound\"," + set.labels(number + 1, isDefault: number == 0) + ",URI=\"\(Self.uri(index))\"")
      soundCodecs = soundCodecs ?? best[0].value("codecs")
      soundBandwidth = max(soundBandwidth, best[0].value("bandwidth").flatMap { Int($0) } ?? 0)
    }
    for (number, set) in texts.enumerated() {
      guard let best = set.best, let index = add(best, isText: true) else { continue }
      lines.append("#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"text\"," + set.labels(number + 1, isDefault: false) + ",URI=\"\(Self.uri(index))\"")
    }
    let hasSound = soundCodecs != nil || soundBandwidth > 0, hasText = lines.contains { $0.contains("TYPE=SUBTITLES") }
    for parts in videos.flatMap(\.representations) {
      guard let index = add(parts) else { break }
      let bandwidth = (parts[0].value("bandwidth").flatMap { Int($0) } ?? 1) + soundBandwidth
      var attributes = ["BANDWIDTH=\(max(1, bandwidth))"]
      if let width = parts[0].value("width").flatMap({ Int($0) }), let height = parts[0].value("height").flatMap({ Int($0) }) {
        attributes.append("RESOLUTION=\(width)x\(height)")
      }
      if let rate = parts[0].value("frameRate").flatMap(DASHText.ratio) { attributes.append("FRAME-RATE=\(DASHText.decimal(rate))") }
      let codecs = [parts[0].value("codecs"), soundCodecs].compactMap { $0.map(DASHText.quotable) }.filter { !$0.isEmpty }
      if parts[0].value("codecs") != nil { attributes.append("CODECS=\"\(codecs.joined(separator: ","))\"") }
      if hasSound { attributes.append("AUDIO=\"sound\"") }
      if hasText { attributes.append("SUBTITLES=\"text\"") }
      lines += ["#EXT-X-STREAM-INF:" + attributes.joined(separator: ","), Self.uri(index)]
    }
    (self.root, self.tracks) = (.multivariant(Array((lines.joined(separator: "\n") + "\n").utf8)), tracks)
  }

  /// The relative address of a track's playlist.
  static func uri(_ track: Int) -> String { "?quadrille-track=\(track)" }

  /// Returns the track whose playlist has an address; nil for others.
  func track(at address: NetworkURL) -> Int? {
    tracks.indices.first { (try? url.resolving(Self.uri($0))) == address }
  }

  func address(ofTrack track: Int) throws(NetworkURLError) -> NetworkURL { try url.resolving(Self.uri(track)) }

  // MARK: - Reading

  /// An adaptation set over all periods.
  private struct AdaptationSet {
    var kind: String
    var representations: [[Part]]

    /// The representation with the highest bit rate.
    var best: [Part]? {
      representations.max { ($0[0].value("bandwidth").flatMap { Int($0) } ?? 0) < ($1[0].value("bandwidth").flatMap { Int($0) } ?? 0) }
    }

    /// The attributes of a rendition.
    func labels(_ number: Int, isDefault: Bool) -> String {
      let set = representations[0][0].path.first { $0.name == "AdaptationSet" }
      let language = set?["lang"].map(DASHText.quotable) ?? "", label = set?.first("Label").map { DASHText.quotable($0.text) } ?? set?["label"].map(DASHText.quotable)
      var name = label ?? (language.isEmpty ? "\(kind) \(number)" : language)
      // Names tell renditions of a group apart.
      if number > 1, label == nil { name += " (\(number))" }
      return "NAME=\"\(name)\"" + (language.isEmpty ? "" : ",LANGUAGE=\"\(language)\"") + (isDefault ? ",DEFAULT=YES,AUTOSELECT=YES" : ",AUTOSELECT=YES")
    }
  }

  private static func sets(of root: XMLElement, at url: NetworkURL) throws(PlaybackError) -> [AdaptationSet] {
    var sets: [AdaptationSet] = []
    let periods = root.all("Period").prefix(maxPeriods)
    let total = DASHText.duration(root["mediaPresentationDuration"])
    var start = 0.0
    for (number, period) in periods.enumerated() {
      start = DASHText.duration(period["start"]) ?? start
      let next = number + 1 < periods.count ? DASHText.duration(periods[periods.startIndex + number + 1]["start"]) : total
      let duration = DASHText.duration(period["duration"]) ?? next.map { max(0, $0 - start) }
      var index = 0
      for set in period.all("AdaptationSet") where set.first("ContentProtection") == nil {
        let representations = set.all("Representation").filter { $0.first("ContentProtection") == nil }
        guard let kind = kind(set, representations), !representations.isEmpty else { continue }
        var parts: [Part] = []
        for representation in representations {
          var base = url
          for element in [root, period, set, representation] { base = try address(base, element.first("BaseURL")?.text) }
          parts.append(Part(path: [period, set, representation], base: base, start: start, duration: duration))
        }
        defer { index += 1 }
        if number == 0 {
          sets.append(AdaptationSet(kind: kind, representations: parts.map { [$0] }))
        } else if sets.indices.contains(index), sets[index].kind == kind {
          // Each goes on with the one of its name, or of its place.
          for i in sets[index].representations.indices {
            let id = sets[index].representations[i][0].representation["id"]
            sets[index].representations[i].append(parts.first { $0.representation["id"] == id } ?? parts[min(i, parts.count - 1)])
          }
        }
      }
      start += duration ?? 0
    }
    return sets
  }

  /// The kind of a set: video, audio or text; nil for what cannot be used.
  private static func kind(_ set: XMLElement, _ representations: [XMLElement]) -> String? {
    let type = set["mimeType"] ?? representations.first?["mimeType"] ?? set["contentType"] ?? ""
    if type.hasPrefix("video") { return "video" }
    if type.hasPrefix("audio") { return "audio" }
    return type == "text/vtt" ? "text" : nil
  }

  // MARK: - Playlists

  /// Returns the media playlist of a track.
  ///
  /// - Parameters:
  ///   - now: seconds since 1970, for a live presentation.
  ///   - read: reads a part of a file: its index of segments.
  /// - Throws: `PlaybackError`.
  func playlist(
    ofTrack track: Int, now: Double = DASHText.now, read: (NetworkURL, Range<Int64>) throws(PlaybackError) -> [UInt8]
  ) throws(PlaybackError) -> [UInt8] {
    var lines: [String] = [], longest = 1.0, sequence: Int64?
    for (number, part) in tracks[track].parts.enumerated() {
      if number > 0 { lines.append("#EXT-X-DISCONTINUITY") }
      let segments = tracks[track].isText ? whole(part) : try segments(part, now: now, read)
      sequence = sequence ?? segments.number
      if let map = segments.map { lines.append("#EXT-X-MAP:URI=\"\(map.uri)\"" + (map.range.map { ",BYTERANGE=\"\($0.count)@\($0.lowerBound)\"" } ?? "")) }
      for segment in segments.list {
        guard lines.count < 3 * HLSLimits.segments else { break }
        longest = max(longest, segment.duration)
        lines.append("#EXTINF:\(DASHText.decimal(segment.duration)),")
        if let range = segment.range { lines.append("#EXT-X-BYTERANGE:\(range.count)@\(range.lowerBound)") }
        lines.append(segment.uri)
      }
    }
    var text = ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:\(Int(min(longest, 1e6).rounded(.up)))"]
    text.append("#EXT-X-MEDIA-SEQUENCE:\(max(0, isLive ? sequence ?? 0 : 0))")
    if !isLive { text.append("#EXT-X-PLAYLIST-TYPE:VOD") }
    return Array((text + lines + (isLive ? [] : ["#EXT-X-ENDLIST"])).joined(separator: "\n").utf8) + [UInt8(ascii: "\n")]
  }

  private struct Segments {
    var map: (uri: String, range: Range<Int64>?)?
    var list: [(uri: String, range: Range<Int64>?, duration: Double)] = []
    /// The number of the first.
    var number: Int64 = 0
  }

  private static func address(_ base: NetworkURL, _ reference: String?) throws(PlaybackError) -> NetworkURL {
    guard let reference = reference?.split(whereSeparator: \.isWhitespace).first else { return base }
    do throws(NetworkURLError) {
      return try base.resolving(String(reference))
    } catch {
      throw PlaybackError(.playlist, "contains an unusable address: \(error.description)")
    }
  }

  private func uri(_ base: NetworkURL, _ reference: String?) throws(PlaybackError) -> String { try Self.address(base, reference).text }

  private func whole(_ part: Part) -> Segments {
    Segments(list: [(part.base.text, nil, max(0.001, part.duration ?? 1))])
  }

  private func segments(
    _ part: Part, now: Double, _ read: (NetworkURL, Range<Int64>) throws(PlaybackError) -> [UInt8]
  ) throws(PlaybackError) -> Segments {
    if part.path.contains(where: { $0.first("SegmentTemplate") != nil }) { return try templated(part, now: now) }
    if part.path.contains(where: { $0.first("SegmentList") != nil }) { return try listed(part) }
    if part.path.contains(where: { $0.first("SegmentBase") != nil }) { return try indexed(part, read) }
    return whole(part)
  }

  /// Segments whose addresses follow a pattern.
  private func templated(_ part: Part, now: Double) throws(PlaybackError) -> Segments {
    let templates = part.path.compactMap { $0.first("SegmentTemplate") }
    func value(_ name: String) -> String? { templates.reversed().lazy.compactMap { $0[name] }.first }
    guard let media = value("media") else { throw PlaybackError(.playlist, "is a DASH manifest without addresses of segments") }
    let scale = value("timescale").flatMap { Double($0) }.map { max(1, $0) } ?? 1
    let first = value("startNumber").flatMap { Int64($0) } ?? 1
    var segments = Segments(number: max(0, first))
    func fill(_ pattern: String, number: Int64, time: Int64) -> String {
      DASHText.filled(pattern, representation: part.representation, bandwidth: part.value("bandwidth"), number: number, time: time)
    }
    if let initialization = value("initialization") {
      segments.map = (try uri(part.base, fill(initialization, number: first, time: 0)), nil)
    }
    func add(_ number: Int64, _ time: Int64, _ duration: Double) throws(PlaybackError) {
      segments.list.append((try uri(part.base, fill(media, number: number, time: time)), nil, duration))
    }
    if let timeline = templates.reversed().lazy.compactMap({ $0.first("SegmentTimeline") }).first {
      var time: Int64 = 0, number = first
      let entries = timeline.all("S")
      for (index, entry) in entries.enumerated() {
        time = entry["t"].flatMap { Int64($0) } ?? time
        guard let length = entry["d"].flatMap({ Int64($0) }), length > 0, length < 1 << 40, time.magnitude < 1 << 61 else { continue }
        var repeats = entry["r"].flatMap { Int64($0) } ?? 0
        if repeats < 0 {
          // Until the next entry, or the end of the period.
          let end = index + 1 < entries.count ? entries[index + 1]["t"].flatMap { Double($0) } : part.duration.map { $0 * scale }
          repeats = end.map { Int64(saturating: ((($0 - Double(time)) / Double(length)).rounded(.up))) - 1 } ?? 0
        }
        for _ in 0...max(0, min(repeats, Int64(HLSLimits.segments))) where segments.list.count < HLSLimits.segments {
          try add(number, time, Double(length) / scale)
          time += length
          number += 1
        }
      }
      return segments
    }
    guard let length = value("duration").flatMap({ Double($0) }), length > 0, length.isFinite else {
      throw PlaybackError(.playlist, "is a DASH manifest without durations of segments")
    }
    let seconds = length / scale
    var range: Range<Int64>
    if isLive {
      // Complete segments within the time that the server keeps.
      let elapsed = now - availabilityStart - part.start
      let end = Int64(saturating: (elapsed / seconds).rounded(.down))
      let kept = Int64(saturating: max(3, (min(timeShift, 3600) / seconds).rounded(.down)))
      range = max(0, end - kept)..<max(0, end)
      segments.number = first.saturatingAdd(range.lowerBound)
    } else {
      guard let duration = part.duration else { throw PlaybackError(.playlist, "is a DASH manifest without a duration") }
      range = 0..<min(Int64(HLSLimits.segments), max(1, Int64(saturating: (duration / seconds - 1e-6).rounded(.up))))
    }
    for index in range {
      let rest = isLive ? seconds : min(seconds, max(0.001, (part.duration ?? 0) - Double(index) * seconds))
      try add(first.saturatingAdd(index), Int64(saturating: Double(index) * length), rest)
    }
    return segments
  }

  private func listed(_ part: Part) throws(PlaybackError) -> Segments {
    let lists = part.path.compactMap { $0.first("SegmentList") }
    func value(_ name: String) -> String? { lists.reversed().lazy.compactMap { $0[name] }.first }
    let scale = value("timescale").flatMap { Double($0) }.map { max(1, $0) } ?? 1
    let duration = (value("duration").flatMap { Double($0) } ?? scale) / scale
    var segments = Segments()
    if let initialization = lists.reversed().lazy.compactMap({ $0.first("Initialization") }).first {
      segments.map = (try uri(part.base, initialization["sourceURL"]), DASHText.range(initialization["range"]))
    }
    for entry in lists.last?.all("SegmentURL").prefix(HLSLimits.segments) ?? [] {
      segments.list.append((try uri(part.base, entry["media"]), DASHText.range(entry["mediaRange"]), max(0.001, duration)))
    }
    return segments
  }

  /// Segments of one file, which a box in it lists.
  private func indexed(
    _ part: Part, _ read: (NetworkURL, Range<Int64>) throws(PlaybackError) -> [UInt8]
  ) throws(PlaybackError) -> Segments {
    let base = part.path.reversed().lazy.compactMap { $0.first("SegmentBase") }.first
    guard let range = DASHText.range(base?["indexRange"]), range.count <= 4 << 20 else { return whole(part) }
    let address = part.base
    guard let index = SegmentIndexBox(try read(address, range), endingAt: range.upperBound) else {
      throw PlaybackError(.playlist, "refers to a file without a readable index of segments")
    }
    let map = DASHText.range(base?.first("Initialization")?["range"]) ?? 0..<range.lowerBound
    return Segments(map: (address.text, map), list: index.segments.map { (address.text, $0.range, $0.duration) })
  }
}
