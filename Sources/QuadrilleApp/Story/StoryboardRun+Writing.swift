import Movies
import Playback

extension StoryboardRun.Saved {
  /// Writes a run into a file, from which it can be gone on with; may block for as long as a disk does.
  ///
  /// The run's storyboard is named from the present folder. Other saved runs may be written over, whoever reads them.
  func write(into file: TypedFile) -> TypedFile.Outcome {
    let folder = FilePath.currentFolder
    var run = self
    var file = file
    run.storyboard = storyboard.map {
      MoviePaths.name(of: FilePath.absolute($0, in: folder), inMovieAt: FilePath.absolute(file.path, in: folder))
    }
    file.spared.removeAll { StoryboardRun.Saved.isSaved($0) }
    return file.write {
      try OutputFile(file.path, sparing: file.spared).write(Array(run.text.utf8), sparing: file.spared)
      return []
    }
  }
}
