import Movies
import Playback

/// Names of clips in a movie: from the root while it is in hand, from the movie's folder in its file.
///
/// Names are compared as bytes, because they need not be text.
enum MoviePaths {
  /// The name of a clip in the file of a movie: from the movie's folder where the clip lies below it, else from the root.
  ///
  /// Where a path leads up again, folders are looked up, which may block for as long as a disk does.
  ///
  /// - Parameters:
  ///   - clip: from the root.
  ///   - movie: from the root.
  static func name(of clip: String, inMovieAt movie: String) -> String {
    let clip = FilePath.resolved(FilePath.parts(Asset.bytes(ofPath: clip)))
    let folder = FilePath.resolved(FilePath.parts(Asset.bytes(ofPath: movie))).dropLast()
    guard clip.count > folder.count, clip.starts(with: folder), !clip.contains(FilePath.above) else { return FilePath.text(clip) }
    let name = Array(clip.dropFirst(folder.count).joined(separator: [FilePath.slash]))
    // What stands before a colon could be taken for the kind of an address.
    return Asset.path(ofBytes: name.contains(UInt8(ascii: ":")) ? Array("./".utf8) + name : name)
  }
}

extension MovieDocument {
  /// The movie with other names for its clips.
  func renamed(_ name: (String) -> String) -> MovieDocument {
    func renamed(_ clip: MovieClip) -> MovieClip {
      var clip = clip
      clip.path = name(clip.path)
      return clip
    }
    var result = self
    for index in pieces.indices {
      if case .clip(let clip) = pieces[index].content { result.pieces[index].content = .clip(renamed(clip)) }
    }
    for index in overlays.indices {
      switch overlays[index].content {
      case .text: break
      case .image(let path, let length): result.overlays[index].content = .image(path: name(path), length: length)
      case .clip(let clip): result.overlays[index].content = .clip(renamed(clip))
      }
    }
    return result
  }

  /// The movie with names from the root.
  ///
  /// - Parameters:
  ///   - movie: the file in whose folder its names begin.
  ///   - folder: the present one.
  func rooted(movieAt movie: String, folder: String) -> MovieDocument {
    renamed { FilePath.absolute(MovieClip(path: $0).path(fromMovieAt: movie), in: folder) }
  }

  /// Names of the files that it is made of.
  var files: [String] {
    var files: Set<String> = []
    _ = renamed { name in
      files.insert(name)
      return name
    }
    return files.sorted()
  }
}
