import Pixels
import Playback

/// The state of putting one movie together.
struct MovieComposing {
  let document: MovieDocument
  let movie: String
  var clips: ClipFacts
  var composition = Composition()
  var problems: [FileError] = []

  /// How long the place of something is of which nobody knows how long it would be.
  private static let missingLength = MediaTime(value: 3, timescale: 1)

  init(_ document: MovieDocument, _ movie: String, _ clips: ClipFacts) {
    self.document = document
    self.movie = movie
    self.clips = clips
    composition.title = document.title
    composition.videoComposition.renderSize = document.output.size
    composition.videoComposition.pixelFormat = document.output.pixelFormat
    composition.videoComposition.frameDuration = document.output.rate.map { MediaTime(frames: 1, at: $0) }
  }

  mutating func note(_ line: SourceLine, _ message: String) {
    problems.append(FileError(file: movie, line: line.number, message: message))
  }

  // MARK: - Pieces

  mutating func addPieces() {
    var track = 0
    // What of the piece before may still be covered by one that follows.
    var free = MediaTime.zero
    for (number, piece) in document.pieces.enumerated() {
      let (stretch, problem) = stretch(of: piece)
      if let problem { note(piece.line, "piece \(number + 1): \(problem)") }
      if case .clip(let shown) = stretch, case .clip(let clip) = piece.content {
        noteEnd(of: clip, shown, piece.line, "piece \(number + 1)")
      }
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
            piece.line,
            "piece \(number + 1): transition: expected at most \(min(free, stretch.length).seconds) s, which both pieces have left; it is a cut")
        }
      }
      insert(stretch, at: start, track: track)
      free = composition.duration - max(start, composition.videoComposition.instructions.last?.timeRange.end ?? .zero)
    }
  }

  /// A stretch of a clip, and how it is shown.
  struct Shown {
    var asset: Asset
    /// Of the clip; without length where its one frame stands.
    var range: TimeRange
    var length: MediaTime
    var isReversed = false
    var videoTrack: Int?
  }

  /// What is shown of a piece.
  private enum Stretch {
    case clip(Shown)
    case empty(MediaTime)
    case missing(String, reason: String, MediaTime)

    var length: MediaTime {
      switch self {
      case .clip(let shown): shown.length
      case .empty(let length), .missing(_, _, let length): length
      }
    }
  }

  private mutating func insert(_ stretch: Stretch, at start: MediaTime, track: Int) {
    do {
      switch stretch {
      case .empty(let length):
        try composition.insertEmpty(TimeRange(start: start, duration: length), track: track)
      case .missing(let name, let reason, let length):
        try composition.insertMissing(name, reason: reason, duration: length, at: start, track: track)
      case .clip(let shown) where shown.range.isEmpty:
        try composition.insertFreeze(
          at: shown.range.start, of: shown.asset, duration: shown.length, at: start, track: track, videoTrack: shown.videoTrack)
      case .clip(let shown):
        try composition.insert(shown.range, of: shown.asset, at: start, track: track, videoTrack: shown.videoTrack)
        composition.show(shown, from: start, track: track)
      }
    } catch {
      note(SourceLine(), "\(PlaybackError(ofAny: error).message)")
    }
  }

  /// What a piece shows, and what is wrong with it.
  private mutating func stretch(of piece: MoviePiece) -> (Stretch, problem: String?) {
    switch piece.content {
    case .empty(let length): return (.empty(length), nil)
    case .missing(let missing):
      let length = missing.length ?? Self.missingLength
      // Who read it of a timeline, where nothing has a line, has been told.
      let isTold = piece.isOfTimeline && piece.line.number == nil
      return (
        .missing(missing.name, reason: missing.reason, length), isTold ? nil : "\(missing.name): \(missing.reason)"
      )
    case .clip(let clip):
      do {
        return (.clip(try shown(of: clip, track: piece.videoTrack)), nil)
      } catch {
        let known = clip.length(rate: document.output.rate)
        let length = known.flatMap { $0.isNumeric && $0 > .zero ? $0 : nil } ?? Self.missingLength
        let reason = PlaybackError(ofAny: error).message
        return (.missing(clip.path, reason: reason, length), "\(clip.path): \(reason)")
      }
    }
  }

  /// - Throws: `PlaybackError` for what cannot be a clip by its name alone.
  func checkFile(_ path: String) throws {
    guard FolderListing.Entry(path: path) != nil else { throw PlaybackError(.notFound, "no such file") }
    if MovieFile.Form(path: path) != nil, MovieFile.isMovie(path) {
      throw PlaybackError(.unknownFormat, "is a movie itself; movies in the files of movies are not supported")
    }
  }

  /// Tells of a stretch that ends behind its clip, now or when it becomes known how long that is.
  mutating func noteEnd(of clip: MovieClip, _ shown: Shown, _ line: SourceLine, _ what: String) {
    let name = "\(what): \(clip.path)"
    let stretch = ClipStretch(
      name: FileError(file: movie, line: line.number, message: name).description, asset: shown.asset,
      videoTrack: shown.videoTrack, timeRange: shown.range)
    if let shortfall = stretch.shortfall { return note(line, "\(name): \(shortfall)") }
    if !stretch.isMeasured { composition.unmeasured.append(stretch) }
  }

  /// - Parameter track: number of the video track, from 1; nil for the preferred one.
  /// - Throws: `PlaybackError`, where the clip cannot be had, or does not have such a stretch.
  mutating func shown(of clip: MovieClip, track: Int?) throws -> Shown {
    let path = clip.path(fromMovieAt: movie)
    try checkFile(path)
    let asset = clips.asset(path)
    let videoTrack = try track.map { try clips.videoTrack($0, of: path) }
    let start = try clip.start.map { try clips.time($0, of: path, videoTrack) } ?? .zero
    switch clip.motion {
    case .freezes(let length):
      return Shown(asset: asset, range: TimeRange(start: start, duration: .zero), length: length, videoTrack: videoTrack)
    case .plays(let speed, let end):
      let range: TimeRange
      var length: MediaTime?
      switch end {
      case .clipEnd: range = TimeRange(start: start, end: try clips.duration(of: path, videoTrack))
      case .position(let position): range = TimeRange(start: start, end: try clips.time(position, of: path, videoTrack))
      case .length(let said):
        range = TimeRange(start: start, duration: said.media(at: speed))
        length = said
      }
      guard range.isValid, !range.isEmpty else {
        throw PlaybackError(.invalidEdit, "has nothing between in (\(start.seconds) s) and out")
      }
      return Shown(
        asset: asset, range: range, length: length ?? range.duration.shown(at: speed), isReversed: speed.numerator < 0,
        videoTrack: videoTrack)
    }
  }

  mutating func addMarks() {
    let end = composition.duration
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
  /// Lets a stretch that was put in at its own speed be shown as it is to be.
  mutating func show(_ shown: MovieComposing.Shown, from start: MediaTime, track: Int) {
    guard shown.isReversed || shown.length != shown.range.duration else { return }
    scale(
      TimeRange(start: start, duration: shown.range.duration), to: shown.length, isReversed: shown.isReversed, track: track)
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
