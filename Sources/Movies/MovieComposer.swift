import Pixels
import Playback

/// Puts a movie together from what its document says: opens the clips of which more has to be known than their names.
///
/// Its calls block until that is done. What cannot be had keeps its place, and the rest is as it is meant to be.
public struct MovieComposer: Sendable {
  private let makeAsset: @Sendable (_ path: String) -> Asset

  /// A movie put together, and what of it could not be had.
  public struct Result: Sendable {
    /// What can be played.
    public var composition: Composition
    /// What could not be done as the document says; each names the line.
    public var problems: [FileError]
  }

  /// - Parameter makeAsset: called once for each path, on the thread of the caller.
  public init(makeAsset: @escaping @Sendable (_ path: String) -> Asset = { Asset(path: $0) }) { self.makeAsset = makeAsset }

  /// Puts a movie together.
  ///
  /// - Parameters:
  ///   - movie: the path of its file, in whose folder relative names begin; it stands in problems, too.
  /// - Throws: `FileError` where nothing is left that could be played.
  public func compose(_ document: MovieDocument, movieAt movie: String) throws(FileError) -> Result {
    var work = Composing(document, movie, makeAsset)
    work.addPieces()
    work.addOverlays()
    work.addMarks()
    guard work.composition.duration > .zero else {
      throw work.problems.first ?? FileError(file: movie, line: nil, message: "has no pieces: expected \"pieces:\" with at least one")
    }
    return Result(composition: work.composition, problems: work.problems)
  }

  /// Reads a file and puts its movie together, with what neither could take over.
  ///
  /// - Throws: `FileError`.
  public func compose(path: String) throws(FileError) -> Result {
    let reading = try MovieFile.read(path: path)
    var result = try compose(reading.document, movieAt: path)
    result.problems = reading.remarks.map { FileError(file: path, line: nil, message: $0) } + result.problems
    return result
  }
}

/// The state of putting one movie together.
private struct Composing {
  let document: MovieDocument
  let movie: String
  var clips: ClipFacts
  var composition = Composition()
  var problems: [FileError] = []

  /// How long the place of something is of which nobody knows how long it would be.
  private static let missingLength = MediaTime(value: 3, timescale: 1)

  init(_ document: MovieDocument, _ movie: String, _ makeAsset: @escaping @Sendable (String) -> Asset) {
    self.document = document
    self.movie = movie
    clips = ClipFacts(makeAsset)
    composition.title = document.title
    composition.videoComposition.renderSize = document.output.size
    composition.videoComposition.pixelFormat = document.output.pixelFormat
    composition.videoComposition.frameDuration = document.output.rate.map { MediaTime(frames: 1, at: $0) }
  }

