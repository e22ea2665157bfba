import Playback

/// Reads and writes items of a track, trimmed at the cuts.
enum OTIOClip {
  // MARK: - Reading

  /// The active media reference.
  static func mediaReference(_ item: JSONValue) -> JSONValue? {
    if let references = item["media_references"] {
      return references[item["active_media_reference_key"]?.text ?? "DEFAULT_MEDIA"]
    }
    return item["media_reference"]
  }

  /// The path of the active media reference; nil if it names no file.
  static func path(_ item: JSONValue) -> String? { mediaReference(item)?["target_url"]?.text.flatMap(FileAddress.path) }

  /// The time of the first frame in the media's own time; nil if unknown.
  static func firstMediaTime(_ item: JSONValue) -> MediaTime? {
    OTIOTime.range(mediaReference(item)?["available_range"])?.start
  }

  /// The start of a clip's range, if the time of the media's first frame is unknown.
  static func startWithoutOrigin(_ item: JSONValue) -> (time: MediaTime, rate: Ratio)? {
    guard OTIOSchema.name(item) == "Clip", firstMediaTime(item) == nil, timecode(item) == nil, let range = item["source_range"],
      let start = OTIOTime.range(range)?.start, let rate = OTIOTime.rate(range["start_time"])
    else { return nil }
    return (start, rate)
  }

  /// The timecode that this program stored with a clip's range; nil if the range has changed since.
  private static func timecode(_ item: JSONValue) -> ClipPosition? {
    guard let text = item["metadata"]?[OTIOSchema.ownMetadata]?["in"]?.text, let said = TimeText.position(text),
      case .listed(let code, let rate) = said, code.time(at: rate) == OTIOTime.range(item["source_range"])?.start
    else { return nil }
    return said
  }

  /// The item's range in its own time; nil if unknown.
  static func range(_ item: JSONValue) -> (start: MediaTime, duration: MediaTime)? {
    OTIOTime.range(item["source_range"]) ?? OTIOTime.range(mediaReference(item)?["available_range"])
  }

  /// The duration of an item; nil if unknown.
  static func duration(_ item: JSONValue, depth: Int = 0) -> MediaTime? {
    if let range = range(item) { return range.duration }
    guard depth < 32, let children = item["children"]?.elements else { return nil }
    let durations = children.filter { OTIOSchema.name($0) != "Transition" }.map { duration($0, depth: depth + 1) }
    let known = durations.compactMap { $0 }
    guard known.count == durations.count else { return nil }
    return OTIOSchema.name(item) == "Stack" ? known.max() ?? .zero : known.reduce(.zero, +)
  }

  /// Converts an item into a piece, which keeps the item.
  ///
  /// - Parameter mutes: true if the piece is silent unless its metadata says otherwise.
  static func piece(_ item: JSONValue, mutes: Bool, remarks: inout Warnings) -> MoviePiece {
    let schema = OTIOSchema.name(item) ?? "an object without a schema"
    let name = item["name"]?.text.flatMap { $0.isEmpty ? nil : $0 }
    let called = name.map { "\"\($0.prefix(100))\"" } ?? "unnamed item"
    var piece = MoviePiece(.empty(.zero), name: name)
    piece.foreign = item
    do throws(Unsupported) {
      if item["enabled"] == .boolean(false), let length = duration(item) {
        remarks.add("\(called): disabled; left empty")
        piece.content = .empty(length)
      } else if schema == "Gap" || schema == "Clip" {
        remarkOnEffects(item, called, &remarks)
        piece.content = schema == "Gap" ? try empty(item) : try clip(item)
      } else {
        throw Unsupported(reason: "\(schema) inside a track is not supported")
      }
    } catch {
      remarks.add("\(called): \(error.reason)")
      piece.content = .missing(MissingPiece(name: name ?? schema, reason: error.reason, length: duration(item)))
    }
    if case .clip(let clip) = piece.content {
      let base = FolderListing.name(ofPath: clip.path)
      if name == base || name.map({ base.hasPrefix($0 + ".") }) == true { piece.name = nil }
      if let track = item["metadata"]?[OTIOSchema.ownMetadata]?["track"]?.double, (1...9999).contains(track) {
        piece.videoTrack = Int(track)
      }
      piece.sound = sound(of: item, mutes: mutes)
    }
    return piece
  }

  /// The sound of a clip as this program stored it.
  static func sound(of item: JSONValue, mutes: Bool) -> MovieSound {
    let own = item["metadata"]?[OTIOSchema.ownMetadata]
    var sound = MovieSound(isMuted: mutes)
    if let volume = own?["volume"]?.text { sound.volume = VolumeText.read(volume, rate: nil) ?? [] }
    if case .boolean(let isMuted) = own?["mute"] { sound.isMuted = isMuted }
    return sound
  }

