import Movies
import Playback

/// A story's run on its way into a file, from which it can be gone on with.
struct StorySaving: Sendable {
  enum Outcome: Sendable {
    case written
    /// There is such a file, and nobody has said that it may go.
    case exists
    case failed(FileError)
  }

  /// Its storyboard's file is named from the present folder.
  var run: StoryboardRun.Saved
  /// As it was typed, but for "~".
  var path: String
  /// Files that must not be written, but for saved runs.
  var spared: [String]
  var mayReplace: Bool

  /// Writes the file; may block for as long as a disk does.
  func write() -> Outcome {
    let folder = FilePath.currentFolder
    var run = run
    run.storyboard = run.storyboard.map {
      MoviePaths.name(of: FilePath.absolute($0, in: folder), inMovieAt: FilePath.absolute(path, in: folder))
    }
    let spared = spared.filter { !StoryboardRun.Saved.isSaved($0) }
    do {
      let file = try OutputFile(path, sparing: spared)
      if !mayReplace, FolderListing.Entry(path: path) != nil { return .exists }
      try file.write(Array(run.text.utf8), sparing: spared)
      return .written
    } catch {
      return .failed(FileError(file: path, line: nil, message: (error as? PlaybackError)?.message ?? "cannot be written"))
    }
  }
}
