import Pixels
import Playback

/// The state of composing one movie.
struct MovieComposing {
  let document: MovieDocument
  let movie: String
  var clips: ClipFacts
  var composition = Composition()
  var problems: [FileError] = []
  /// The paths of the files named so far.
  var paths: [String: String] = [:]

  /// The duration of a missing piece whose duration is unknown.
  private static let missingLength = MediaTime(value: 3, timescale: 1)

  init(_ document: MovieDocument, _ movie: String, _ clips: ClipFacts) {
    self.document = document
    self.movie = movie
    self.clips = clips
    composition.title = document.title
    composition.videoComposition.renderSize = document.output.size
    composition.videoComposition.pixelFormat = document.output.pixelFormat
    composition.videoComposition.blending = document.output.blending
    composition.audioMix.crossfade = document.crossfade
    composition.videoComposition.frameDuration = document.output.rate.map { MediaTime(frames: 1, at: $0) }
  }

  mutating func note(_ line: Int?, _ message: String) {
    problems.append(FileError(file: movie, line: line, message: message))
  }

  /// The line to blame for a failure: that of the points if they are the reason, else that of the clip.
  func line(_ line: SourceLine, of failure: PlaybackError) -> Int? {
    failure.reason == .invalidEdit ? line.number(of: "in", "out") : line.number(of: "clip", "image")
  }

  // MARK: - Pieces

  mutating func addPieces() {
    var track = 0
    // The part of the previous piece that a transition may still overlap.
    var free = MediaTime.zero
    for (number, piece) in document.pieces.enumerated() {
      let what = "piece \(number + 1)"
      if case .clip(let clip) = piece.content { noteMoved(clip.path, piece.line.number(of: "clip"), what) }
      let (stretch, problem) = stretch(of: piece)
      if let problem { note(problem.line, "\(what): \(problem.text)") }
      if case .clip(let shown) = stretch, case .clip(let clip) = piece.content { noteEnds(of: clip, shown, piece.line, what) }
      var start = composition.duration
      if let transition = piece.transition, number > 0 {
        let length = transition.length
        if length <= free, length <= stretch.length, length > .zero {
          let former = track
          track = 1 - track
          start = start - length
          composition.videoComposition.instructions.append(
            VideoCompositionInstruction(
              timeRange: TimeRange(start: start, duration: length), transition: VideoTransition(transition.kind), from: former,
              to: track))
        } else {
          note(
            piece.line.number(of: "transition"),
            "\(what): transition: at most \(min(free, stretch.length).seconds) s fits between these pieces; replaced by a cut")
        }
      }
      insert(stretch, of: piece, what, at: start, track: track)
      free = composition.duration - max(start, composition.videoComposition.instructions.last?.timeRange.end ?? .zero)
    }
  }

  /// A stretch of a clip and how it is shown.
  struct Shown {
    var asset: Asset
    /// The range of the clip; empty for a freeze frame.
    var range: TimeRange
    var length: MediaTime
    var isReversed = false
    var videoTrack: Int?
    /// The time for which the clip's first frame is held before the range, or after it when reversed; above 0 if the stretch
    /// starts before its clip.
    var lead = MediaTime.zero
    /// The clip's first timecode, if its times turned out to be timecode.
    var origin: Timecode?
  }

  /// The content of a piece.
  private enum Stretch {
    case clip(Shown)
    case empty(MediaTime)
    case missing(String, reason: String, MediaTime, line: Int?)

    var length: MediaTime {
      switch self {
      case .clip(let shown): shown.length
      case .empty(let length), .missing(_, _, let length, _): length
      }
    }
  }

