extension PlayerItem {
  /// The sound track being played; nil if the item has none, or before it is ready.
  public var audioTrack: AssetTrack? {
    guard let facts = asset?.loadedValue(of: .facts) else { return nil }
    return track(of: facts)
  }

  /// Plays another sound track, from the current time on.
  ///
  /// - Parameter track: one of the asset's tracks; nil for the preferred one.
  public func select(audioTrack track: AssetTrack?) {
    soundChoice = track.map { .track($0) } ?? .preferred
    currentPlayer?.sound?.restart()
  }

  private func track(of facts: AssetFacts) -> AssetTrack? {
    switch soundChoice {
    case .preferred: facts.preferredSoundTrack
    case .track(let track): facts.tracks.contains(track) ? track : nil
    }
  }

  /// Opens the sound track to read its samples; blocks. Returns nil if the item has no sound.
  ///
  /// - Throws: an error if it cannot be read.
  func openSound(_ form: SoundForm) throws -> (any SampleSource)? {
    guard let asset, let soundSession, let facts = asset.loadedValue(of: .facts), let track = track(of: facts) else { return nil }
    let isRendition = if case .rendition? = track.streamPart { true } else { false }
    let demuxer = try (isRendition ? soundSession.open(rendition: track) : soundSession.open()).demuxer
    guard let stream = demuxer.streams.first(where: { isRendition ? $0.kind == .audio : $0.index == track.index }) else {
      throw PlaybackError(.damaged, "has no such sound track")
    }
    return try SoundReader(demuxer, stream: stream, startTime: facts.startTime, form: form)
  }
}
