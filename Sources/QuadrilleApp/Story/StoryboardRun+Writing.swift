import Movies
import Playback

extension StoryboardRun.Saved {
  /// Writes a run to a file from which it can be resumed; may block on disk access.
  ///
  /// The storyboard's path is relative to the current folder. Saved runs may be overwritten even if they are in use.
  func write(into file: TypedFile) -> TypedFile.Outcome {
    let folder = FilePath.currentFolder
    var run = self
    run.storyboard = storyboard.map {
      MoviePaths.name(of: FilePath.absolute($0, in: folder), inMovieAt: FilePath.absolute(file.path, in: folder))
    }
    let file = TypedFile(
      path: file.path, spared: file.spared.filter { !StoryboardRun.Saved.isSaved($0) }, mayReplace: file.mayReplace)
    return file.write {
      try OutputFile(file.path, sparing: file.spared).write(Array(run.text.utf8), sparing: file.spared)
      return []
    }
  }
}
