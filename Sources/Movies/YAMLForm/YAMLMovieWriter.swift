import Playback

/// Writes a movie in the YAML format.
struct YAMLMovieWriter {
  private var lines: [String] = []

  /// The text that reads back as the same document.
  static func text(of movie: MovieDocument) -> String {
    var writer = YAMLMovieWriter()
    writer.write(movie)
    return writer.lines.joined(separator: "\n") + "\n"
  }

  private mutating func write(_ movie: MovieDocument) {
    lines.append("quadrille: \(YAMLMovieReader.kind)")
    var fields: [(String, String)] = []
    if let title = movie.title { fields.append(("title", title)) }
    if let size = movie.output.size { fields.append(("size", "\(size.width)x\(size.height)")) }
    if let rate = movie.output.rate { fields.append(("rate", TimeText.text(rate))) }
    if let format = movie.output.pixelFormat { fields.append(("pixel-format", format)) }
    if movie.output.blending != .coded { fields.append(("blending", movie.output.blending.rawValue)) }
    if movie.crossfade != .equalPower { fields.append(("crossfade", movie.crossfade.rawValue)) }
    if let timecode = movie.startTimecode { fields.append(("timecode", timecode.description)) }
    for (key, value) in fields { lines.append("\(key): \(YAMLText.value(value))") }
    list("pieces", movie.pieces.map(Self.fields))
    list("overlays", movie.overlays.map(Self.fields))
    list("sounds", movie.sounds.map(Self.fields))
    list("markers", movie.markers.map(Self.fields))
    list("chapters", movie.chapters.map(Self.fields))
    if let foreign = movie.foreign { lines.append("otio: \(YAMLText.value(foreign.text(inLines: false)))") }
  }

  /// The key whose value is not text.
  private static let flag = "mute"

  private mutating func list(_ key: String, _ items: [[(String, String)]]) {
    if items.isEmpty { return }
    lines.append("\(key):")
    for item in items {
      for (index, (key, value)) in item.enumerated() {
        lines.append("\(index == 0 ? "  - " : "    ")\(key): \(key == Self.flag ? value : YAMLText.value(value))")
      }
    }
  }

  private static func fields(_ piece: MoviePiece) -> [(String, String)] {
    var fields: [(String, String)]
    switch piece.content {
    case .clip(let clip): fields = self.fields(clip)
    case .empty(let length): fields = [("empty", TimeText.text(length))]
    case .missing(let missing):
      fields = [("missing", missing.name), ("reason", missing.reason)]
      if let length = missing.length { fields.append(("for", TimeText.text(length))) }
    }
    if let name = piece.name { fields.append(("name", name)) }
    if let track = piece.videoTrack { fields.append(("track", "\(track)")) }
    add(piece.sound, to: &fields)
    if let transition = piece.transition { fields.append(("transition", TransitionText.text(transition))) }
    add(piece.foreign, "otio", to: &fields)
    add(piece.transition?.foreign, "transition-otio", to: &fields)
    return fields
  }

  private static func add(_ sound: MovieSound, to fields: inout [(String, String)]) {
    if !sound.volume.isEmpty { fields.append(("volume", VolumeText.text(sound.volume))) }
    if sound.isMuted { fields.append((flag, "true")) }
  }

  private static func fields(_ sound: MovieSoundClip) -> [(String, String)] {
    var fields = self.fields(sound.clip)
    fields.append(("at", TimeText.text(sound.start)))
    add(fadeIn: sound.fadeIn, fadeOut: sound.fadeOut, to: &fields)
    add(sound.sound, to: &fields)
    if let name = sound.name { fields.append(("name", name)) }
    add(sound.foreign, "otio", to: &fields)
    return fields
  }

  private static func add(fadeIn: MediaTime, fadeOut: MediaTime, to fields: inout [(String, String)]) {
    guard fadeIn != .zero || fadeOut != .zero else { return }
    let fades = [fadeIn, fadeOut].map { TimeText.text($0) }
    fields.append(("fade", fades[0] == fades[1] ? fades[0] : fades.joined(separator: " ")))
  }

  private static func add(_ foreign: JSONValue?, _ key: String, to fields: inout [(String, String)]) {
    if let foreign { fields.append((key, foreign.text(inLines: false))) }
  }

  private static func fields(_ clip: MovieClip) -> [(String, String)] {
    var fields = [("clip", clip.path)]
    if let start = clip.start { fields.append(("in", TimeText.text(start))) }
    switch clip.motion {
    case .freezes(let length): fields.append(("freeze", TimeText.text(length)))
    case .plays(let speed, let end):
      switch end {
      case .clipEnd: break
      case .position(let position): fields.append(("out", TimeText.text(position)))
      case .length(let length): fields.append(("for", TimeText.text(length)))
      }
      if speed != Ratio(1, 1) { fields.append(("speed", TimeText.text(speed))) }
    }
    return fields
  }

  private static func fields(_ overlay: MovieOverlay) -> [(String, String)] {
    var fields: [(String, String)]
    var standard = OverlayPlace.Name.full
    switch overlay.content {
    case .text(let text, let length):
      standard = .bottom
      fields = [("text", text)] + (length.map { [("for", TimeText.text($0))] } ?? [])
    case .image(let path, let length):
      fields = [("image", path)] + (length.map { [("for", TimeText.text($0))] } ?? [])
    case .clip(let clip): fields = self.fields(clip)
    }
    fields.append(("at", TimeText.text(overlay.start)))
    switch overlay.place {
    case .named(standard): break
    case .named(let name): fields.append(("place", name.rawValue))
    case .rectangle(let x, let y, let width, let height):
      fields.append(("place", [x, y, width, height].map(YAMLText.number).joined(separator: " ")))
    }
    add(fadeIn: overlay.fadeIn, fadeOut: overlay.fadeOut, to: &fields)
    if overlay.opacity != 1 { fields.append(("opacity", YAMLText.number(overlay.opacity))) }
    add(overlay.sound, to: &fields)
    if let name = overlay.name { fields.append(("name", name)) }
    add(overlay.foreign, "otio", to: &fields)
    return fields
  }

  private static func fields(_ marker: MovieMarker) -> [(String, String)] {
    var fields = [("at", TimeText.text(marker.time))]
    if marker.length != .zero { fields.append(("for", TimeText.text(marker.length))) }
    fields.append(("name", marker.name))
    add(marker.foreign, "otio", to: &fields)
    return fields
  }
}
