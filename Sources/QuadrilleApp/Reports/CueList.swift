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
    return (item.subtitleGroup?.options ?? []).map { option in
      item.selectedSubtitles = option
      return CueList(option, item.subtitles)
    }
  }

  /// A list for a pipe, which can be read only once.
  init(ofPipe track: AssetTrack) {
    name = track.title ?? track.codecDescription
    language_tag = track.language.flatMap { LanguageTag($0)?.description }
    self.track = track.index
    error = "cannot be read: the clip can be read only once"
    cues = []
  }

  private init(_ option: MediaSelectionOption, _ track: SubtitleTrack?) {
    name = option.displayName
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

  /// Lines for display: one per cue, with line ends in a cue as spaces.
  var lines: [TerminalText] {
    let place: TerminalText = file.map { "\($0)" } ?? "track \(track)"
    var lines: [TerminalText] = ["  subtitles \(place): \(name)"]
    for cue in cues {
      let start = MediaTime(seconds: cue.start_s, preferredTimescale: 1000).clockText(fractionDigits: 3)
      let end = cue.end_s.map { MediaTime(seconds: $0, preferredTimescale: 1000).clockText(fractionDigits: 3) } ?? ""
      lines.append("    \(start) – \(end)  \(cue.is_image == true ? "(image)" : cue.text)")
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
