import DecodePool
import FoundationEssentials
import Pixels
import Playback
import Terminal

/// The report of `quadrille info` on one clip; one object in JSON.
public struct InfoReport: Encodable, Sendable {
  struct Track: Codable {
    let index: Int
    let type: String
    let codec: String
    let description: String
    let decodable: Bool
    let language: String?
    let language_tag: String?
    let is_default: Bool
    let forced: Bool
    let roles: [String]?
    let subtitle_form: String?
    let title: String?
    let bit_rate: Int64?
    let duration_s: Double?
    let width: Int?
    let height: Int?
    let presentation_width: Int?
    let presentation_height: Int?
    let sample_aspect_ratio: String?
    let rotation: Int?
    let frame_rate: Double?
    let variable_frame_rate: Bool?
    let field_order: String?
    let frames: Int64?
    let pixel_format: String?
    let color_space: String?
    let color_transfer: String?
    let color_primaries: String?
    let color_range: String?
    let hdr: String?
    let mastering_peak: Double?
    let max_cll: Int?
    let max_fall: Int?
    let dolby_vision_profile: Int?
    let sample_rate: Int?
    let channels: Int?
    let cover: Bool
  }

  struct ChapterEntry: Codable {
    var start_s: Double
    var end_s: Double
    var title: String?
  }

  struct MarkerEntry: Codable {
    var start_s: Double
    /// Start of an entry, in seconds.
    var end_s: Double
    var name: String
  }

  struct EditionEntry: Codable {
    var is_default: Bool
    var ordered: Bool
    var chapters: Int
  }

  /// Facts about the whole clip.
  struct Summary: Encodable {
    var clip: String
    var playable = false
    var error: String?
    var format: String?
    var bytes: Int64?
    var bit_rate: Int64?
    var duration_s: Double?
    var duration_is_estimate: Bool?
    var cut_off: Bool?
    var title: String?
    var characteristics: [String]?
    var metadata: [String: String]?
    /// Warnings about problems in a movie.
    var remarks: [String]?
  }

  /// The contents of the clip.
  struct Contents: Encodable {
    var tracks: [Track]?
    var chapters: [ChapterEntry]?
    /// Present only for movies.
    var markers: [MarkerEntry]?
    var editions: [EditionEntry]?
    /// Captions in the frames.
    var captions: [String]?
    /// True if frames carry captions but no text was found in the parts examined.
    var captions_undecided: Bool?
    var subtitles: [CueList]?
  }

  var summary: Summary
  var contents = Contents()
  /// The errors that `summary.error` consists of.
  private var errors: [PlaybackError] = []

  public func encode(to encoder: any Encoder) throws {
    try summary.encode(to: encoder)
    try contents.encode(to: encoder)
  }