  /// Stores a clip's sound, as far as it is not the one to be expected.
  static func set(_ sound: MovieSound, mutes: Bool, in item: inout JSONValue) {
    set("volume", sound.volume.isEmpty ? nil : .string(VolumeText.text(sound.volume)), in: &item)
    set("mute", sound.isMuted == mutes ? nil : .boolean(sound.isMuted), in: &item)
  }

  private static func remarkOnEffects(_ item: JSONValue, _ called: String, _ remarks: inout Warnings) {
    for effect in item["effects"]?.elements ?? [] where !isTimeWarp(effect) {
      let name = effect["effect_name"]?.text.flatMap { $0.isEmpty ? nil : $0 } ?? OTIOSchema.name(effect) ?? "unnamed"
      remarks.add("\(called): effect \"\(name.prefix(100))\" is not shown")
    }
  }

  private static func isTimeWarp(_ effect: JSONValue) -> Bool {
    ["LinearTimeWarp", "FreezeFrame"].contains(OTIOSchema.name(effect))
  }

  /// The reason why an item cannot be played.
  private struct Unsupported: Error {
    var reason: String
  }

  private static func empty(_ item: JSONValue) throws(Unsupported) -> MoviePiece.Content {
    guard let length = duration(item) else { throw Unsupported(reason: "has no duration") }
    return .empty(length)
  }

  private static func clip(_ item: JSONValue) throws(Unsupported) -> MoviePiece.Content {
    guard let media = mediaReference(item), !media.isNull else { throw Unsupported(reason: "has no media") }
    switch OTIOSchema.name(media) {
    case "ExternalReference": break
    case "MissingReference":
      throw Unsupported(reason: item["metadata"]?[OTIOSchema.ownMetadata]?["reason"]?.text ?? "has no media")
    case "GeneratorReference" where media["generator_kind"]?.text?.lowercased() == "black": return try empty(item)
    case let other: throw Unsupported(reason: "media of type \(other ?? "unknown") is not supported")
    }
    guard let url = media["target_url"]?.text, !url.isEmpty else { throw Unsupported(reason: "has no media") }
    guard let path = FileAddress.path(url) else { throw Unsupported(reason: "network sources are not supported yet") }

    var speed = Ratio(1, 1)
    var isFrozen = false
    for effect in item["effects"]?.elements ?? [] where isTimeWarp(effect) {
      let scalar = effect["time_scalar"]?.double ?? (OTIOSchema.name(effect) == "FreezeFrame" ? 0 : 1)
      if scalar == 0 {
        isFrozen = true
        continue
      }
      guard let ratio = Ratio(nearest: scalar, within: abs(scalar) * 1e-9, largestDenominator: 1_000_000),
        let product = Ratio(
          reducing: Int64(speed.numerator) * Int64(ratio.numerator), Int64(speed.denominator) * Int64(ratio.denominator))
      else { throw Unsupported(reason: "its speed cannot be represented") }
      speed = product
    }
    guard let range = range(item) else {
      if isFrozen { throw Unsupported(reason: "is a freeze frame without a duration") }
      return .clip(MovieClip(path: path, motion: .plays(speed: speed, until: .clipEnd)))
    }
    let start = range.start - (firstMediaTime(item) ?? .zero)
    var clip = MovieClip(path: path, start: timecode(item) ?? .time(start))
    if isFrozen {
      clip.motion = .freezes(range.duration)
    } else if speed == Ratio(1, 1), clip.start?.time != nil {
      clip.motion = .plays(speed: speed, until: .position(.time(start + range.duration)))
    } else {
      clip.motion = .plays(speed: speed, until: .length(range.duration))
    }
    return .clip(clip)
  }

  // MARK: - Writing

