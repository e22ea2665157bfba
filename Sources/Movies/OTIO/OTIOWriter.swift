import Playback

/// Writes a movie as an OpenTimelineIO timeline.
struct OTIOWriter {
  private let movie: MovieDocument
  private let file: String
  private let rate: Ratio?
  private var rates: [Ratio] { rate.map { [$0] } ?? [] }
  private var remarks = Warnings()
  /// Overlays that tracks cannot represent.
  private var otherOverlays: [MovieOverlay] = []
  /// Clips that are only heard and that tracks cannot represent.
  private var otherSounds: [MovieSoundClip] = []
  /// True if pieces are read as silent unless they say otherwise, because there are tracks of sound.
  private var mutes = false
  /// The number of transitions whose kind the format does not know.
  private var otherTransitions = 0

  /// Returns the bytes of the file.
  ///
  /// - Throws: `FileError` if a piece has no known duration but needs one.
  static func write(_ movie: MovieDocument, file: String) throws(FileError) -> ([UInt8], [String]) {
    var writer = OTIOWriter(movie: movie, file: file)
    let timeline = try writer.timeline()
    writer.remarkOnTheRest()
    return (Array((timeline.text(inLines: true) + "\n").utf8), writer.remarks.all)
  }

  private init(movie: MovieDocument, file: String) {
    rate = movie.output.rate
    var said = Warnings()
    self.movie = movie.withKeptNames(fromMovieAt: file).counted(&said)
    self.file = file
    remarks = said
  }

  private mutating func timeline() throws(FileError) -> JSONValue {
    var timeline = Self.object("Timeline.1", movie.foreign)
    timeline["name"] = .string(movie.title ?? "")
    let kept = timeline["global_start_time"]
    if let start = movie.startTimecode, let rate, let time = start.time(at: rate) {
      timeline["global_start_time"] = OTIOTime.json(time, rates: rates, like: kept)
    } else if kept == nil, movie.foreign == nil || movie.startTimecode != nil {
      timeline["global_start_time"] = .null
    } else if kept != nil, movie.startTimecode == nil, rate.flatMap({ OTIOTime.time(kept)?.frames(at: $0) }) != nil {
      timeline["global_start_time"] = .null
    }
    var stack = Self.object("Stack.1", timeline["tracks"])
    if OTIOSchema.name(timeline["tracks"] ?? .null) == nil {
      stack["name"] = "tracks"
      for (key, value) in Self.standard { stack[key] = value }
    }
    if stack["markers"] != nil || !movie.markers.isEmpty {
      stack["markers"] = .array((stack["markers"]?.elements ?? []) + movie.markers.map(marker))
    }
    let tracks = try tracks(stack["children"]?.elements ?? [])
    stack["children"] = .array(tracks)
    timeline["tracks"] = stack
    if let own = own(beside: tracks) { OTIOClip.set("movie", .string(own), in: &timeline) }
    return timeline
  }

  private static let standard: [(String, JSONValue)] = [
    ("source_range", .null), ("effects", []), ("markers", []), ("enabled", .boolean(true)), ("children", []),
  ]

  /// The kept object or a new one, with the fields common to all objects.
  private static func object(_ schema: String, _ kept: JSONValue?) -> JSONValue {
    let isKept = kept.flatMap(OTIOSchema.name) != nil
    var object = isKept ? kept ?? [:] : [OTIOSchema.key: .string(schema), "metadata": kept?["metadata"] ?? [:], "name": ""]
    if object["metadata"] == nil { object["metadata"] = [:] }
    return object
  }

  /// The YAML text of what the format has no place for; nil if there is nothing.
  private func own(beside tracks: [JSONValue]) -> String? {
    var rest = MovieDocument(
      output: movie.output, overlays: otherOverlays, sounds: otherSounds, crossfade: movie.crossfade, chapters: movie.chapters)
    // A time does not tell drop-frame from non-drop-frame, and without a rate there is no time.
    if let start = movie.startTimecode, start.isDropFrame || rate.flatMap({ start.time(at: $0) }) == nil { rest.startTimecode = start }
    let isFound = rate == nil || tracks.first(where: OTIOReader.isShown).flatMap(OTIOReader.rate) == rate
    let saysRate = rate != nil && !(isFound && movie.pieces.contains { $0.transition != nil || $0.length != nil })
    if !isFound { rest.startTimecode = movie.startTimecode }
    let isNothing =
      rest.output.size == nil && rest.output.pixelFormat == nil && rest.output.blending == .coded && rest.overlays.isEmpty && rest.chapters.isEmpty
      && rest.sounds.isEmpty && rest.crossfade == .equalPower
      && rest.startTimecode == nil && !saysRate
    return isNothing ? nil : YAMLMovieWriter.text(of: rest)
  }