  /// Opens the clip and waits for its facts.
  ///
  /// - Parameters:
  ///   - isPrecise: Reads the whole file to determine its exact length.
  ///   - cues: Includes the subtitle text of the clip and of files next to it.
  ///   - charset: Encoding of subtitle files that are not UTF-8, as named by iconv.
  ///   - frameRate: That of an image sequence.
  ///   - network: Access to servers; nil for local files only.
  public init(
    clip: String, isPrecise: Bool, cues: Bool = false, charset: String? = nil,
    frameRate: Ratio = ImageSequence.defaultFrameRate, network: Network? = nil
  ) {
    summary = Summary(clip: WebAddress.withoutCredentials(clip))
    let asset = Asset.clip(clip, frameRate: frameRate, options: .init(prefersPreciseDurationAndTiming: isPrecise, network: network))
    do {
      let duration = try asset.wait(for: .duration)
      let facts = try asset.wait(for: .facts)
      summary.playable = facts.isPlayable
      summary.format = facts.format
      summary.bytes = facts.byteCount
      summary.bit_rate = facts.bitRate > 0 ? facts.bitRate : nil
      summary.duration_s = duration.isNumeric ? Self.rounded(duration.seconds) : nil
      summary.duration_is_estimate = facts.durationIsEstimate && !isPrecise
      summary.cut_off = facts.isCutOff
      summary.title = facts.title
      summary.characteristics = facts.characteristics.map(\.rawValue).sorted()
      contents.tracks = facts.tracks.map(Track.init)
      contents.chapters = facts.chapters.map {
        ChapterEntry(
          start_s: Self.rounded($0.timeRange.start.seconds), end_s: Self.rounded($0.timeRange.end.seconds),
          title: $0.title)
      }
      if !facts.markers.isEmpty {
        contents.markers = facts.markers.map {
          MarkerEntry(
            start_s: Self.rounded($0.timeRange.start.seconds), end_s: Self.rounded($0.timeRange.end.seconds), name: $0.name)
        }
      }
      summary.metadata = facts.metadata
      asset.measureClips(isPrecise: isPrecise)
      if !asset.remarks.isEmpty { summary.remarks = asset.remarks }
      let editions = Edition.editions(ofFile: clip)
      if editions.count > 1 || editions.contains(where: \.isOrdered) {
        contents.editions = editions.map { EditionEntry(is_default: $0.isDefault, ordered: $0.isOrdered, chapters: $0.chapterCount) }
      }
      let item = PlayerItem(asset: asset)
      if cues {
        waitForAnswer { done in item.addCaptions { done(()) } }
      } else {
        // Wait for results from some frames, but not for the whole of a long broadcast.
        if waitForAnswer({ item.glanceAtCaptions(completion: $0) }) { contents.captions_undecided = true }
      }
      let captions = Self.captions(item, facts)
      if !captions.isEmpty { contents.captions = captions }
      if cues { contents.subtitles = Self.cues(item, facts, charset) }
      let missing = asset.missingMedia
      fail(with: missing.isEmpty ? Self.problem(asset, facts).map { [$0] } ?? [] : missing)
    } catch {
      fail(with: [(error as? PlaybackError) ?? PlaybackError(.system, String(describing: error))])
    }
  }

  private mutating func fail(with errors: [PlaybackError]) {
    guard let error = PlaybackError(listing: errors) else { return }
    self.errors = errors
    summary.playable = false
    summary.error = words(error)
  }

  /// The message, after the place in a file if there is one.
  private func words(_ error: PlaybackError) -> String {
    error.line == nil && error.file == nil ? error.message : error.message(naming: summary.clip)
  }

  /// The reason that a clip with video or sound cannot be played; nil if it can. Decodes a frame, except from a pipe, which
  /// can be read only once.
  private static func problem(_ asset: Asset, _ facts: AssetFacts) -> PlaybackError? {
    guard let video = facts.preferredVideoTrack else {
      let sound = facts.tracks.first { $0.mediaType == .audio }
      return facts.isPlayable ? nil : sound.map { PlaybackError(.unknownCodec, "cannot be decoded: no decoder for \($0.codec)") }
    }
    guard asset.isComposition || facts.byteCount > 0, !video.isCover else { return nil }
    let maker = StillMaker(asset: asset, maximumSize: PixelSize(width: 16, height: 16))
    guard case .failed(let error) = maker.stills(at: [.zero], tolerance: .positiveInfinity)[0].outcome else { return nil }
    return error
  }

  private static func captions(_ item: PlayerItem, _ facts: AssetFacts) -> [String] {
    let covered = Set(facts.tracks.filter { $0.mediaType == .video }.map(\.index))
    return (item.subtitleGroup?.options ?? []).filter { $0.file == nil && covered.contains($0.track.index) }
      .map(\.track.codecDescription)
  }

  private static func cues(_ item: PlayerItem, _ facts: AssetFacts, _ charset: String?) -> [CueList] {
    // A pipe has already been read.
    if facts.byteCount == 0 { return facts.tracks.filter { $0.mediaType == .text }.map(CueList.init(ofPipe:)) }
    return CueList.all(of: item, charset: charset)
  }

  /// Rounds to a millionth; JSON numbers must be finite.
  static func rounded(_ value: Double) -> Double { value.isFinite ? (value * 1e6).rounded() / 1e6 : 0 }

  /// All reports as one JSON array.
  public static func json(_ reports: [InfoReport]) throws -> String {
    try JSONText.encoded(reports, isPretty: true)
  }

