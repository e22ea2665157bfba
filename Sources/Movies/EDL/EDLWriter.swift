import PlainText
import Playback

/// Writes a movie as an edit decision list (CMX 3600).
struct EDLWriter {
  private let movie: MovieDocument
  private let file: String
  private let rate: Ratio
  private let isDropFrame: Bool
  private let start: Int64
  private var remarks = Warnings()
  private var lines: [String] = []
  /// True if the list names the sound: some pieces are silent, or clips are only heard.
  private let listsSound: Bool

  /// Returns the bytes of the list.
  ///
  /// - Throws: `FileError` if a piece has no known duration, or the movie has no rate.
  static func write(_ movie: MovieDocument, file: String) throws(FileError) -> ([UInt8], [String]) {
    var writer = try EDLWriter(movie, file)
    try writer.write()
    // File names are bytes, not text.
    let bytes = writer.lines.flatMap { Asset.bytes(ofPath: $0) + [UInt8(ascii: "\n")] }
    return (bytes, writer.remarks.all)
  }

  private init(_ movie: MovieDocument, _ file: String) throws(FileError) {
    guard let rate = movie.output.rate, Timecode.framesPerSecond(at: rate) != nil else {
      throw FileError(file: file, line: nil, message: "an edit decision list needs a frame rate; add one to the movie, such as \"rate: 25\"")
    }
    var movie = movie
    // In a list, the cut is at the start of the overlap.
    for index in movie.pieces.indices { movie.pieces[index].transition?.cut = .zero }
    var said = Warnings()
    movie = movie.counted(&said)
    remarks = said
    listsSound = !movie.sounds.isEmpty || movie.pieces.contains { $0.sound.isMuted }
    self.movie = movie
    self.file = file
    self.rate = rate
    isDropFrame = Timecode.canDropFrames(at: rate) && Self.saysDropFrame(movie)
    start = movie.startTimecode?.frameNumber(at: rate) ?? 0
  }

  private static func saysDropFrame(_ movie: MovieDocument) -> Bool {
    if let start = movie.startTimecode { return start.isDropFrame }
    return movie.pieces.contains { piece in
      guard case .clip(let clip) = piece.content, case .listed(let code, _) = clip.start else { return false }
      return code.isDropFrame
    }
  }

  // MARK: - Events

  /// The source of an event.
  private struct Source {
    var reel: String
    var start: Int64
    var end: Int64
    var isDropFrame: Bool
    var name: String?
    var path: String?
    /// Nil at normal speed.
    var motion: MovieClip.Motion?
    var missing: String?
  }

  private mutating func write() throws(FileError) {
    if let title = movie.title { lines.append("TITLE: \(clean(title))") }
    lines += ["FCM: \(isDropFrame ? "DROP" : "NON-DROP") FRAME", ""]
    var cursor = MediaTime.zero
    var number = 0
    var former: Source?
    var markers = movie.markers.sorted { $0.time < $1.time }[...]
    let trimmed = movie.trimmedPieces()
    for (index, piece) in trimmed.enumerated() {
      guard let piece, let length = piece.length, length >= .zero else {
        throw FileError(
          file: file, line: movie.pieces[index].line.number,
          message: "piece \(index + 1) has no end, which an edit decision list needs; add \"out:\" or \"for:\"")
      }
      let end = cursor + length
      let (from, to) = (frames(cursor), frames(end))
      let source = self.source(piece, length: to - from)
      defer {
        former = source
        cursor = end
      }
      // A piece that is only the source of a transition has no event of its own.
      if to == from { continue }
      number += 1
      let track = listsSound && piece.isHeard ? "AA/V" : "V"
      if let transition = piece.transition {
        let before = former ?? Source(reel: "BL", start: 0, end: 0, isDropFrame: isDropFrame)
        lines.append(event(number, before.reel, "C", (before.end, before.end, before.isDropFrame), from, from, track))
        let kind = kind(transition) + " " + String(frames(transition.length), digits: 3)
        lines.append(event(number, source.reel, kind, (source.start, source.end, source.isDropFrame), from, to, track))
        comment(before, "FROM", isSource: true)
        comment(source, "TO", isSource: false)
      } else {
        lines.append(event(number, source.reel, "C", (source.start, source.end, source.isDropFrame), from, to, track))
        comment(source, "FROM", isSource: false)
      }
      if number == 1 { lines.append("* FRAME RATE: \(TimeText.text(rate))") }
      for text in piece.foreign?["metadata"]?["cmx_3600"]?["comments"]?.elements ?? [] {
        if let text = text.text { lines.append("* \(clean(text))") }
      }
      while let marker = markers.first, marker.time < end || index == trimmed.count - 1 {
        locator(marker)
        markers.removeFirst()
      }
    }
    writeSounds(after: number)
    remarkOnTheRest()
  }