  /// Tells what other programs will not see.
  private mutating func remarkOnTheRest() {
    func count(_ number: Int, _ what: String) -> String? { number == 0 ? nil : "\(number) \(what)\(number == 1 ? "" : "s")" }
    let things = [
      movie.output.size.map { _ in "size" }, movie.output.pixelFormat.map { _ in "pixel format" },
      movie.output.blending == .coded ? nil : "linear blending", count(otherTransitions, "transition"),
      count(otherOverlays.count, "overlay"), count(otherSounds.count, "sound"),
      count(movie.pieces.count { !$0.sound.volume.isEmpty } + movie.sounds.count { !$0.sound.volume.isEmpty }, "volume"),
      count(movie.pieces.count { $0.isClip && $0.sound.isMuted != mutes }, mutes ? "audible piece" : "silent piece"),
      movie.crossfade == .equalPower ? nil : "linear crossfades", count(movie.chapters.count, "chapter"),
    ].compactMap { $0 }
    if things.isEmpty { return }
    remarks.add("OpenTimelineIO cannot express \(things.joined(separator: ", ")); kept as metadata, which other programs ignore")
  }

  private func marker(_ marker: MovieMarker) -> JSONValue {
    let kept = marker.foreign
    var item: JSONValue
    if let kept, OTIOSchema.name(kept) == "Marker" {
      item = kept
    } else {
      item = [
        OTIOSchema.key: "Marker.2", "metadata": kept?["metadata"] ?? [:], "name": "", "color": kept?["color"] ?? "RED",
        "marked_range": .null, "comment": "",
      ]
    }
    item["name"] = .string(marker.name)
    item["marked_range"] = OTIOTime.json(start: marker.time, duration: marker.length, rates: rates, like: item["marked_range"])
    return item
  }

  // MARK: - Tracks

  private mutating func tracks(_ kept: [JSONValue]) throws(FileError) -> [JSONValue] {
    var sounds = soundLayers(kept.filter { $0[OTIOSchema.role]?.text == OTIOSound.role })[...]
    mutes = !sounds.isEmpty
    var layers = overlayLayers()[...]
    var tracks: [JSONValue] = []
    var hasMain = false
    for var track in kept {
      let role = track[OTIOSchema.role]?.text
      track[OTIOSchema.role] = nil
      switch role {
      case "main":
        track["children"] = .array(try mainChildren())
        hasMain = true
      case "overlays":
        let layer = layers.popFirst() ?? Layer()
        var ignored = Warnings()
        let kept = OTIOReader.overlays(track, layer: 1, mutes: mutes, &ignored) ?? []
        let isSame =
          kept.count == layer.overlays.count
          && zip(kept, layer.overlays).allSatisfy {
            $0.content == $1.content && $0.start == $1.start && $0.name == $1.name && $0.sound == $1.sound
          }
        if !isSame { track["children"] = .array(layer.children) }
      case OTIOSound.role: track = sounds.popFirst() ?? track
      default: break
      }
      tracks.append(track)
    }
    tracks += sounds
    if !hasMain {
      tracks.insert(Self.track("V1", try mainChildren()), at: 0)
    }
    if !layers.isEmpty {
      // Above the last video track; sound tracks may follow.
      let place = tracks.lastIndex { ($0["kind"]?.text ?? "Video") == "Video" }.map { $0 + 1 } ?? tracks.count
      tracks.insert(
        contentsOf: layers.enumerated().map { Self.track("V\(place + $0.offset + 1)", $0.element.children) }, at: place)
    }
    return tracks
  }

  private static func track(_ name: String, _ children: [JSONValue], kind: String = "Video") -> JSONValue {
    [
      OTIOSchema.key: "Track.1", "metadata": [:], "name": .string(name), "source_range": .null, "effects": [], "markers": [],
      "enabled": .boolean(true), "children": .array(children), "kind": .string(kind),
    ]
  }

  private mutating func mainChildren() throws(FileError) -> [JSONValue] {
    var children: [JSONValue] = []
    let trimmed = movie.trimmedPieces()
    for (index, piece) in trimmed.enumerated() {
      // A piece that cannot be trimmed was not extended when it was read, either.
      let piece = piece ?? movie.pieces[index]
      if movie.roundsStart(ofPiece: index) {
        remarks.add("piece \(index + 1): the in point is a timecode, rounded to the nearest frame")
      }
      guard let item = OTIOClip.json(piece, rates: rates, mutes: mutes) else {
        throw FileError(
          file: file, line: movie.pieces[index].line.number,
          message: "piece \(index + 1) has no end, which OpenTimelineIO needs; add \"out:\" or \"for:\"")
      }
      if let transition = piece.transition {
        let item = OTIOTransition.json(transition, rates: rates)
        if item["metadata"]?[OTIOSchema.ownMetadata]?["kind"] != nil { otherTransitions += 1 }
        children.append(item)
      }
      let isEnd = index == 0 || index == trimmed.count - 1
      // A track may start or end with a transition: from or to black.
      if isEnd, trimmed.count > 1, piece.content == .empty(.zero) { continue }
      children.append(item)
    }
    return children
  }

