import Movies
import Playback

/// The files that a run reads, none of which may be overwritten: those that were named, those that these name (the entries of
/// lists and folders, the pieces of movies, the tracks of storyboards), and subtitle files beside clips.
///
/// A value that reads nothing until `paths` is asked for.
public struct InputFiles: Sendable {
  private var clips: [ClipList.Clip] = []
  /// Files whose kind has not been determined.
  private var names: [String]
  /// Files that name no others.
  private var others: [String] = []

  /// - Parameter names: Clips, lists, movies and storyboards.
  public init(_ names: [String] = []) { self.names = names }

  /// The clips, lists, subtitles, settings and session of a run.
  ///
  /// - Parameter includingSession: False for the files that the session itself must not overwrite.
  public init(_ options: PlayOptions, includingSession: Bool = true) {
    self.init()
    if includingSession { add([options.files.session].compactMap { $0 }) }
    for list in options.clips { add(list) }
    add(options.subtitles.files)
    add([options.files.settings].compactMap { $0 })
  }

  /// Adds a list's clips and the file that lists them.
  mutating func add(_ list: ClipList) {
    clips += list.clips
    others += list.files
  }

  /// Adds the clips of a movie with absolute paths.
  mutating func add(_ movie: MovieDocument) { names += movie.files }

  /// Adds subtitles or other files that name no clips.
  mutating func add(_ files: [String]) { others += files.flatMap(SubtitleFile.parts) }

  /// The paths of all files. Reads movies and storyboards, but opens no clips; may block on disk access.
  ///
  /// A pipe is not read, because that would take its contents from the reader it is meant for.
  public var paths: [String] {
    // By bytes: names that are equal in Swift may be different files.
    var seen: Set<[UInt8]> = []
    var found: [String] = []
    var waiting = clips + names.flatMap(ClipListReader().listed).map(Self.clip)
    while let clip = waiting.popLast() {
      guard seen.insert(Array(clip.path.utf8)).inserted else { continue }
      found += clip.sequence?.paths ?? [clip.path]
      if clip.kind != .clip, InputText.isRegularFile(clip.path) { waiting += Self.clips(namedBy: clip) }
    }
    return others + names.filter(Playlist.isNamed) + found + SubtitleFile.paths(besideClips: found)
  }

  /// The files that a movie or a storyboard names; none if it cannot be read.
  private static func clips(namedBy file: ClipList.Clip) -> [ClipList.Clip] {
    switch file.kind {
    case .clip: return []
    case .movie:
      let names = (try? MovieFile.read(path: file.path))?.document.files ?? []
      return names.map { clip(MovieClip(path: $0).foundPath(fromMovieAt: file.path)) }
    case .storyboard:
      if StoryboardRun.Saved.isSaved(file.path) {
        let story = (try? StoryboardRun.Saved.read(file.path))?.storyboard
        return story.map { [ClipList.Clip(path: $0, kind: .storyboard)] } ?? []
      }
      guard let storyboard = (try? StoryboardFile.read(file.path))?.storyboard else { return [] }
      return storyboard.trackIDs.compactMap { id in
        switch storyboard[id].source {
        case .clip(let path): clip(MovieClip(path: path).path(fromMovieAt: file.path))
        case .movie(let path): ClipList.Clip(path: MovieClip(path: path).path(fromMovieAt: file.path), kind: .movie)
        case .missing: nil
        }
      }
    }
  }

  private static func clip(_ path: String) -> ClipList.Clip { ClipListReader().clip(path) }
}
