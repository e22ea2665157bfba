import Playback

/// Converts an OpenTimelineIO timeline into a movie.
struct OTIOReader {
  private let file: String
  private var remarks = Warnings()
  private var rate: Ratio?
  private var markers: [MovieMarker] = []
  /// True if pieces are silent unless they say otherwise, because the timeline has tracks of sound.
  private var mutes = false

  static func read(_ bytes: [UInt8], file: String) throws(FileError) -> (MovieDocument, [String]) {
    let root: JSONValue
    do {
      root = try JSONReader.read(bytes)
    } catch {
      throw FileError(file: file, line: error.line, message: error.problem)
    }
    guard OTIOSchema.name(root) == "Timeline" else {
      let found = OTIOSchema.name(root).map { "\"\($0.prefix(100))\"" } ?? "something else"
      throw FileError(file: file, line: 1, message: "\(OTIOSchema.key): expected a Timeline, not \(found)")
    }
    var reader = OTIOReader(file: file)
    let movie = try reader.movie(root)
    return (movie, reader.remarks.all)
  }

  private init(file: String) { self.file = file }

  private mutating func movie(_ root: JSONValue) throws(FileError) -> MovieDocument {
    guard var stack = root["tracks"], OTIOSchema.name(stack) == "Stack", var tracks = stack["children"]?.elements else {
      throw FileError(file: file, line: nil, message: "tracks: expected a Stack with children")
    }
    var timeline = root
    var movie = MovieDocument()
    movie.title = root["name"]?.text.flatMap { $0.isEmpty ? nil : $0 }
    takeMarkers(of: &stack, at: .zero, from: .zero, length: nil, speed: Ratio(1, 1))
    if let range = stack["source_range"], !range.isNull { remarks.add("the source range of the timeline is ignored") }

    var ignored = Warnings()
    mutes = tracks.contains { OTIOSound.clips(of: $0, layer: 1, &ignored)?.isEmpty == false }
    let main = tracks.firstIndex(where: Self.isShown)
    if let main {
      rate = Self.rate(of: tracks[main]) ?? OTIOTime.rate(root["global_start_time"])
      movie.output.rate = rate
      movie.pieces = try pieces(&tracks[main])
    } else {
      remarks.add("the timeline has no video track")
    }
    var (layer, soundLayer) = (0, 0)
    for index in tracks.indices where index != main {
      if let main, index > main, Self.isShown(tracks[index]) {
        if let overlays = Self.overlays(tracks[index], layer: layer + 1, mutes: mutes, &remarks) {
          layer += 1
          movie.overlays += overlays
          tracks[index][OTIOSchema.role] = "overlays"
          continue
        }
      }
      if let sounds = OTIOSound.clips(of: tracks[index], layer: soundLayer + 1, &remarks), !sounds.isEmpty {
        soundLayer += 1
        movie.sounds += sounds
        tracks[index][OTIOSchema.role] = .string(OTIOSound.role)
        continue
      }
      remarkOnKept(tracks[index])
    }
    guard movie.sounds.count <= MovieLimits.pieces else {
      throw FileError(file: file, line: nil, message: "more than \(MovieLimits.pieces) sounds")
    }
    stack["children"] = .array(tracks)
    movie.markers = markers
    if let start = OTIOTime.time(root["global_start_time"]), let rate, start.frames(at: rate) != nil {
      movie.startTimecode = Timecode(time: start, at: rate)
    }
    takeOwn(&timeline, &movie)
    timeline["tracks"] = stack
    movie.foreign = timeline
    return movie
  }

  /// Takes over what this program stored in the metadata because the format has no place for it.
  private mutating func takeOwn(_ timeline: inout JSONValue, _ movie: inout MovieDocument) {
    guard let own = timeline["metadata"]?[OTIOSchema.ownMetadata]?["movie"]?.text else { return }
    do throws(FileError) {
      let said = try YAMLMovieReader.read(Array(own.utf8), file: file)
      movie.output = said.output
      movie.output.rate = said.output.rate ?? rate
      movie.overlays += said.overlays
      movie.sounds += said.sounds
      movie.crossfade = said.crossfade
      movie.chapters = said.chapters
      if let start = said.startTimecode { movie.startTimecode = start }
      OTIOClip.set("movie", nil, in: &timeline)
    } catch {
      remarks.add("metadata: \(OTIOSchema.ownMetadata): \(error.message)")
    }
  }

  static func isShown(_ track: JSONValue) -> Bool {
    OTIOSchema.name(track) == "Track" && (track["kind"]?.text ?? "Video") == "Video" && track["enabled"] != .boolean(false)
  }