  /// The report as lines of text.
  public var lines: [TerminalText] {
    if contents.tracks == nil, let error = errors.first { return ["\(error.message(naming: summary.clip))"] }
    var entries: [(label: TerminalText, value: TerminalText)] = []
    func add(_ label: TerminalText, _ value: TerminalText?) {
      if let value, !value.isEmpty { entries.append((label, value)) }
    }
    add("title", summary.title.map { TerminalText($0) })
    add("format", summary.format.map { TerminalText($0) })
    let about: TerminalText = summary.duration_is_estimate == true ? "about " : ""
    let length = summary.duration_s.map { MediaTime(seconds: $0, preferredTimescale: 1000) }
    add("length", length.map { "\(about)\($0.placeText)" })
    // A movie has no byte size.
    if summary.format != "composition" { add("size", summary.bytes.flatMap { $0 > 0 ? "\($0) bytes" : nil }) }
    add("bit rate", summary.bit_rate.map { "\(PaneText.size(Double($0)))b/s" })
    for remark in summary.remarks ?? [] { add("remark", TerminalText(remark)) }
    for track in contents.tracks ?? [] { add("\(track.type) \(track.index)", track.words) }
    func time(_ seconds: Double) -> MediaTime { MediaTime(seconds: seconds, preferredTimescale: 1000) }
    for chapter in contents.chapters ?? [] { add("chapter", "\(time(chapter.start_s).clockText()) \(chapter.title ?? "")") }
    for marker in contents.markers ?? [] {
      add("marker", "\(TimeRange(start: time(marker.start_s), end: time(marker.end_s)).clockText) \(marker.name)")
    }
    for edition in contents.editions ?? [] {
      let order: TerminalText = edition.ordered ? ", ordered (order not followed)" : ""
      add("edition", "\(edition.chapters) chapters\(edition.is_default ? " (default)" : "")" + order)
    }
    for captions in contents.captions ?? [] {
      add("captions", "\(captions) in the frames" + (captions.contains("708") ? " (no decoder)" : ""))
    }
    if contents.captions_undecided == true {
      add("note", "no caption text in the parts examined; use --cues to read the whole clip")
    }
    for (key, value) in (summary.metadata ?? [:]).sorted(by: { $0.key < $1.key }) where key != "title" {
      add("\(key)", "\(value)")
    }
    if contents.subtitles?.isEmpty == true { add("note", "no subtitles") }
    if summary.cut_off == true { add("note", "the file is truncated: its end is missing") }
    for error in errors.prefix(PlaybackError.maxListed) { add("error", "\(words(error))") }
    if errors.count > PlaybackError.maxListed { add("", "and \(errors.count - PlaybackError.maxListed) more") }
    if errors.isEmpty, !summary.playable { add("note", "nothing playable") }
    let widths = entries.map(\.label.columns)
    let column = min(24, max(10, widths.max() ?? 0)) + 1
    let lines = zip(entries, widths).map { entry, width in
      "  \(entry.label)\(String(repeating: " ", count: max(1, column - width)))\(entry.value)" as TerminalText
    }
    return ["\(summary.clip)"] + lines
  }

  /// The subtitles as lines of untrusted text, to follow `lines`.
  public var cueLines: [String] { (contents.subtitles ?? []).flatMap(\.lines) }

  public var failed: Bool { summary.error != nil }
}

