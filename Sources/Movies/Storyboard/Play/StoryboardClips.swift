import Playback

/// The clips and movies of a storyboard: finds lengths that the file does not give, and joins tracks into compositions.
///
/// Finding lengths opens each clip once and blocks until that is done; joining reads nothing.
public struct StoryboardClips: Sendable {
  /// The storyboard's file.
  public let path: String
  private let makeAsset: @Sendable (_ path: String) -> Asset
  private var facts: ClipFacts
  private var movies: [String: Asset] = [:]
  private var lengths: [StoryboardTrack.Source: MediaTime] = [:]
  private var failures: [StoryboardTrack.Source: PlaybackError] = [:]
  /// The clips and movies that could not be opened, in the order of the attempts, each with its line.
  public private(set) var problems: [FileError] = []

  /// - Parameters:
  ///   - path: the storyboard file, which relative paths are resolved against and problems name.
  ///   - makeAsset: called once for each path, on the caller's thread.
  public init(storyboardAt path: String, makeAsset: @escaping @Sendable (_ path: String) -> Asset = { .named($0) }) {
    self.path = path
    self.makeAsset = makeAsset
    facts = ClipFacts(makeAsset)
  }

  /// The length of a track from its in point to the end of its source; nil if the source cannot be opened.
  public mutating func length(of id: Storyboard.TrackID, in storyboard: Storyboard) -> MediaTime? {
    let track = storyboard[id]
    guard let path = track.source.path else { return track.length }
    var key = track.source.key
    do {
      let whole = try length(of: track.source, at: path)
      let length = whole - (track.inPoint ?? .zero)
      key = "in"
      guard length > .zero else { throw PlaybackError(.invalidEdit, "ends before the track's in point") }
      return length
    } catch {
      let message = "track \"\(track.name)\": \(PlaybackError(ofAny: error).message(naming: path))"
      problems.append(FileError(file: self.path, line: track.line.number(of: key), message: message))
      return nil
    }
  }

  /// Adds a problem for each track whose file does not exist, even if the track gives its length.
  public mutating func findMissing(in storyboard: Storyboard) {
    for track in storyboard.trackIDs.map({ storyboard[$0] }) where failures[track.source] == nil {
      guard let name = track.source.path, case let clip = ClipName.path(name, fromMovieAt: path),
        FolderListing.Entry(path: clip) == nil, (try? ImageSequence.find(clip))?.isEmpty ?? true
      else { continue }
      let message = "track \"\(track.name)\": \(name): no such file"
      problems.append(FileError(file: path, line: track.line.number(of: track.source.key), message: message))
    }
  }

  /// Opens a source and returns its duration.
  ///
  /// - Throws: `PlaybackError`.
  private mutating func length(of source: StoryboardTrack.Source, at path: String) throws -> MediaTime {
    if let known = lengths[source] { return known }
    if let failure = failures[source] { throw failure }
    let name = ClipName.path(path, fromMovieAt: self.path)
    do {
      guard FolderListing.Entry(path: name) != nil || NamePattern(name) != nil else { throw PlaybackError(.notFound, "no such file") }
      let length =
        if case .movie = source { try movie(name).wait(for: .facts).duration } else { try facts.duration(of: name, nil) }
      guard length.isNumeric else { throw PlaybackError(.damaged, "has no known duration") }
      lengths[source] = length
      return length
    } catch {
      let failure = PlaybackError(ofAny: error)
      failures[source] = failure
      throw failure
    }
  }

  private mutating func movie(_ name: String) -> Asset {
    if let known = movies[name] { return known }
    let asset = Asset.movie(name, makeAsset: makeAsset)
    movies[name] = asset
    return asset
  }

  /// The composition of a scene, starting at one of its tracks; the tracks are its chapters.
  ///
  /// - Parameter storyboard: a storyboard whose track lengths are all known.
  public mutating func composition(of scene: Int, from first: Int, in storyboard: Storyboard) -> Composition {
    var composition = Composition()
    composition.title = storyboard.title.isEmpty ? storyboard.scenes[scene].name : storyboard.title
    for track in storyboard.scenes[scene].tracks[first...] {
      guard let length = track.length else { continue }
      let start = composition.duration
      composition.chapters.append(Chapter(timeRange: TimeRange(start: start, duration: length), title: track.name))
      do {
        let asset: Asset
        switch track.source {
        case .missing(let name):
          try composition.insertMissing(name, reason: "has no clip yet", duration: length, at: start)
          continue
        case .clip(let name), .movie(let name):
          if let failure = failures[track.source] {
            try composition.insertMissing(name, reason: failure.message, duration: length, at: start)
            continue
          }
          let path = ClipName.path(name, fromMovieAt: self.path)
          asset = if case .movie = track.source { movie(path) } else { facts.asset(path) }
        }
        try composition.append(TimeRange(start: track.inPoint ?? .zero, duration: length), of: asset)
      } catch {
        // Lengths and points were checked when the file was read; keep the place in any case.
        _ = try? composition.insertEmpty(TimeRange(start: start, duration: length))
      }
    }
    return composition
  }
}
