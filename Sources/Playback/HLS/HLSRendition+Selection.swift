import Libav
import Pixels

extension HLSRendition {
  /// Returns the rendition as a track, which is selected by the same rules as those of files.
  ///
  /// - Parameter index: the track's index.
  func track(index: Int) -> AssetTrack { AssetTrack(info(index: index)) }

  /// Returns the rendition as a stream.
  func info(index: Int) -> StreamInfo {
    let media: StreamInfo.Kind =
      switch kind {
      case .audio: .audio
      case .video: .video
      case .subtitles, .closedCaptions: .subtitle
      }
    var info = StreamInfo(of: media, index: index, timeBase: Ratio(1, 90_000))
    info.hasDecoder = true
    (info.isDefault, info.isForced, info.channelCount) = (isDefault, isForced, channelCount)
    if info.kind == .subtitle { info.subtitleForm = .text }
    info.roles = Set(characteristics.compactMap { Self.roles[$0] })
    if kind == .closedCaptions { info.roles.insert(.captions) }
    info.metadata = ["language": language, "title": name.isEmpty ? nil : name].compactMapValues { $0 }
    return info
  }

  /// Purposes of tracks by what playlists say of renditions.
  private static let roles: [String: StreamInfo.Role] = [
    "public.accessibility.describes-video": .visuallyImpaired,
    "public.accessibility.describes-music-and-sound": .hearingImpaired,
    "public.accessibility.transcribes-spoken-dialog": .captions,
    "public.auxiliary-content": .commentary,
  ]
}

extension HLSMultivariantPlaylist {
  /// Returns the indices of a variant's renditions, in the playlist's order.
  func renditions(_ kind: HLSRendition.Kind, of variant: HLSVariant) -> [Int] {
    let group =
      switch kind {
      case .audio: variant.audio
      case .video: variant.video
      case .subtitles: variant.subtitles
      case .closedCaptions: variant.closedCaptions
      }
    return renditions.indices.filter { renditions[$0].kind == kind && renditions[$0].group == group }
  }

  /// Returns a variant's sound or subtitles as options, one of which is the default; nil if it has none.
  ///
  /// The index of each option's track is that of the rendition in the playlist.
  func selectionGroup(_ characteristic: MediaCharacteristic, of variant: HLSVariant) -> MediaSelectionGroup? {
    let indices =
      switch characteristic {
      case .audible: renditions(.audio, of: variant)
      case .legible: renditions(.subtitles, of: variant)
      case .visual: renditions(.video, of: variant)
      }
    return MediaSelectionGroup(characteristic, indices.map { MediaSelectionOption(renditions[$0].track(index: $0)) })
  }
}