  /// The frame rate of a main track: that of its first item with one.
  static func rate(of track: JSONValue) -> Ratio? {
    for child in track["children"]?.elements ?? [] {
      let range = child["source_range"].flatMap { $0.isNull ? nil : $0 } ?? OTIOClip.mediaReference(child)?["available_range"]
      if let rate = OTIOTime.rate(range?["duration"]), (1...1000).contains(rate.value) { return rate }
      if let inner = child["children"], inner.elements?.isEmpty == false, let rate = rate(of: child) { return rate }
    }
    return nil
  }

  private mutating func remarkOnKept(_ track: JSONValue) {
    let name = track["name"]?.text.map { "track \"\($0.prefix(100))\"" } ?? "unnamed track"
    let kind = track["kind"]?.text ?? OTIOSchema.name(track) ?? "unknown"
    let reason = track["enabled"] == .boolean(false) ? "is disabled" : "is not shown"
    remarks.add("\(name) (\(kind.prefix(100).lowercased())) \(reason), but kept")
  }

  // MARK: - The main track

  private enum Item {
    case piece(MoviePiece)
    case transition(JSONValue)
  }

  /// Takes the pieces out of the main track.
  private mutating func pieces(_ track: inout JSONValue) throws(FileError) -> [MoviePiece] {
    var items: [Item] = []
    for child in track["children"]?.elements ?? [] { try flatten(child, into: &items, depth: 0) }
    if let range = track["source_range"], !range.isNull, let said = OTIOTime.range(range) {
      if let trimmed = trimmed(items, said) {
        items = trimmed
        track["source_range"] = .null
      } else {
        remarks.add("the source range of the main track is ignored")
      }
    }
    if track["effects"]?.elements?.isEmpty == false { remarks.add("effects on the main track are not shown") }
    var pieces: [MoviePiece] = []
    var transition: MovieTransition?
    for item in items {
      switch item {
      case .piece(var piece):
        piece.transition = transition
        transition = nil
        pieces.append(piece)
      case .transition(let said):
        if transition != nil { remarks.add("two transitions in a row; the first is ignored") }
        transition = OTIOTransition.read(said, remarks: &remarks)
        // Beyond the ends of a track there is black.
        if pieces.isEmpty, transition != nil { pieces.append(MoviePiece(.empty(.zero))) }
      }
    }
    if transition != nil {
      var end = MoviePiece(.empty(.zero))
      end.transition = transition
      pieces.append(end)
    }
    fitTransitions(&pieces)
    for index in pieces.indices.reversed() where pieces[index].length == .zero {
      let next = index + 1 < pieces.count ? pieces[index + 1].transition : nil
      guard pieces[index].transition == nil, next == nil else { continue }
      remarks.add("\"\((pieces[index].name ?? "piece \(index + 1)").prefix(100))\" has no duration; ignored")
      pieces.remove(at: index)
    }
    guard pieces.count <= MovieLimits.pieces else {
      throw FileError(file: file, line: nil, message: "more than \(MovieLimits.pieces) pieces")
    }
    var time = MediaTime.zero
    for index in pieces.indices {
      takeMarkers(of: &pieces[index], at: time)
      time = time + (pieces[index].length ?? .zero)
    }
    takeMarkers(of: &track, at: .zero, from: .zero, length: nil, speed: Ratio(1, 1))
    for index in MovieDocument.overlap(&pieces) {
      let name = pieces[index].name ?? "piece \(index + 1)"
      remarks.add("\"\(name.prefix(100))\" has no range, so its transitions use no frames beyond the cuts")
    }
    track["children"] = []
    track[OTIOSchema.role] = "main"
    return pieces
  }

  /// Trims transitions to the track, and removes those that overlap each other.
  private mutating func fitTransitions(_ pieces: inout [MoviePiece]) {
    for index in pieces.indices.dropFirst() {
      guard var transition = pieces[index].transition else { continue }
      let length = transition.length
      if index == 1, pieces[0].content == .empty(.zero) {
        transition.length = transition.length - transition.cut
        transition.cut = .zero
      }
      if index == pieces.count - 1, pieces[index].content == .empty(.zero) { transition.length = transition.cut }
      if transition.length != length { remarks.add("a transition at the start or end of the track was trimmed to the track") }
      pieces[index].transition = transition.length > .zero ? transition : nil
    }
    for index in pieces.indices {
      let before = pieces[index].transition.map { $0.length - $0.cut } ?? .zero
      let after = index + 1 < pieces.count ? pieces[index + 1].transition?.cut ?? .zero : .zero
      guard let length = pieces[index].length, before + after > length else { continue }
      remarks.add("piece \(index + 1) is shorter than its transitions; replaced by cuts")
      pieces[index].transition = nil
      if index + 1 < pieces.count { pieces[index + 1].transition = nil }
    }
  }

