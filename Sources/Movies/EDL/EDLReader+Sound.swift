import Playback

/// Sound events.
extension EDLReader {
  /// Adds the sound events: to the pieces of the same clips, or else as clips of their own. Other pieces are silent.
  mutating func addSounds(to movie: inout MovieDocument, after first: Int64) throws(FileError) {
    for event in parser.events where event.isVideo && !event.isHeard {
      for index in made[EDLSoundKey(event)] ?? 0..<0 { pieces[index].sound.isMuted = true }
    }
    let tracks = Dictionary(grouping: parser.events.filter { !$0.isVideo && $0.isHeard }, by: \.track)
    let named = Dictionary(
      parser.events.filter { $0.isVideo && $0.transitionFrames == 0 }.map { ($0.reel, $0) }, uniquingKeysWith: { first, _ in first })
    var known: [Use: Int] = [:]
    for (_, events) in tracks.sorted(by: { $0.key < $1.key }) {
      last = nil
      var former: Int?
      for entry in try entries(of: events) {
        let event = Self.named(entry.event, as: named[entry.event.reel])
        if let pieces = made[EDLSoundKey(event)], !pieces.isEmpty {
          for index in pieces { self.pieces[index].sound.isMuted = false }
          former = nil
          continue
        }
        guard entry.recordIn >= first else {
          remarks.add("line \(event.line): starts before the first track; ignored")
          continue
        }
        let start = time(entry.recordIn - first)
        let fade = time(min(event.transitionFrames, entry.recordOut - entry.recordIn))
        if fade > .zero, let former, movie.sounds[former].clip.length.map({ movie.sounds[former].start + $0 == start }) ?? false,
          let longer = movie.sounds[former].clip.extended(atStart: .zero, atEnd: fade) {
          (movie.sounds[former].clip, movie.sounds[former].fadeOut) = (longer, fade)
        }
        let piece = try piece(event, isTarget: event.toName != nil, frames: entry.recordOut - entry.recordIn)
        guard case .clip(let clip) = piece.content, case .plays(let speed, _) = clip.motion, speed.numerator > 0,
          clip.length.map({ $0 > .zero }) ?? true
        else {
          former = nil
          continue
        }
        guard movie.sounds.count < MovieLimits.pieces else {
          throw FileError(file: file, line: event.line, message: "more than \(MovieLimits.pieces) sounds")
        }
        var sound = MovieSoundClip(clip, start: start, fadeIn: fade, name: piece.name, line: piece.line)
        sound.foreign = piece.foreign
        // Lists name each channel; the whole clip is heard once.
        former = known[Use(clip: clip, start: start)]
        guard former == nil else { continue }
        former = movie.sounds.count
        known[Use(clip: clip, start: start)] = former
        movie.sounds.append(sound)
      }
    }
  }

  /// A use of a clip at a time.
  private struct Use: Hashable {
    var clip: MovieClip
    var start: MediaTime
  }

  /// Returns the event with the names that a video event of the same reel has, if it has none of its own.
  private static func named(_ event: EDLEvent, as other: EDLEvent?) -> EDLEvent {
    guard event.fromName == nil, event.fromFile == nil, event.toName == nil, event.reel != "AX", let other else { return event }
    var event = event
    (event.fromName, event.fromFile, event.missing) = (other.fromName, other.fromFile, other.missing)
    return event
  }
}