  /// Inserts a piece; one that cannot be inserted keeps its place as missing.
  private mutating func insert(_ stretch: Stretch, of piece: MoviePiece, _ what: String, at start: MediaTime, track: Int) {
    var line = piece.line.number(of: "clip")
    do {
      switch stretch {
      case .empty(let length):
        try composition.insertEmpty(TimeRange(start: start, duration: length), track: track)
      case .missing(let name, let reason, let length, let asked):
        line = asked
        try composition.insertMissing(name, reason: reason, duration: length, at: start, track: track)
      case .clip(let shown):
        try composition.insert(shown, at: start, track: track)
        if !piece.sound.isPlain || composition.audioMix.volumes[track] != nil {
          piece.sound.set(from: start, length: shown.length, in: &composition.audioMix.volumes[track, default: AudioVolume()])
        }
      }
    } catch {
      let reason = PlaybackError(ofAny: error).message
      var name = ""
      if case .clip(let clip) = piece.content { name = clip.path }
      note(piece.line.number, "\(what): \(name.isEmpty ? "" : "\(name): ")\(reason)")
      if stretch.length.isNumeric, stretch.length > .zero {
        _ = try? composition.insertMissing(name, reason: reason, duration: stretch.length, at: start, track: track)
      }
    }
    composition.setLine(FileLine(file: movie, number: line), from: start, track: track)
  }

  /// The content of a piece and the problem found, if any.
  private mutating func stretch(of piece: MoviePiece) -> (Stretch, problem: (line: Int?, text: String)?) {
    switch piece.content {
    case .empty(let length): return (.empty(length), nil)
    case .missing(let missing):
      let length = missing.length ?? Self.missingLength
      // The reader has already reported pieces of a timeline, which have no lines.
      let isTold = piece.isOfTimeline && piece.line.number == nil
      let problem = (piece.line.number(of: "missing"), "\(missing.name): \(missing.reason)")
      return (.missing(missing.name, reason: missing.reason, length, line: problem.0), isTold ? nil : problem)
    case .clip(let clip):
      do {
        return (.clip(try shown(of: clip, piece.foreign, track: piece.videoTrack)), nil)
      } catch {
        // By the clip's own rate if known, else by the movie's.
        let known = clip.counted(at: frameRate(of: clip) ?? document.output.rate).length
        let length = known.flatMap { $0.isNumeric && $0 > .zero ? $0 : nil } ?? Self.missingLength
        let failure = PlaybackError(ofAny: error)
        let problem = (line(piece.line, of: failure), "\(clip.path): \(failure.message)")
        return (.missing(clip.path, reason: failure.message, length, line: problem.0), problem)
      }
    }
  }

  /// The clip's frame rate; nil if unknown or not needed.
  private mutating func frameRate(of clip: MovieClip) -> Ratio? {
    let path = path(of: clip.path)
    guard clip.isCountedByClip, (try? checkFile(path)) != nil else { return nil }
    return try? clips.frameRate(of: path, nil)
  }

  /// Checks that a path names a file that can be a clip.
  ///
  /// - Throws: `PlaybackError` if the file does not exist or is a movie.
  func checkFile(_ path: String) throws {
    guard FolderListing.Entry(path: path) != nil || NamePattern(path) != nil else { throw PlaybackError(.notFound, "no such file") }
    if MovieFile.Form(path: path) != nil, MovieFile.isMovie(path) {
      throw PlaybackError(.unknownFormat, "is itself a movie; nested movies are not supported")
    }
  }

  /// Reports a stretch that starts before its clip or ends after it, now or once the clip's duration is known.
  mutating func noteEnds(of clip: MovieClip, _ shown: Shown, _ line: SourceLine, _ what: String) {
    let name = "\(what): \(clip.path)"
    if let origin = shown.origin {
      note(line.number(of: "in"), "\(name): the timeline has no media start time; its times were read as timecode starting at \(origin)")
    }
    if shown.lead > .zero { note(line.number(of: "in"), "\(name): starts before its clip; the first frame is held for \(shown.lead.seconds) s") }
    let line = line.number(of: "out", "for", "in")
    let stretch = ClipStretch(
      name: FileError(file: movie, line: line, message: name).description, asset: shown.asset,
      videoTrack: shown.videoTrack, timeRange: shown.range)
    if let shortfall = stretch.shortfall { return note(line, "\(name): \(shortfall)") }
    if !stretch.isMeasured { composition.unmeasured.append(stretch) }
  }