  /// Writes the clips that are only heard, each on the first sound track that is free.
  private mutating func writeSounds(after number: Int) {
    var (number, omitted) = (number, 0)
    var ends: [MediaTime] = []
    for sound in movie.sounds.sorted(by: { $0.start < $1.start }) {
      let clip = movie.counted(sound.clip, &remarks)
      guard let length = clip.length, length > .zero else {
        omitted += 1
        continue
      }
      let (from, to) = (frames(sound.start), frames(sound.start + length))
      guard to > from else { continue }
      let track = ends.firstIndex { $0 <= sound.start } ?? ends.count
      if track == ends.count { ends.append(.zero) }
      ends[track] = sound.start + length
      var piece = MoviePiece(.clip(clip), name: sound.name)
      piece.foreign = sound.foreign
      let source = source(piece, length: to - from)
      number += 1
      let name = track == 0 ? "A" : "A\(track + 1)"
      lines.append(event(number, source.reel, "C", (source.start, source.end, source.isDropFrame), from, to, name))
      comment(source, "FROM", isSource: false)
    }
    if omitted > 0 { remarks.add("an edit decision list cannot store sounds without a known end; \(omitted) omitted") }
  }

  private mutating func remarkOnTheRest() {
    let changed = movie.pieces.count { !$0.sound.volume.isEmpty }
      + movie.sounds.count { !$0.sound.isPlain || $0.fadeIn > .zero || $0.fadeOut > .zero }
    if changed > 0 { remarks.add("an edit decision list cannot store volumes and fades of sound; \(changed) omitted") }
    if listsSound, movie.sounds.isEmpty, !movie.pieces.contains(where: \.isHeard) {
      remarks.add("an edit decision list cannot store that all pieces are silent; omitted")
    }
    if !movie.overlays.isEmpty { remarks.add("an edit decision list cannot store overlays; \(movie.overlays.count) omitted") }
    if !movie.chapters.isEmpty { remarks.add("an edit decision list cannot store chapters; \(movie.chapters.count) omitted") }
    let chosen = movie.pieces.count { $0.videoTrack != nil }
    if chosen > 0 {
      remarks.add("an edit decision list cannot store video track numbers; \(chosen) omitted")
    }
    if movie.output.size != nil || movie.output.pixelFormat != nil {
      remarks.add("an edit decision list cannot store size and pixel format; omitted")
    }
    let kept = (movie.foreign?["tracks"]?["children"]?.elements ?? []).count { $0[OTIOSchema.role] == nil }
    if kept > 0 { remarks.add("an edit decision list cannot store other tracks of a timeline; \(kept) omitted") }
    if movie.output.blending != .coded { remarks.add("an edit decision list cannot store linear blending; omitted") }
  }

  private mutating func frames(_ time: MediaTime) -> Int64 {
    if let exact = time.frames(at: rate) { return exact }
    remarkOnRounding()
    return time.roundedFrames(at: rate) ?? 0
  }

  private mutating func remarkOnRounding() { remarks.add("times between frames were rounded to the nearest frame") }

  private mutating func kind(_ transition: MovieTransition) -> String {
    switch transition.kind {
    case .dissolve: return "D   "
    case .fade, .push:
      remarks.add("fades through a colour and pushes were written as dissolves")
      return "D   "
    case .wipe(let angle, let softness):
      if let kept = transition.foreign?["metadata"]?["cmx_3600"]?["transition"]?.text, EDLWipe.code(ofText: kept) != nil {
        return kept
      }
      let (code, isExact) = EDLWipe.code(of: angle)
      if !isExact || softness != 0 { remarks.add("wipes were rounded to the nearest 45 degrees, without softness") }
      return EDLWipe.text(code)
    }
  }

  // MARK: - Sources