  /// The item for a trimmed piece: the kept item if it is still equivalent, else an updated one.
  ///
  /// - Parameter rates: those at which times are counted, as for `OTIOTime`; last, the clip's own.
  /// - Returns: nil for a piece whose duration is unknown.
  static func json(_ piece: MoviePiece, rates: [Ratio], mutes: Bool) -> JSONValue? {
    let kept = piece.foreign ?? .object([])
    let schema = OTIOSchema.name(kept)
    if schema != nil {
      var ignored = Warnings()
      let said = OTIOClip.piece(kept, mutes: mutes, remarks: &ignored)
      if said.content == piece.content, said.name == piece.name, said.videoTrack == piece.videoTrack, said.sound == piece.sound {
        return kept
      }
    }
    switch piece.content {
    case .empty(let length):
      var item = schema == "Gap" ? kept : template("Gap.1", kept)
      item["name"] = .string(piece.name ?? "")
      item["source_range"] = OTIOTime.json(start: .zero, duration: length, rates: rates, like: item["source_range"])
      return item
    case .missing(let missing):
      guard let length = missing.length else { return nil }
      var item = schema == "Clip" ? kept : clipTemplate(kept)
      item["name"] = .string(missing.name)
      set("reason", .string(missing.reason), in: &item)
      let start = OTIOTime.range(item["source_range"])?.start ?? .zero
      item["source_range"] = OTIOTime.json(start: start, duration: length, rates: rates, like: item["source_range"])
      return item
    case .clip(let clip):
      guard var item = json(clip, piece, schema == "Clip" ? kept : clipTemplate(kept), rates) else { return nil }
      if sound(of: item, mutes: mutes) != piece.sound { set(piece.sound, mutes: mutes, in: &item) }
      return item
    }
  }

  private static func json(_ clip: MovieClip, _ piece: MoviePiece, _ kept: JSONValue, _ rates: [Ratio]) -> JSONValue? {
    var item = kept
    item["name"] = .string(piece.name ?? FolderListing.name(ofPath: clip.path))
    item["enabled"] = .boolean(true)
    if path(item) != clip.path {
      var reference: JSONValue = [
        OTIOSchema.key: "ExternalReference.1", "metadata": [:], "name": "", "available_range": .null, "target_url": .null,
      ]
      // Its name, range and metadata belong to the media, wherever the file is.
      if let media = mediaReference(item), OTIOSchema.name(media) == "ExternalReference" { reference = media }
      reference["target_url"] = .string(FileAddress.url(clip.path))
      if var references = item["media_references"] {
        references[item["active_media_reference_key"]?.text ?? "DEFAULT_MEDIA"] = reference
        item["media_references"] = references
      } else {
        item["media_reference"] = reference
      }
    }
    if let track = piece.videoTrack { set("track", .number("\(track)"), in: &item) }
    item["effects"] = .array(effects(clip, item))
    if case .plays(_, .clipEnd) = clip.motion {
      guard clip.start == nil else { return nil }
      item["source_range"] = .null
      return item
    }
    guard let length = clip.length, length >= .zero else { return nil }
    let start: MediaTime
    var (counting, said) = (rates + [clip.rate].compactMap { $0 }, nil as JSONValue?)
    switch clip.start ?? .time(.zero) {
    case .listed(let code, let own):
      guard let time = code.time(at: own) else { return nil }
      (start, counting, said) = (time, [own], .string(TimeText.text(.listed(code, at: own))))
    case let point:
      guard let time = point.time else { return nil }
      start = time + (firstMediaTime(item) ?? .zero)
    }
    item["source_range"] = OTIOTime.json(start: start, duration: length, rates: counting, like: item["source_range"])
    set("in", said, in: &item)
    return item
  }

  private static func effects(_ clip: MovieClip, _ item: JSONValue) -> [JSONValue] {
    let others = (item["effects"]?.elements ?? []).filter { !isTimeWarp($0) }
    func effect(_ name: String, _ scalar: String) -> JSONValue {
      [
        OTIOSchema.key: .string(name + ".1"), "metadata": [:], "name": "", "effect_name": .string(name),
        "time_scalar": .number(scalar),
      ]
    }
    switch clip.motion {
    case .freezes: return others + [effect("FreezeFrame", "0.0")]
    case .plays(Ratio(1, 1), _): return others
    case .plays(let speed, _): return others + [effect("LinearTimeWarp", "\(speed.value)")]
    }
  }

  /// Sets one of this program's own values in an object's metadata.
  static func set(_ key: String, _ value: JSONValue?, in item: inout JSONValue) {
    var metadata = item["metadata"] ?? .object([])
    var own = metadata[OTIOSchema.ownMetadata] ?? .object([])
    own[key] = value
    metadata[OTIOSchema.ownMetadata] = own == .object([]) ? nil : own
    item["metadata"] = metadata
  }

  private static func template(_ schema: String, _ kept: JSONValue) -> JSONValue {
    [
      OTIOSchema.key: .string(schema), "metadata": kept["metadata"] ?? [:], "name": "", "source_range": .null, "effects": [],
      "markers": [], "enabled": .boolean(true),
    ]
  }

  private static func clipTemplate(_ kept: JSONValue) -> JSONValue {
    var item = template("Clip.2", kept)
    let missing: JSONValue = [OTIOSchema.key: "MissingReference.1", "metadata": [:], "name": "", "available_range": .null]
    item["media_references"] = ["DEFAULT_MEDIA": missing]
    item["active_media_reference_key"] = "DEFAULT_MEDIA"
    return item
  }
}
