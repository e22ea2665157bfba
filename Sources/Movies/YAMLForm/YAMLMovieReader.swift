import Playback
import YAML

/// Reads a movie in the YAML format.
struct YAMLMovieReader {
  let file: String
  private var rate: Ratio?

  private init(_ file: String) { self.file = file }

  /// The value of the first key.
  static let kind = "movie 1"

  static func read(_ bytes: [UInt8], file: String) throws(FileError) -> MovieDocument {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      let line = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }.map { $0 + 1 }
      throw FileError(file: file, line: line, message: "not valid UTF-8 (write other bytes in file names as \"\\U0010FEnn\")")
    }
    let root: YAMLNode?
    do {
      root = try YAMLNode.read(text)
    } catch {
      let failure = error as? YAMLNode.Failure
      throw FileError(file: file, line: failure?.line, message: failure?.problem ?? "cannot be read")
    }
    guard let root else { throw FileError(file: file, line: nil, message: "empty file; expected \"quadrille: \(kind)\"") }
    try checkKind(root, file)
    var reader = YAMLMovieReader(file)
    return try reader.document(root)
  }

  private static func checkKind(_ root: YAMLNode, _ file: String) throws(FileError) {
    guard case .mapping(let entries) = root.content, let first = entries.first, first.key.text == "quadrille" else {
      throw FileError(file: file, line: root.line, message: "expected \"quadrille: \(kind)\" as the first line")
    }
    if first.value.text == kind { return }
    guard let said = first.value.text else {
      throw FileError(file: file, line: first.key.line, message: "quadrille: expected \"\(kind)\"")
    }
    let words = said.split(separator: " ")
    let isNewer = words.first == "movie" && words.count == 2 && (Int(words[1]) ?? 0) > 1
    let found = "\"\(said.prefix(100))\""
    let message = isNewer ? "\(found) is a newer format; this version reads \"\(kind)\"" : "expected \"\(kind)\", not \(found)"
    throw FileError(file: file, line: first.value.line, message: "quadrille: \(message)")
  }

  // MARK: - The document

  private static let documentKeys = [
    "quadrille", "title", "size", "rate", "pixel-format", "blending", "timecode", "pieces", "overlays", "sounds",
    "crossfade", "markers", "chapters", "otio",
  ]

  private mutating func document(_ root: YAMLNode) throws(FileError) -> MovieDocument {
    let fields = try YAMLFields(root, of: "a movie", known: Self.documentKeys, file: file)
    var movie = MovieDocument()
    movie.title = try fields.text("title")
    movie.output.size = try fields.value(
      "size", expected: "a size such as 1280x720, \(MovieLimits.sizeText)", MovieOutput.size)
    rate = try fields.value("rate", expected: "a frame rate such as 25 or 24000/1001", TimeText.rate)
    movie.output.rate = rate
    movie.output.pixelFormat = try fields.value("pixel-format", expected: "a pixel format such as yuv420p") { text in
      VideoComposition.isPixelFormat(text) ? text : nil
    }
    movie.output.blending = try fields.value("blending", expected: "coded or linear", ColorBlending.init(rawValue:)) ?? .coded
    movie.startTimecode = try fields.value("timecode", expected: "a timecode such as 01:00:00:00", Timecode.init(_:))
    for item in try fields.items("pieces") { movie.pieces.append(try piece(item, isFirst: movie.pieces.isEmpty)) }
    for item in try fields.items("overlays") { movie.overlays.append(try overlay(item)) }
    for item in try fields.items("sounds") { movie.sounds.append(try soundClip(item)) }
    movie.crossfade =
      try fields.value("crossfade", expected: "equal-power or linear", AudioCrossfade.init(rawValue:)) ?? .equalPower
    for item in try fields.items("markers") { movie.markers.append(try marker(item, "a marker")) }
    for item in try fields.items("chapters") { movie.chapters.append(try marker(item, "a chapter")) }
    movie.foreign = try fields.foreign("otio")
    try checkOverlaps(movie.pieces)
    return movie
  }

  /// Checks that each piece is at least as long as its overlaps, if its duration is known without its clip.
  private func checkOverlaps(_ pieces: [MoviePiece]) throws(FileError) {
    for (index, piece) in pieces.enumerated() {
      guard let length = piece.length else { continue }
      let before = piece.transition?.length ?? .zero
      if before > length { throw tooLong(piece, "expected at most \(TimeText.text(length)) s, the duration of this piece") }
      guard index + 1 < pieces.count, let after = pieces[index + 1].transition?.length, before + after > length else { continue }
      throw tooLong(
        pieces[index + 1], "expected at most \(TimeText.text(length - before)) s, what the previous piece has left")
    }
  }

  private func tooLong(_ piece: MoviePiece, _ message: String) -> FileError {
    FileError(file: file, line: piece.line.number(of: "transition"), message: "transition: \(message)")
  }

  // MARK: - Pieces

  private static let clipKeys = ["in", "out", "for", "speed", "freeze"]
  private static let soundKeys = ["volume", "mute"]
  private static let pieceKeys =
    ["clip", "empty", "missing"] + clipKeys + ["reason", "name", "track"] + soundKeys + ["transition", "otio", "transition-otio"]

  private func piece(_ node: YAMLNode, isFirst: Bool) throws(FileError) -> MoviePiece {
    let fields = try YAMLFields(node, of: "a piece", known: Self.pieceKeys, file: file)
    let kinds = ["clip", "empty", "missing"].filter(fields.has)
    guard kinds.count == 1 else {
      throw FileError(file: file, line: node.line, message: "a piece needs exactly one of clip, empty and missing")
    }
    if kinds != ["clip"] {
      let idle = (Self.clipKeys + Self.soundKeys + ["track"]).filter { fields.has($0) && !(kinds == ["missing"] && $0 == "for") }
      if let key = idle.first { throw fields.error(key, "cannot be combined with \(kinds[0])") }
    }
    if kinds != ["missing"], fields.has("reason") { throw fields.error("reason", "only valid with missing") }
    let content: MoviePiece.Content
    if let path = try fields.path("clip") {
      content = .clip(try clip(path, fields))
    } else if let length = try positive(fields, "empty") {
      content = .empty(length)
    } else {
      content = .missing(
        MissingPiece(
          name: try fields.text("missing") ?? "", reason: try fields.text("reason") ?? "is missing",
          length: try positive(fields, "for")))
    }
    var piece = MoviePiece(content, name: try fields.text("name"), line: SourceLine(node))
    piece.videoTrack = try fields.value("track", expected: "a video track number (1 or higher)") { text in
      Int(text).flatMap { (1...9999).contains($0) ? $0 : nil }
    }
    piece.sound = try sound(fields)
    if let transition = try fields.value("transition", expected: TransitionText.expected, { TransitionText.read($0, rate: rate) })
    {
      if isFirst, transition != nil { throw fields.error("transition", "the first piece cannot have a transition") }
      piece.transition = transition
    }
    piece.foreign = try fields.foreign("otio")
    if let foreign = try fields.foreign("transition-otio") {
      guard piece.transition != nil else { throw fields.error("transition-otio", "only valid with a transition") }
      piece.transition?.foreign = foreign
    }
    return piece
  }

  private func positive(_ fields: YAMLFields, _ key: String) throws(FileError) -> MediaTime? {
    try fields.value(key, expected: TimeText.lengthExpected) { text in
      TimeText.time(text, rate: rate).flatMap { $0 > .zero ? $0 : nil }
    }
  }

  private func clip(_ path: String, _ fields: YAMLFields) throws(FileError) -> MovieClip {
    let start = try fields.value("in", expected: TimeText.positionExpected, TimeText.position)
    // A timeline's transitions may start before the clip does.
    if case .time(let time) = start, time < .zero, !fields.has("otio") {
      throw fields.error(
        "in", "\(TimeText.text(time)) is before the clip's first frame; expected \(TimeText.positionExpected)")
    }
    let out = try fields.value("out", expected: TimeText.positionExpected, TimeText.position)
    let length = try positive(fields, "for")
    let speed = try fields.value("speed", expected: "a speed such as 2, 1/2 or -1; to hold a frame, use \"freeze: DURATION\"") { text in
      TimeText.ratio(text).flatMap { (0.001...1000).contains(abs($0.value)) ? $0 : nil }
    }
    if let freeze = try positive(fields, "freeze") {
      if let key = ["out", "for", "speed"].first(where: fields.has) { throw fields.error(key, "cannot be combined with freeze") }
      return MovieClip(path: path, start: start, motion: .freezes(freeze))
    }
    if out != nil, length != nil { throw fields.error("for", "cannot be combined with out") }
    switch (start ?? .time(.zero), out) {
    case (.time(let a), .time(let b)) where a >= b: throw fields.error("out", "must be after in")
    case (.frame(let a), .frame(let b)) where a >= b: throw fields.error("out", "must be after in")
    default: break
    }
    let end = length.map(MovieClip.End.length) ?? out.map(MovieClip.End.position) ?? .clipEnd
    return MovieClip(path: path, start: start, motion: .plays(speed: speed ?? Ratio(1, 1), until: end))
  }

  // MARK: - Overlays and markers

  private static let overlayKeys = ["text", "image", "clip"] + clipKeys + ["at", "place", "fade", "opacity"] + soundKeys + ["name", "otio"]
  private static let soundClipKeys = ["clip", "in", "out", "for", "speed", "at", "fade"] + soundKeys + ["name", "otio"]

  private func overlay(_ node: YAMLNode) throws(FileError) -> MovieOverlay {
    let fields = try YAMLFields(node, of: "an overlay", known: Self.overlayKeys, file: file)
    let kinds = ["text", "image", "clip"].filter(fields.has)
    guard kinds.count == 1 else {
      throw FileError(file: file, line: node.line, message: "an overlay needs exactly one of text, image and clip")
    }
    if kinds != ["clip"], let key = (Self.clipKeys + Self.soundKeys).first(where: { $0 != "for" && fields.has($0) }) {
      throw fields.error(key, "cannot be combined with \(kinds[0])")
    }
    let content: MovieOverlay.Content
    if let text = try fields.text("text") {
      content = .text(text, length: try positive(fields, "for"))
    } else if let path = try fields.path("image") {
      content = .image(path: path, length: try positive(fields, "for"))
    } else {
      content = .clip(try clip(try fields.path("clip") ?? "", fields))
    }
    guard let start = try moment(fields, "at") else { throw fields.unexpected("at", expected: TimeText.timeExpected) }
    let place = try fields.value("place", expected: Self.placeExpected, Self.place)
    var overlay = MovieOverlay(
      content, start: start, place: place ?? .named(kinds == ["text"] ? .bottom : .full), line: SourceLine(node))
    (overlay.fadeIn, overlay.fadeOut) = try fades(fields)
    overlay.sound = try sound(fields)
    overlay.opacity = try fields.value("opacity", expected: "a number from 0 to 1") { Self.fraction($0) } ?? 1
    overlay.name = try fields.text("name")
    overlay.foreign = try fields.foreign("otio")
    return overlay
  }

  private func fades(_ fields: YAMLFields) throws(FileError) -> (in: MediaTime, out: MediaTime) {
    let fades = try fields.value("fade", expected: "a duration, or two for fade in and fade out (\"0.5 1\")") { text -> [MediaTime]? in
      let words = text.split(separator: " ")
      let times = words.compactMap { TimeText.time(String($0), rate: rate) }.filter { $0 >= .zero }
      return times.count == words.count && (1...2).contains(times.count) ? times : nil
    }
    return (fades?.first ?? .zero, fades?.last ?? .zero)
  }

  private func sound(_ fields: YAMLFields) throws(FileError) -> MovieSound {
    let volume = try fields.value("volume", expected: VolumeText.expected) { VolumeText.read($0, rate: rate) }
    let isMuted = try fields.value("mute", expected: "true or false", YAMLNode.flag)
    return MovieSound(volume: volume ?? [], isMuted: isMuted ?? false)
  }

  private func soundClip(_ node: YAMLNode) throws(FileError) -> MovieSoundClip {
    let fields = try YAMLFields(node, of: "a sound", known: Self.soundClipKeys, file: file)
    guard let path = try fields.path("clip") else { throw fields.unexpected("clip", expected: "a file name") }
    guard let start = try moment(fields, "at") else { throw fields.unexpected("at", expected: TimeText.timeExpected) }
    let clip = try clip(path, fields)
    if case .plays(let speed, _) = clip.motion, speed.numerator < 0 { throw fields.error("speed", "a sound cannot play backwards") }
    var made = MovieSoundClip(clip, start: start, sound: try sound(fields), name: try fields.text("name"), line: SourceLine(node))
    (made.fadeIn, made.fadeOut) = try fades(fields)
    made.foreign = try fields.foreign("otio")
    return made
  }

  private static let placeExpected =
    "a place: x, y, width and height as fractions of the frame (\"0.7 0.1 0.2 0.2\"), or one of \(OverlayPlace.Name.allCases.map(\.rawValue).joined(separator: ", "))"

  private static func fraction(_ text: some StringProtocol) -> Double? {
    Double(text).flatMap { (0...1).contains($0) ? $0 : nil }
  }

  private static func place(_ text: String) -> OverlayPlace? {
    if let name = OverlayPlace.Name(rawValue: text) { return .named(name) }
    let words = text.split(separator: " ")
    let sides = words.compactMap { fraction($0) }
    guard words.count == 4, sides.count == 4, sides[2] > 0, sides[3] > 0 else { return nil }
    return .rectangle(x: sides[0], y: sides[1], width: sides[2], height: sides[3])
  }

  private func moment(_ fields: YAMLFields, _ key: String) throws(FileError) -> MediaTime? {
    try fields.value(key, expected: TimeText.timeExpected) { text in
      TimeText.time(text, rate: rate).flatMap { $0 >= .zero ? $0 : nil }
    }
  }

  private func marker(_ node: YAMLNode, _ what: String) throws(FileError) -> MovieMarker {
    let fields = try YAMLFields(node, of: what, known: ["at", "for", "name", "otio"], file: file)
    guard let time = try moment(fields, "at") else { throw fields.unexpected("at", expected: TimeText.timeExpected) }
    var marker = MovieMarker(
      time: time, length: try positive(fields, "for") ?? .zero, name: try fields.text("name") ?? "", line: SourceLine(node))
    marker.foreign = try fields.foreign("otio")
    return marker
  }
}
