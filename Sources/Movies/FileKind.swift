/// What a file is that somebody names as a clip: by its name where that tells, else by how it begins.
public enum FileKind: Hashable, Sendable {
  /// A clip, or what cannot be read.
  case clip
  /// A movie made of pieces, in any form that `MovieFile` reads.
  case movie
  /// A storyboard, or a saved run of one.
  case storyboard

  /// Reads up to 4096 bytes of the file, and so may block for as long as a disk does. Pipes and devices are not read.
  ///
  /// - Parameter path: as `Asset.path(ofBytes:)` makes it.
  public init(path: String) {
    let header = FileHeader.value(of: path)
    if StoryboardFile.isTwee(path) || header?.hasPrefix("storyboard") == true {
      self = .storyboard
    } else if MovieFile.Form(path: path) != nil || header?.hasPrefix("movie") == true {
      // What YAML that says nothing of itself lacks is told by whoever reads it as a movie.
      self = .movie
    } else {
      self = .clip
    }
  }
}
