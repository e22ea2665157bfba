import Playback

/// Reads and writes tracks of sound.
enum OTIOSound {
  /// The role of tracks whose clips are in the document.
  static let role = "sounds"

  /// The clips of a track that are heard; nil if this is not an enabled track of sound, or if they cannot represent it.
  ///
  /// - Parameter layer: the number of the track, from 1.
  static func clips(of track: JSONValue, layer: Int, _ remarks: inout Warnings) -> [MovieSoundClip]? {
    guard OTIOSchema.isHeard(track), track["source_range"]?.isNull ?? true, track["effects"]?.elements?.isEmpty ?? true else {
      return nil
    }
    var sounds: [MovieSoundClip] = []
    var time = MediaTime.zero
    var said = Warnings()
    // The transition before the next item, and the last clip if it ends there.
    var transition: MovieTransition?
    var former: Int?
    for item in track["children"]?.elements ?? [] {
      if OTIOSchema.name(item) == "Transition" {
        transition = OTIOTransition.read(item, remarks: &said)
        if let transition, let former { extend(&sounds[former], atEnd: transition.length - transition.cut, by: transition) }
        continue
      }
      guard ["Clip", "Gap"].contains(OTIOSchema.name(item)), let length = OTIOClip.duration(item) else { return nil }
      let piece = OTIOClip.piece(item, mutes: false, remarks: &said)
      former = nil
      switch piece.content {
      case .clip(let clip):
        guard clip.isHeard else {
          said.add("\"\((piece.name ?? clip.path).prefix(100))\" is silent: it plays backwards or stands still")
          break
        }
        var sound = MovieSoundClip(clip, start: time, sound: piece.sound, name: piece.name)
        if let transition, transition.cut <= time, let longer = clip.extended(atStart: transition.cut, atEnd: .zero) {
          (sound.clip, sound.start, sound.fadeIn) = (longer, time - transition.cut, transition.length)
        }
        sound.foreign = item
        sound.foreign?[OTIOSchema.layer] = .number("\(layer)")
        former = sounds.count
        sounds.append(sound)
      case .empty: break
      case .missing(let missing): said.add("\"\(missing.name.prefix(100))\" is silent: \(missing.reason)")
      }
      transition = nil
      time = time + length
    }
    for remark in said.all { remarks.add(remark) }
    return sounds
  }

  private static func extend(_ sound: inout MovieSoundClip, atEnd length: MediaTime, by transition: MovieTransition) {
    guard let longer = sound.clip.extended(atStart: .zero, atEnd: length) else { return }
    (sound.clip, sound.fadeOut) = (longer, transition.length)
  }
}

extension MovieClip {
  /// True if it plays forwards.
  fileprivate var isHeard: Bool {
    if case .plays(let speed, _) = motion { speed.numerator > 0 } else { false }
  }
}