extension InfoReport.Track {
  init(_ track: AssetTrack) {
    index = track.index
    type = track.mediaType.rawValue
    codec = track.codec
    description = track.codecDescription
    decodable = track.isDecodable
    language = track.language
    language_tag = track.language.flatMap { LanguageTag($0)?.description }
    is_default = track.isDefault
    forced = track.isForced
    roles = track.roles.isEmpty ? nil : track.roles.map(\.rawValue).sorted()
    subtitle_form = track.subtitleForm?.rawValue
    title = track.title
    bit_rate = track.bitRate > 0 ? track.bitRate : nil
    duration_s = track.duration.isNumeric ? InfoReport.rounded(track.duration.seconds) : nil
    cover = track.isCover
    let video = track.mediaType == .video ? track : nil
    // Without a size, the file has not been decoded, and libav assumes a rate.
    let sized = video.flatMap { $0.codedSize.isEmpty ? nil : $0 }
    width = sized?.codedSize.width
    height = sized?.codedSize.height
    presentation_width = sized?.presentationSize.width
    presentation_height = sized?.presentationSize.height
    sample_aspect_ratio = sized.map { "\($0.sampleAspectRatio.numerator):\($0.sampleAspectRatio.denominator)" }
    rotation = video.map { $0.orientation.quarterTurns * 90 }
    frame_rate = sized.flatMap { $0.nominalFrameRate > 0 ? InfoReport.rounded($0.nominalFrameRate) : nil }
    variable_frame_rate = sized?.hasVariableFrameRate
    field_order = video?.fieldOrder
    frames = video.flatMap { $0.frameCount > 0 ? $0.frameCount : nil }
    pixel_format = video?.pixelFormat
    color_space = video?.colorSpace
    color_transfer = video?.colorTransfer
    color_primaries = video?.colorPrimaries
    color_range = video?.colorRange
    hdr = video.flatMap { ["smpte2084": "PQ", "arib-std-b67": "HLG"][$0.colorTransfer] }
    let range = video?.highDynamicRange
    mastering_peak = range?.peak.map(InfoReport.rounded)
    (max_cll, max_fall) = (range?.maximum, range?.maximumAverage)
    dolby_vision_profile = range?.dolbyVisionProfile
    let audio = track.mediaType == .audio ? track : nil
    sample_rate = audio?.sampleRate
    channels = audio?.channelCount
  }

  var words: TerminalText {
    var parts: [TerminalText] = ["\(description)"]
    if let width, let height {
      parts.append("\(width)×\(height)")
      if let pw = presentation_width, let ph = presentation_height, pw != width || ph != height {
        parts.append("shown \(pw)×\(ph)")
      }
    }
    if type == AssetTrack.MediaType.video.rawValue {
      if let frame_rate { parts.append("\(PaneText.decimal(frame_rate)) fps\(variable_frame_rate == true ? " on average, variable" : "")") }
      if let field_order, field_order != "progressive" {
        parts.append("interlaced, \(field_order == "top-first" ? "top" : "bottom") field first")
      }
      if let frames { parts.append("\(frames) frame\(frames == 1 ? "" : "s")") }
      if let pixel_format, !pixel_format.isEmpty { parts.append("\(pixel_format)") }
      if let rotation, rotation != 0 { parts.append("rotated \(rotation)°") }
      parts.append(cover ? "cover" : colorWords)
    }
    if let bit_rate { parts.append("\(PaneText.size(Double(bit_rate)))b/s") }
    if let sample_rate, sample_rate > 0 { parts.append("\(sample_rate) Hz") }
    if let channels, channels > 0 { parts.append("\(channels) channel\(channels == 1 ? "" : "s")") }
    if let tag = language_tag.flatMap({ LanguageTag($0) }) {
      parts.append("\(tag.displayName)")
    } else if let language, !language.isEmpty, language != "und" {
      parts.append("[\(language)]")
    }
    if let title { parts.append("“\(title)”") }
    let isOneOfSeveral = is_default && type != "other"
    let marks = (isOneOfSeveral ? ["default"] : []) + (forced ? ["forced"] : []) + (roles ?? [])
    if !marks.isEmpty { parts.append("(\(marks.joined(separator: ", ")))") }
    if !decodable && type != "other" { parts.append("(no decoder)") }
    return parts.filter { !$0.isEmpty }.joined(separator: "  ")
  }

  /// Colour and dynamic range.
  private var colorWords: TerminalText {
    var words = [
      AssetTrack.colorWords(
        matrix: color_space ?? "", transfer: color_transfer ?? "", primaries: color_primaries ?? "", range: color_range ?? "")
    ].compactMap { $0 }
    if let hdr { words.append("HDR \(hdr)") }
    if let dolby_vision_profile { words.append("Dolby Vision profile \(dolby_vision_profile)") }
    if let mastering_peak { words.append("mastered at \(PaneText.decimal(mastering_peak)) cd/m²") }
    if let max_cll { words.append("MaxCLL \(max_cll)") }
    if let max_fall { words.append("MaxFALL \(max_fall)") }
    return "\(words.joined(separator: ", "))"
  }
}
