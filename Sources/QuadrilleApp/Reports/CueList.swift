import DecodePool
import Playback
import Terminal

/// The text of one subtitle track, for `quadrille info --cues`.
struct CueList: Codable, Sendable {
  struct Cue: Codable {
    var start_s: Double
    /// End of the cue; nil if it has none.
    var end_s: Double?
    var text: String
    /// True for images; nil for text.
    var is_image: Bool?
  }

  var name: String
  var language_tag: String?
  var file: String?
  var track: Int
  var error: String?
  var cues: [Cue]

  /// Reads all subtitles of a clip, of files next to it, and captions found in it. Blocks.
  static func all(of item: PlayerItem, charset: String?) -> [CueList] {
    waitForAnswer { done in item.addSubtitlesBeside(charset: charset) { done(()) } }
    guard let group = item.subtitleGroup else { return item.unreadableSubtitles.map(CueList.init) }
    let lists = group.options.map { option in
      item.selectedSubtitles = option
      return CueList(option, name: group.displayName(of: option), item.subtitles)
    }
    return lists + item.unreadableSubtitles.map(CueList.init)
  }

  private init(_ unreadable: UnreadableSubtitles) {
    name = FolderListing.name(ofPath: unreadable.path)
    file = unreadable.path
    track = 0
    error = unreadable.error.message
    cues = []
  }

  /// A list for a pipe, which can be read only once.
  init(ofPipe track: AssetTrack) {
    name = track.title ?? track.codecDescription
    language_tag = track.language.flatMap { LanguageTag($0)?.description }
    self.track = track.index
    error = "cannot be read: the clip can be read only once"
    cues = []
  }

  private init(_ option: MediaSelectionOption, name: String, _ track: SubtitleTrack?) {
    self.name = name
    language_tag = option.language?.description
    file = option.file
    self.track = option.track.index
    cues = []
    guard let track else { return }
    let result = track.waitUntilRead()
    if case .failure(let failure) = result { error = failure.message }
    cues = track.timeline.cues.map { cue in
      let (start, end) = (cue.timeRange.start, cue.timeRange.end)
      return Cue(
        start_s: InfoReport.rounded(start.seconds), end_s: end.isNumeric ? InfoReport.rounded(end.seconds) : nil,
        text: cue.text, is_image: cue.bitmaps.isEmpty ? nil : true)
    }
  }

  /// Lines of untrusted text: the times of each cue beside its first line, and its further lines below that.
  var lines: [String] {
    var lines = ["  subtitles \(file ?? "track \(track)"): \(name)"]
    for cue in cues {
      let start = MediaTime(seconds: cue.start_s, preferredTimescale: 1000).clockText(fractionDigits: 3)
      let end = cue.end_s.map { MediaTime(seconds: $0, preferredTimescale: 1000).clockText(fractionDigits: 3) } ?? ""
      let times = "    \(start) – \(end)  "
      let text = cue.is_image == true ? ["(image)"] : cue.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      let blank = String(repeating: " ", count: times.count)
      lines += zip([times] + Array(repeating: blank, count: max(0, text.count - 1)), text).map { $0 + $1 }
    }
    if let error { lines.append("    \(error)") }
    return lines
  }
}

extension SubtitleTrack {
  /// Waits until the track has been read or has failed.
  fileprivate func waitUntilRead() -> Result<SubtitleTimeline, PlaybackError> {
    waitForAnswer { load($0) }
  }
}