  /// Appends an item, or the items of a nested track.
  private mutating func flatten(_ item: JSONValue, into items: inout [Item], depth: Int) throws(FileError) {
    let schema = OTIOSchema.name(item)
    if schema == "Transition" {
      items.append(.transition(item))
      return
    }
    let children = item["children"]?.elements ?? []
    let isOneTrack = schema == "Track" || schema == "Stack" && children.count == 1
    if isOneTrack, depth < 16, item["enabled"] != .boolean(false), item["effects"]?.elements?.isEmpty ?? true {
      var inner: [Item] = []
      for child in children { try flatten(child, into: &inner, depth: depth + 1) }
      var fits = true
      if let range = item["source_range"], !range.isNull {
        let cut = OTIOTime.range(range).flatMap { trimmed(inner, $0) }
        fits = cut != nil
        inner = cut ?? inner
      }
      if fits {
        remarks.add("a nested \(schema ?? "") was flattened into its pieces")
        items += inner
        return
      }
    }
    items.append(.piece(OTIOClip.piece(item, mutes: mutes, remarks: &remarks)))
  }

  /// The items in a range; nil if there are transitions, unknown durations, or no items in it.
  private func trimmed(_ items: [Item], _ range: (start: MediaTime, duration: MediaTime)) -> [Item]? {
    var result: [Item] = []
    var time = MediaTime.zero
    let end = range.start + range.duration
    for item in items {
      guard case .piece(var piece) = item, let length = piece.length else { return nil }
      let from = max(time, range.start)
      let to = min(time + length, end)
      if from < to {
        guard piece.extend(atStart: time - from, atEnd: to - (time + length)) else { return nil }
        result.append(.piece(piece))
      }
      time = time + length
    }
    return result.isEmpty || time < end || range.start < .zero ? nil : result
  }

  // MARK: - Higher tracks

  /// The overlays for a higher track; nil if overlays cannot represent it exactly.
  static func overlays(_ track: JSONValue, layer: Int, mutes: Bool, _ remarks: inout Warnings) -> [MovieOverlay]? {
    guard track["source_range"]?.isNull ?? true, track["effects"]?.elements?.isEmpty ?? true else { return nil }
    var overlays: [MovieOverlay] = []
    var time = MediaTime.zero
    var said = Warnings()
    for item in track["children"]?.elements ?? [] {
      guard ["Clip", "Gap"].contains(OTIOSchema.name(item)), let length = OTIOClip.duration(item) else { return nil }
      let piece = OTIOClip.piece(item, mutes: mutes, remarks: &said)
      switch piece.content {
      case .clip(let clip):
        var overlay = MovieOverlay(.clip(clip), start: time, place: .named(.full), sound: piece.sound, name: piece.name)
        overlay.foreign = item
        overlay.foreign?[OTIOSchema.layer] = .number("\(layer)")
        overlays.append(overlay)
      case .empty where OTIOSchema.name(item) == "Gap": break
      default: return nil
      }
      time = time + length
    }
    for remark in said.all { remarks.add(remark) }
    return overlays
  }

  // MARK: - Markers

  private mutating func takeMarkers(of piece: inout MoviePiece, at time: MediaTime) {
    guard var item = piece.foreign, let range = OTIOClip.range(item) else { return }
    var speed = Ratio(1, 1)
    if case .clip(let clip) = piece.content, case .plays(let said, _) = clip.motion { speed = said }
    takeMarkers(of: &item, at: time, from: range.start, length: range.duration, speed: speed)
    piece.foreign = item
  }

  /// Moves an object's markers within its range to the movie.
  private mutating func takeMarkers(
    of item: inout JSONValue, at time: MediaTime, from start: MediaTime, length: MediaTime?, speed: Ratio
  ) {
    guard let all = item["markers"]?.elements, !all.isEmpty, speed.numerator > 0 else { return }
    var others: [JSONValue] = []
    for said in all {
      guard let range = OTIOTime.range(said["marked_range"]), markers.count < MovieLimits.pieces,
        range.start >= start, case let after = (range.start - start).shown(at: speed), length.map({ after < $0 }) ?? true
      else {
        others.append(said)
        continue
      }
      var marker = MovieMarker(
        time: time + after, length: range.duration.shown(at: speed), name: said["name"]?.text ?? "")
      marker.foreign = said
      markers.append(marker)
    }
    item["markers"] = .array(others)
  }
}
