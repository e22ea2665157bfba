extension PlayerItem {
  /// The sound track being played; nil if the item has none, or before it is ready.
  public var audioTrack: AssetTrack? {
    guard let facts = asset?.loadedValue(of: .facts) else { return nil }
    return track(of: facts)
  }

  /// True if the item has sound that can be decoded, as far as known: of a movie, once a clip with sound has been loaded.
  public var hasSound: Bool { audioTrack != nil || asset?.composition?.soundPresence.isKnown ?? false }

  /// True if the item has sound, or may turn out to have: a movie's clips are not all open.
  var mayHaveSound: Bool { audioTrack != nil || asset?.composition != nil }

  /// True if the item is a clip that has only sound, which is played as the file prefers. It ends with its sound.
  var isSoundAlone: Bool {
    guard let asset, asset.composition == nil, soundChoice == .preferred, let facts = asset.loadedValue(of: .facts) else { return false }
    return facts.preferredVideoTrack == nil
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
    guard let asset, let soundSession, let facts = asset.loadedValue(of: .facts) else { return nil }
    if let composition = asset.composition { return CompositionSound(composition, form, session: soundSession) }
    return try track(of: facts).map { track in
      let reader = try soundSession.openSound(track, startTime: facts.startTime, form)
      return gain(of: track, facts).map { AmplifiedSound(reader, gain: $0) } ?? reader
    }
  }

  /// The gain that the file states for the sound being played, if its asset's options ask for it; nil if there is none.
  public var replayGain: ReplayGain.Gain? {
    guard let facts = asset?.loadedValue(of: .facts) else { return nil }
    return track(of: facts).flatMap { gain(of: $0, facts) }
  }

  private func gain(of track: AssetTrack, _ facts: AssetFacts) -> ReplayGain.Gain? {
    asset.flatMap { facts.replayGain(of: track)?.gain($0.options.replayGain) }
  }
}
