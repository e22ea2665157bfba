/// The files that a movie names.
extension MovieDocument {
  /// The movie with other paths for its clips.
  package func renamed(_ name: (String) -> String) -> MovieDocument {
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
    for index in sounds.indices { result.sounds[index].clip = renamed(sounds[index].clip) }
    return result
  }

  /// Paths of the files it uses, sorted.
  package var files: [String] {
    // By bytes: names that are equal in Swift may be different files.
    var files: [[UInt8]: String] = [:]
    _ = renamed { name in
      files[Array(name.utf8)] = name
      return name
    }
    return files.values.sorted()
  }
}
