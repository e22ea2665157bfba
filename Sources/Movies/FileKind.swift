/// The kind of a file given as a clip, determined by its name or else by its first key.
public enum FileKind: Hashable, Sendable {
  /// A clip, or a file that cannot be read.
  case clip
  /// A movie file, in any format that `MovieFile` reads.
  case movie
  /// A storyboard, or a saved run of one.
  case storyboard

  /// Determines the kind of a file. Reads at most 4096 bytes, which may block on a slow disk. Pipes and devices are not read.
  ///
  /// - Parameter path: as `Asset.path(ofBytes:)` makes it.
  public init(path: String) {
    let header = FileHeader.value(of: path)
    if StoryboardFile.isTwee(path) || header?.hasPrefix("storyboard") == true {
      self = .storyboard
    } else if MovieFile.Form(path: path) != nil || MovieFile.isBundle(path) || header?.hasPrefix("movie") == true {
      // YAML without a first key `quadrille` counts as a movie; reading it reports what is missing.
      self = .movie
    } else {
      self = .clip
    }
  }
}