  private mutating func note(_ line: SourceLine, _ message: String) {
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

  /// What is shown of a piece.
  private enum Stretch {
    case clip(Asset, TimeRange, shown: MediaTime, isReversed: Bool, videoTrack: Int?)
    case freeze(Asset, MediaTime, shown: MediaTime, videoTrack: Int?)
    case empty(MediaTime)
    case missing(String, reason: String, MediaTime)

    var length: MediaTime {
      switch self {
      case .clip(_, _, let shown, _, _), .freeze(_, _, let shown, _), .empty(let shown), .missing(_, _, let shown): shown
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
      case .freeze(let asset, let time, let length, let videoTrack):
        try composition.insertFreeze(
          at: time, of: asset, duration: length, at: start, track: track, videoTrack: videoTrack)
      case .clip(let asset, let range, let length, let isReversed, let videoTrack):
        try composition.insert(range, of: asset, at: start, track: track, videoTrack: videoTrack)
        if isReversed || length != range.duration {
          composition.scale(
            TimeRange(start: start, duration: range.duration), to: length, isReversed: isReversed, track: track)
        }
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
      return (.missing(missing.name, reason: missing.reason, length), "\(missing.name): \(missing.reason)")
    case .clip(let clip):
      do {
        return (try stretch(of: clip, track: piece.videoTrack), nil)
      } catch {
        let known = clip.length(rate: document.output.rate)
        let length = known.flatMap { $0.isNumeric && $0 > .zero ? $0 : nil } ?? Self.missingLength
        let reason = PlaybackError(ofAny: error).message
        return (.missing(clip.path, reason: reason, length), "\(clip.path): \(reason)")
      }
    }
  }

  /// - Throws: `PlaybackError`, where the clip cannot be had, or does not have such a stretch.
  private mutating func stretch(of clip: MovieClip, track: Int?) throws -> Stretch {
    let path = clip.path(fromMovieAt: movie)
    guard FolderListing.Entry(path: path) != nil else { throw PlaybackError(.notFound, "no such file") }
    let asset = clips.asset(path)
    let videoTrack = try track.map { try clips.videoTrack($0, of: path) }
    let start = try clip.start.map { try clips.time($0, of: path, videoTrack) } ?? .zero
    switch clip.motion {
    case .freezes(let length): return .freeze(asset, start, shown: length, videoTrack: videoTrack)
    case .plays(let speed, let end):
      let factor = Ratio(abs(speed.numerator), speed.denominator)
      var range: TimeRange
      var shown: MediaTime?
      switch end {
      case .clipEnd: range = TimeRange(start: start, end: try clips.duration(of: path, videoTrack))
      case .position(let position): range = TimeRange(start: start, end: try clips.time(position, of: path, videoTrack))
      case .length(let length):
        range = TimeRange(
          start: start, duration: length.multiplied(by: factor.numerator, dividedBy: factor.denominator))
        shown = length
      }
      guard range.isValid, !range.isEmpty else {
        throw PlaybackError(.invalidEdit, "has nothing between in (\(start.seconds) s) and out")
      }
      return .clip(
        asset, range, shown: shown ?? range.duration.multiplied(by: factor.denominator, dividedBy: factor.numerator),
        isReversed: speed.numerator < 0, videoTrack: videoTrack)
    }
  }

  // MARK: - Overlays, markers and chapters

  mutating func addOverlays() {
    let end = composition.duration
    for (number, overlay) in document.overlays.enumerated() {
      do {
        if let made = try self.overlay(overlay, end: end) { composition.videoComposition.overlays.append(made) }
      } catch {
        note(overlay.line, "overlay \(number + 1): \(PlaybackError(ofAny: error).message)")
      }
    }
  }

  private mutating func overlay(_ overlay: MovieOverlay, end: MediaTime) throws -> CompositionOverlay? {
    let left = end - overlay.start
    guard left > .zero else { throw PlaybackError(.invalidEdit, "begins behind the movie's end") }
    func range(_ length: MediaTime?) -> TimeRange {
      TimeRange(start: overlay.start, duration: min(length ?? left, left))
    }
    func made(_ content: CompositionOverlay.Content, _ range: TimeRange, size: PixelSize? = nil) -> CompositionOverlay {
      CompositionOverlay(
        content, timeRange: range, region: overlay.place.region(size, in: frameSize), opacity: overlay.opacity,
        fadeIn: overlay.fadeIn, fadeOut: overlay.fadeOut)
    }
    switch overlay.content {
    case .text(let text, let length):
      return made(.text(text.split(separator: "\n", omittingEmptySubsequences: false).map { SubtitleLine([SubtitleSpan(String($0))]) }, overlay.place.placement), range(length))
    case .image(let name, let length):
      let path = ClipName.path(name, fromMovieAt: movie)
      let size = try clips.track(of: path, nil).presentationSize
      return made(.image(clips.asset(path)), range(length), size: size)
    case .clip(let clip):
      let size = try clips.track(of: clip.path(fromMovieAt: movie), nil).presentationSize
      switch try stretch(of: clip, track: nil) {
      case .clip(let asset, let source, let shown, false, let track) where shown == source.duration:
        let length = range(shown)
        return made(
          .clip(CompositionClip(asset: asset, timeRange: TimeRange(start: source.start, duration: length.duration), videoTrack: track)),
          length, size: size)
      case .clip(let asset, let source, let shown, let isReversed, let track):
        // What moves in another way is a movie of its own.
        var inner = Composition()
        try inner.append(source, of: asset, videoTrack: track)
        inner.scale(TimeRange(start: .zero, duration: source.duration), to: shown, isReversed: isReversed)
        let length = range(shown)
        return made(
          .clip(
            CompositionClip(
              asset: Asset(composition: inner, path: clip.path), timeRange: TimeRange(start: .zero, duration: length.duration))),
          length, size: size)
      case .freeze(let asset, let time, let shown, let track):
        return made(
          .clip(CompositionClip(asset: asset, timeRange: TimeRange(start: time, duration: .zero), videoTrack: track)),
          range(shown), size: size)
      case .empty, .missing: return nil
      }
    }
  }

  /// Of the movie, as far as it is known before it is loaded.
  private var frameSize: PixelSize? {
    mutating get {
      if let size = document.output.size { return size }
      for piece in document.pieces {
        guard case .clip(let clip) = piece.content else { continue }
        if let track = try? clips.track(of: clip.path(fromMovieAt: movie), nil) { return track.presentationSize }
      }
      return nil
    }
  }

  mutating func addMarks() {
    let end = composition.duration
    let chapters = document.chapters.filter { $0.time < end }.sorted { $0.time < $1.time }
    composition.chapters = chapters.indices.map { number in
      let next = number + 1 < chapters.count ? chapters[number + 1].time : end
      return Chapter(timeRange: TimeRange(start: chapters[number].time, end: next), title: chapters[number].name)
    }
  }
}

extension PlaybackError {
  /// An error of a library's call, in words.
  init(ofAny error: any Error) { self = (error as? PlaybackError) ?? PlaybackError(.system, "\(error)") }
}

extension VideoTransition {
  init(_ kind: MovieTransition.Kind) {
    self =
      switch kind {
      case .dissolve: .crossDissolve
      case .fade(let color): .fade(through: VideoColor(red: color.red, green: color.green, blue: color.blue))
      case .wipe(let angle, let softness): .wipe(angle: angle, softness: softness)
      case .push(let angle): .push(angle: angle)
      }
  }
}

extension OverlayPlace {
  /// The part of the frame in which an image of a size lies; what is larger than the frame is made smaller.
  fileprivate func region(_ size: PixelSize?, in frame: PixelSize?) -> FrameRegion {
    switch self {
    case .named(.full): return .whole
    case .rectangle(let x, let y, let width, let height): return FrameRegion(x: x, y: y, width: width, height: height)
    case .named(let name):
      guard let size, let frame, !size.isEmpty, !frame.isEmpty else { return .whole }
      let shrink = max(1, Double(size.width) / Double(frame.width), Double(size.height) / Double(frame.height))
      let width = Double(size.width) / Double(frame.width) / shrink
      let height = Double(size.height) / Double(frame.height) / shrink
      let (across, down) = name.sides
      return FrameRegion(x: (1 - width) * across, y: (1 - height) * down, width: width, height: height)
    }
  }

  /// Where a text stands.
  fileprivate var placement: SubtitlePlacement {
    var placement = SubtitlePlacement()
    switch self {
    case .named(let name):
      let (across, down) = name.sides
      placement.horizontal = across == 0 ? .left : across == 1 ? .right : .center
      placement.vertical = down == 0 ? .top : down == 1 ? .bottom : .middle
    case .rectangle(let x, let y, let width, _):
      placement.x = x + width / 2
      placement.vertical = .top
      placement.height = .fraction(y)
    }
    return placement
  }
}

extension OverlayPlace.Name {
  /// How far to the right and down it lies: 0, 0.5 or 1.
  fileprivate var sides: (across: Double, down: Double) {
    switch self {
    case .full, .center: (0.5, 0.5)
    case .top: (0.5, 0)
    case .bottom: (0.5, 1)
    case .left: (0, 0.5)
    case .right: (1, 0.5)
    case .topLeft: (0, 0)
    case .topRight: (1, 0)
    case .bottomLeft: (0, 1)
    case .bottomRight: (1, 1)
    }
  }
}