  /// A track above the main one.
  private struct Layer {
    var overlays: [MovieOverlay] = []
    var children: [JSONValue] = []
    var end = MediaTime.zero
  }

  /// The tracks above the main one, from the bottom; overlays that no track can represent are set aside.
  private mutating func overlayLayers() -> [Layer] {
    var layers: [Layer] = []
    for overlay in movie.overlays {
      guard let (item, length) = self.item(overlay) else {
        otherOverlays.append(overlay)
        continue
      }
      let wish = overlay.foreign?[OTIOSchema.layer]?.double.map { Int(min(max($0, 1), 1000)) - 1 } ?? 0
      var layer = wish
      // Above all earlier overlays that are visible at the same time.
      if let over = layers.lastIndex(where: { overlay.start < $0.end }) { layer = max(layer, over + 1) }
      while layers.count <= layer { layers.append(Layer()) }
      if layers[layer].end < overlay.start {
        let gap = MoviePiece(.empty(overlay.start - layers[layer].end))
        OTIOClip.json(gap, rates: rates, mutes: false).map { layers[layer].children.append($0) }
      }
      layers[layer].children.append(item)
      layers[layer].overlays.append(overlay)
      layers[layer].end = overlay.start + length
    }
    return layers
  }

  private mutating func item(_ overlay: MovieOverlay) -> (JSONValue, length: MediaTime)? {
    guard case .clip(let said) = overlay.content, overlay.place == .named(.full), overlay.opacity == 1, overlay.fadeIn == .zero,
      overlay.fadeOut == .zero, case let clip = movie.counted(said, &remarks), let length = clip.length
    else { return nil }
    var piece = MoviePiece(.clip(clip), name: overlay.name, sound: overlay.sound)
    piece.foreign = overlay.foreign
    guard var item = OTIOClip.json(piece, rates: rates, mutes: mutes) else { return nil }
    item[OTIOSchema.layer] = nil
    return (item, length)
  }

  // MARK: - Sound

  /// The tracks of sound: the kept ones that have not changed, then others; sounds that no track can represent are set aside.
  private mutating func soundLayers(_ kept: [JSONValue]) -> [JSONValue] {
    var tracks: [JSONValue] = []
    var left = movie.sounds[...]
    for (number, var track) in kept.enumerated() {
      track[OTIOSchema.role] = nil
      var ignored = Warnings()
      let said = OTIOSound.clips(of: track, layer: number + 1, &ignored) ?? []
      let own = left.prefix(said.count)
      let isSame = own.count == said.count
        && zip(said, own).allSatisfy {
          $0.clip == $1.clip && $0.start == $1.start && $0.name == $1.name && $0.sound == $1.sound && $0.fadeIn == $1.fadeIn
            && $0.fadeOut == $1.fadeOut
        }
      guard isSame else { break }
      tracks.append(track)
      left = left.dropFirst(said.count)
    }
    var layers: [Layer] = []
    for sound in left {
      guard let (item, length) = self.item(sound) else {
        otherSounds.append(sound)
        continue
      }
      let layer = layers.firstIndex { $0.end <= sound.start } ?? layers.count
      if layer == layers.count { layers.append(Layer()) }
      if layers[layer].end < sound.start {
        let gap = MoviePiece(.empty(sound.start - layers[layer].end))
        OTIOClip.json(gap, rates: rates, mutes: false).map { layers[layer].children.append($0) }
      }
      layers[layer].children.append(item)
      layers[layer].end = sound.start + length
    }
    return tracks + layers.enumerated().map { Self.track("A\(tracks.count + $0.offset + 1)", $0.element.children, kind: "Audio") }
  }

  private mutating func item(_ sound: MovieSoundClip) -> (JSONValue, length: MediaTime)? {
    let clip = movie.counted(sound.clip, &remarks)
    guard sound.fadeIn == .zero, sound.fadeOut == .zero, let length = clip.length, length > .zero else { return nil }
    var piece = MoviePiece(.clip(clip), name: sound.name, sound: sound.sound)
    piece.foreign = sound.foreign
    guard var item = OTIOClip.json(piece, rates: rates, mutes: false) else { return nil }
    item[OTIOSchema.layer] = nil
    return (item, length)
  }
}
