import Playback

/// Reads the text of a clip's subtitles.
public func transcript(of path: String, in languages: [LanguageTag]) async throws -> [String] {
  // guide: subtitles
  let asset = Asset(path: path)
  let item = PlayerItem(asset: asset)
  _ = try await asset.load(.facts)
  item.selectedSubtitles = item.subtitleGroup?.option(for: languages)
  guard let subtitles = item.subtitles else { return [] }
  let timeline = try await subtitles.load()
  let lines = timeline.cues.map { "\($0.timeRange.start.clockText(fractionDigits: 3)) \($0.text)" }
  // end
  return lines
}
