import Playback
import Terminal

/// Which of a clip's video tracks is shown.
extension Pane {
  /// Shows the next video track, after the last the first. Returns what there is to say.
  func chooseNextVideo() -> TerminalText {
    let tracks = playableVideo.map(\.track)
    guard tracks.count > 1, let videoTrack else { return "this clip has one video track" }
    let next = tracks.firstIndex(of: videoTrack).map { ($0 + 1) % tracks.count } ?? 0
    return choose(video: tracks[next])
  }

  /// Shows another video track at the time at which the clip is. Returns what there is to say.
  func choose(video track: AssetTrack) -> TerminalText {
    let options = playableVideo
    guard let index = options.firstIndex(where: { $0.track == track }) else { return "this track cannot be decoded here" }
    if track != videoTrack {
      let time = player.currentTime()
      let item = PlayerItem(asset: asset, videoTrack: track)
      subtitles.didReplace(item)
      player.replaceCurrentItem(with: item)
      player.seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero)
    }
    return "video: \(options[index].displayName) (\(index + 1)/\(options.count))"
  }

  private var playableVideo: [MediaSelectionOption] {
    clip.facts?.mediaSelectionGroup(for: .visual)?.options.filter(\.isPlayable) ?? []
  }
}
