import Playback
import Terminal

/// Selection of video and sound tracks.
extension Pane {
  /// The reason the tracks are unknown; nil if they are known.
  var unknownTracks: TerminalText? {
    if error != nil { return "this clip cannot be played" }
    return clip.facts == nil ? "this clip is not open yet" : nil
  }

  // MARK: - Video

  /// The chosen video: a variant of a stream, or else the video track.
  var chosenVideo: AssetTrack? { player.currentItem?.selectedVariant ?? videoTrack }

  /// Shows the next video track, wrapping around. Returns a message.
  func chooseNextVideo() -> TerminalText {
    if let unknownTracks { return unknownTracks }
    let tracks = playable(.visual).map(\.track)
    guard tracks.count > 1, let chosenVideo else {
      return tracks.isEmpty ? "this clip has no video" : "this clip has only one video track"
    }
    let next = tracks.firstIndex(of: chosenVideo).map { ($0 + 1) % tracks.count } ?? 0
    return choose(video: tracks[next])
  }

  /// Shows another video track at the current time. Returns a message.
  func choose(video track: AssetTrack) -> TerminalText {
    let options = playable(.visual)
    guard let index = options.firstIndex(where: { $0.track == track }) else { return "no decoder for this track" }
    if track.isVariant || (chosenVideo?.isVariant == true && track == videoTrack) {
      player.currentItem?.selectedVariant = track
    } else if track != videoTrack {
      replaceItem(with: item(showing: track))
    }
    return "video: \(name(of: options[index], .visual)) (\(index + 1)/\(options.count))"
  }

  private func item(showing track: AssetTrack?) -> PlayerItem {
    PlayerItem(
      asset: asset, videoTrack: track, soundTrack: session.chosenSound, options: session.omitsFilmGrain ? .withoutFilmGrain : [])
  }

  /// True if film grain, if any, is added by the decoder rather than coded as part of the frames.
  var canOmitFilmGrain: Bool { videoTrack?.codec == "av1" && story == nil }

  /// Shows frames with or without the film grain that the decoder adds. Returns a message.
  func toggleFilmGrain() -> TerminalText {
    guard canOmitFilmGrain else { return "only AV1 has separate film grain" }
    session.omitsFilmGrain.toggle()
    replaceItem(with: item(showing: videoTrack))
    return session.omitsFilmGrain ? "without film grain" : "with film grain"
  }

  /// Continues with other tracks of the same clip at the same time.
  private func replaceItem(with item: PlayerItem) {
    let time = timeOfAllTracks
    session.trackEntry = time
    subtitles.didReplace(item)
    dropImages()
    player.replaceCurrentItem(with: item)
    player.seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero)
  }

  /// The time to seek to in other tracks. If this track starts later than the time last sought and is still at its start,
  /// this is the time last sought.
  private var timeOfAllTracks: MediaTime {
    let now = player.currentTime()
    guard let entry = session.trackEntry, entry < now, player.statistics.seeks.count <= 1, let videoTrack,
      now == clip.facts?.lead(of: videoTrack)
    else { return now }
    return entry
  }

  // MARK: - Sound

  /// The selected sound track; nil if there is none.
  var sound: MediaSelectionOption? {
    let group = clip.facts?.mediaSelectionGroup(for: .audible)
    return group?.options.first { $0.track == session.chosenSound } ?? group?.defaultOption
  }

  /// The place of the sound track among several, and its name; nil if there is only one.
  var placeOfSound: TerminalText? {
    let options = playable(.audible)
    guard options.count > 1, let sound, let index = options.firstIndex(of: sound) else { return nil }
    let place: TerminalText = "\(index + 1)/\(options.count)"
    return sound.displayName == sound.track.codecDescription ? place : place + " \(name(of: sound, .audible))"
  }

  /// Selects the next sound track, wrapping around. Returns a message.
  func chooseNextSound() -> TerminalText {
    if let unknownTracks { return unknownTracks }
    let options = playable(.audible)
    guard let sound, !options.isEmpty else { return "this clip has no sound" }
    let next = options.firstIndex(of: sound).map { ($0 + 1) % options.count } ?? 0
    return choose(sound: options[next].track)
  }

  /// Selects a sound track. Returns a message.
  func choose(sound track: AssetTrack) -> TerminalText {
    let options = playable(.audible)
    guard let index = options.firstIndex(where: { $0.track == track }) else { return "no decoder for this track" }
    if options[index] != sound {
      session.chosenSound = track
      subtitles.spoken = options[index].language
      // Without video, the sound track is what the pane displays.
      if videoTrack == nil {
        replaceItem(with: PlayerItem(asset: asset, soundTrack: track))
      } else {
        player.currentItem?.select(audioTrack: track)
      }
    }
    return "sound: \(name(of: options[index], .audible)) (\(index + 1)/\(options.count))"
  }

  private func name(of option: MediaSelectionOption, _ characteristic: MediaCharacteristic) -> String {
    clip.facts?.mediaSelectionGroup(for: characteristic)?.displayNameBeforePlace(of: option) ?? option.displayName
  }

  private func playable(_ characteristic: MediaCharacteristic) -> [MediaSelectionOption] {
    clip.facts?.mediaSelectionGroup(for: characteristic)?.options.filter(\.isPlayable) ?? []
  }
}
