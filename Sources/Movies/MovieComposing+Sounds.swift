import Playback

/// Sound: volumes of pieces, and clips of which only the sound is used.
extension MovieComposing {
  mutating func addSounds() {
    let end = composition.duration
    for (number, sound) in document.sounds.enumerated() {
      let what = "sound \(number + 1)"
      guard sound.start < end else {
        note(sound.line.number(of: "at"), "\(what): \(sound.clip.path): starts after the end of the movie")
        continue
      }
      noteMoved(sound.clip.path, sound.line.number(of: "clip"), what)
      do {
        try insert(sound, try shown(of: sound.clip, sound.foreign, track: nil, isHeard: true), what)
      } catch {
        let failure = PlaybackError(ofAny: error)
        let line = line(sound.line, of: failure)
        note(line, "\(what): \(sound.clip.path): \(failure.message)")
        let track = freeAudioTrack(at: sound.start)
        let length = sound.clip.counted(at: document.output.rate).length.flatMap { $0 > .zero ? $0 : nil } ?? end - sound.start
        try? composition.insertMissingAudio(
          sound.clip.path, reason: failure.message, duration: length, at: sound.start, audioTrack: track)
        composition.setAudioLine(FileLine(file: movie, number: line), from: sound.start, audioTrack: track)
      }
    }
  }

  private mutating func insert(_ sound: MovieSoundClip, _ shown: Shown, _ what: String) throws {
    guard !shown.isReversed, !shown.range.isEmpty else {
      return note(sound.line.number(of: "speed"), "\(what): \(sound.clip.path): is silent when it plays backwards or stands still")
    }
    let begin = sound.start + shown.lead
    let track = freeAudioTrack(at: begin)
    try composition.insertAudio(shown.range, of: shown.asset, at: begin, audioTrack: track)
    let length = shown.length - shown.lead
    if length != shown.range.duration {
      composition.scaleAudio(TimeRange(start: begin, duration: shown.range.duration), to: length, audioTrack: track)
    }
    composition.setAudioLine(FileLine(file: movie, number: sound.line.number(of: "clip")), from: begin, audioTrack: track)
    let hasVolume = !sound.sound.isPlain || sound.fadeIn > .zero || sound.fadeOut > .zero
    guard hasVolume || composition.audioMix.audioTrackVolumes[track] != nil else { return }
    sound.sound.set(
      from: sound.start, length: shown.length, fadeIn: sound.fadeIn, fadeOut: sound.fadeOut, document.crossfade,
      in: &composition.audioMix.audioTrackVolumes[track, default: AudioVolume()])
  }

  /// The index of the first audio track on which nothing is heard from a time on.
  private func freeAudioTrack(at time: MediaTime) -> Int {
    composition.audioTracks.firstIndex { $0.duration <= time } ?? composition.audioTracks.count
  }
}

extension MovieSound {
  /// The number of straight parts of which a fade along a sine consists; they differ from it by less than half a hundredth.
  private static let fadeParts = 8

  /// Sets the volumes of a stretch in a track's volume, which has none later.
  func set(
    from start: MediaTime, length: MediaTime, fadeIn: MediaTime = .zero, fadeOut: MediaTime = .zero,
    _ crossfade: AudioCrossfade = .equalPower, in track: inout AudioVolume
  ) {
    if isMuted { return track.setVolume(0, at: start) }
    let fades = [(MediaTime.zero, min(fadeIn, length)), (max(.zero, length - fadeOut), length)].filter { $0.0 < $0.1 }
    // Nothing is set on tracks that keep their own volume.
    if volume.isEmpty, fades.isEmpty {
      if !track.ramps.isEmpty { track.setVolume(1, at: start) }
      return
    }
    let parts = crossfade == .linear ? 1 : Self.fadeParts
    var times: Set<MediaTime> = [.zero]
    times.formUnion(volume.map(\.time).filter { $0 < length })
    for (from, to) in fades {
      for part in 0...parts { times.insert(from + (to - from).multiplied(by: Int32(part), dividedBy: Int32(parts))) }
    }
    func fade(_ time: MediaTime) -> Double {
      var value = 1.0
      if fadeIn > .zero { value *= crossfade.volume(time.seconds / fadeIn.seconds) }
      if fadeOut > .zero { value *= crossfade.volume((length - time).seconds / fadeOut.seconds) }
      return value
    }
    let sorted = times.filter { $0 < length }.sorted()
    for (number, time) in sorted.enumerated() {
      let next = number + 1 < sorted.count ? sorted[number + 1] : fades.isEmpty ? time : length
      // A last point after the end of the stretch determines the volume up to there.
      let end = next == time ? volume.first { $0.time > time }.map(\.time) ?? time : next
      track.setVolumeRamp(
        fromStartVolume: Float(volume(after: time) * fade(time)), toEndVolume: Float(volume(before: end, from: time) * fade(end)),
        timeRange: TimeRange(start: start + time, end: start + end))
    }
  }

  /// The volume from a time on.
  private func volume(after time: MediaTime) -> Double {
    guard let last = volume.lastIndex(where: { $0.time <= time }) else { return 1 }
    guard last + 1 < volume.count else { return volume[last].volume }
    let (a, b) = (volume[last], volume[last + 1])
    return a.volume + (b.volume - a.volume) * ((time - a.time).seconds / (b.time - a.time).seconds)
  }

  /// The volume just before a time. The first point changes it at once.
  private func volume(before time: MediaTime, from start: MediaTime) -> Double {
    if let first = volume.first, time <= first.time, start < first.time { return 1 }
    return volume(after: time)
  }
}