  private mutating func source(_ piece: MoviePiece, length: Int64) -> Source {
    switch piece.content {
    case .empty: return Source(reel: "BL", start: 0, end: length, isDropFrame: isDropFrame)
    case .missing(let missing):
      let start = max(0, frames(piece.foreign.flatMap(OTIOClip.range)?.start ?? .zero))
      return Source(
        reel: reel(piece, "AX"), start: start, end: start + length, isDropFrame: isDropFrame, name: missing.name,
        missing: missing.reason)
    case .clip(let clip):
      var start = sourceFrames(clip.start ?? .time(.zero), piece)
      if start < 0 {
        remarks.add("a transition starts before its clip; the list starts at the clip's first frame")
        start = 0
      }
      var drops = isDropFrame
      if case .listed(let code, _) = clip.start { drops = code.isDropFrame && Timecode.canDropFrames(at: rate) }
      var source = Source(
        reel: reel(piece, clip.path), start: start, end: start + length, isDropFrame: drops,
        name: piece.name ?? FolderListing.name(ofPath: clip.path), path: clip.path)
      switch clip.motion {
      case .freezes:
        source.end = start + 1
        source.motion = clip.motion
      case .plays(let speed, _) where speed != Ratio(1, 1):
        // A partly shown last frame counts as a whole frame.
        let shown = MediaTime(frames: length, at: rate).media(at: speed)
        source.end = start + (shown.roundedFrames(at: rate, rounding: .towardPositiveInfinity) ?? length)
        source.motion = clip.motion
      case .plays: break
      }
      return source
    }
  }

  /// A point of a clip as a frame number of its timecode.
  private mutating func sourceFrames(_ position: ClipPosition, _ piece: MoviePiece) -> Int64 {
    if case .listed(let code, let own) = position {
      guard let place = code.place(of: own, at: rate, dropsNames: code.isDropFrame) else { return 0 }
      if !place.isExact { remarkOnRounding() }
      return place.nearest
    }
    return frames((position.time ?? .zero) + (piece.foreign.flatMap(OTIOClip.firstMediaTime) ?? .zero))
  }

  private func reel(_ piece: MoviePiece, _ path: String) -> String {
    if let kept = piece.foreign?["metadata"]?["cmx_3600"]?["reel"]?.text {
      let words = clean(kept).split(separator: " ")
      if !words.isEmpty { return words.joined(separator: " ") }
    }
    let base = FolderListing.name(ofPath: path).split(separator: ".").first ?? ""
    let letters = base.utf8.filter { (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) }.prefix(8)
    let reel = String(decoding: letters, as: UTF8.self)
    return reel.isEmpty || ["BL", "BLACK", "BARS"].contains(reel) ? "AX" : reel
  }

  // MARK: - Lines

  private func event(
    _ number: Int, _ reel: String, _ kind: String, _ source: (from: Int64, to: Int64, isDropFrame: Bool), _ from: Int64,
    _ to: Int64, _ track: String
  ) -> String {
    let points = [
      code(source.from, source.isDropFrame), code(source.to, source.isDropFrame), code(start + from, isDropFrame),
      code(start + to, isDropFrame),
    ]
    func wide(_ text: String, _ width: Int) -> String { text + String(repeating: " ", count: max(0, width - text.count)) }
    return "\(String(number, digits: 3))  \(wide(reel, 8)) \(wide(track, 5)) \(wide(kind, 8)) \(points.joined(separator: " "))"
  }

  private func code(_ frames: Int64, _ isDropFrame: Bool) -> String {
    Timecode(frameNumber: frames, at: rate, isDropFrame: isDropFrame)?.description ?? "\(frames)"
  }

  private mutating func comment(_ source: Source, _ word: String, isSource: Bool) {
    // The previous event's lines already give its speed.
    if let motion = source.motion, !isSource {
      var speed: Ratio?
      if case .plays(let said, _) = motion { speed = said }
      let code =
        Timecode(frameNumber: source.start, at: rate, isDropFrame: source.isDropFrame)?.text(separator: ":") ?? "00:00:00:00"
      lines.append("M2   \(source.reel)       \(EDLSpeed.text(speed, rate: rate))                \(code)")
      if speed == nil { lines.append("* * FREEZE FRAME") }
    }
    if let name = source.name { lines.append("* \(word) CLIP NAME:  \(clean(name))") }
    if let path = source.path { lines.append("* \(word) FILE: \(clean(path))") }
    if let missing = source.missing, !isSource { lines.append("* MISSING: \(clean(missing))") }
  }

  private mutating func locator(_ marker: MovieMarker) {
    let color = marker.foreign?["metadata"]?["cmx_3600"]?["color"]?.text ?? marker.foreign?["color"]?.text ?? "RED"
    lines.append(
      "* LOC: \(code(start + frames(marker.time), isDropFrame)) \(clean(color).replacing(" ", with: "_"))     \(clean(marker.name))"
    )
  }

  /// The text without line breaks or other control characters.
  private func clean(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 }))
  }
}