  /// - Parameters:
  ///   - foreign: the timeline's data on the clip.
  ///   - track: number of the video track, from 1; nil for the preferred one.
  ///   - isHeard: true if only the clip's sound is used.
  /// - Throws: `PlaybackError` if the clip is missing or has no such stretch.
  mutating func shown(of clip: MovieClip, _ foreign: JSONValue?, track: Int?, isHeard: Bool = false) throws -> Shown {
    let path = path(of: clip.path)
    try checkFile(path)
    let videoTrack = try track.map { try clips.videoTrack($0, of: path) }
    let stretch = try clips.stretch(of: clip, foreign, of: path, videoTrack)
    let start = stretch.start
    var shown = Shown(
      asset: clips.asset(path), range: TimeRange(start: max(.zero, start), duration: .zero), length: .zero, videoTrack: videoTrack,
      origin: stretch.origin)
    switch clip.motion {
    case .freezes(let length): shown.length = length
    case .plays(let speed, let end):
      var range = TimeRange(start: start, duration: .zero)
      var length: MediaTime?
      switch end {
      case .clipEnd: range = TimeRange(start: start, end: try isHeard ? clips.soundDuration(of: path) : clips.duration(of: path, videoTrack))
      case .position: range = TimeRange(start: start, end: stretch.end ?? start)
      case .length(let said):
        range = TimeRange(start: start, duration: said.media(at: speed))
        length = said
      }
      guard range.isValid, !range.isEmpty else {
        throw PlaybackError(.invalidEdit, "has no frames between in (\(start.seconds) s) and out")
      }
      shown.length = length ?? range.duration.shown(at: speed)
      shown.isReversed = speed.numerator < 0
      if range.end <= .zero {
        shown.lead = shown.length
        return shown
      }
      if start < .zero { shown.lead = (-start).shown(at: speed) }
      shown.range = TimeRange(start: max(.zero, start), end: range.end)
    }
    return shown
  }

  private mutating func noteBehindEnd(_ marker: MovieMarker, _ kind: String) {
    note(marker.line.number(of: "at"), "\(kind) \"\(marker.name)\" starts after the end of the movie")
  }

  mutating func addMarks() {
    let end = composition.duration
    for marker in document.chapters where marker.time >= end { noteBehindEnd(marker, "chapter") }
    for marker in document.markers where marker.time > end { noteBehindEnd(marker, "marker") }
    let chapters = document.chapters.filter { $0.time < end }.sorted { $0.time < $1.time }
    composition.chapters = chapters.indices.map { number in
      let next = number + 1 < chapters.count ? chapters[number + 1].time : end
      return Chapter(timeRange: TimeRange(start: chapters[number].time, end: next), title: chapters[number].name)
    }
    let markers = document.markers.filter { $0.time <= end }.sorted { $0.time < $1.time }
    composition.markers = markers.map { marker in
      CompositionMarker(timeRange: TimeRange(start: marker.time, end: min(end, marker.time + marker.length)), name: marker.name)
    }
  }
}

extension Composition {
  /// Inserts a stretch as it is shown.
  ///
  /// - Throws: as `insert`.
  mutating func insert(_ shown: MovieComposing.Shown, at start: MediaTime, track: Int) throws {
    func freeze(_ length: MediaTime, at time: MediaTime) throws {
      try insertFreeze(
        at: shown.range.start, of: shown.asset, duration: length, at: time, track: track, videoTrack: shown.videoTrack)
    }
    if shown.range.isEmpty { return try freeze(shown.length, at: start) }
    let length = shown.length - shown.lead
    if shown.lead > .zero, !shown.isReversed { try freeze(shown.lead, at: start) }
    let begin = shown.isReversed ? start : start + shown.lead
    try insert(shown.range, of: shown.asset, at: begin, track: track, videoTrack: shown.videoTrack)
    if shown.isReversed || length != shown.range.duration {
      scale(
        TimeRange(start: begin, duration: shown.range.duration), to: length, isReversed: shown.isReversed, track: track)
    }
    if shown.lead > .zero, shown.isReversed { try freeze(shown.lead, at: begin + length) }
  }
}

extension VideoTransition {
  init(_ kind: MovieTransition.Kind) {
    self =
      switch kind {
      case .dissolve: .crossDissolve
      case .fade(let color): .fade(through: color)
      case .wipe(let angle, let softness): .wipe(angle: angle, softness: softness)
      case .push(let angle): .push(angle: angle)
      }
  }
}
