import Playback

extension MovieDocument {
  /// The movie with clips named as in the timeline it was read from, if those names still lead to the same files.
  ///
  /// - Parameter movie: the movie file, which relative paths are resolved against.
  func withKeptNames(fromMovieAt movie: String) -> MovieDocument {
    let folder = FilePath.currentFolder
    func file(_ name: String) -> FilePath.Parts {
      let path = FilePath.absolute(ClipName.path(name, fromMovieAt: movie), in: folder)
      return FilePath.resolved(FilePath.parts(Asset.bytes(ofPath: path)))
    }
    func named(_ clip: MovieClip, _ foreign: JSONValue?) -> MovieClip {
      guard let kept = foreign.flatMap(OTIOClip.path), kept != clip.path, file(kept) == file(clip.path) else { return clip }
      var clip = clip
      clip.path = kept
      return clip
    }
    var result = self
    for index in pieces.indices {
      guard case .clip(let clip) = pieces[index].content else { continue }
      result.pieces[index].content = .clip(named(clip, pieces[index].foreign))
    }
    for index in overlays.indices {
      guard case .clip(let clip) = overlays[index].content else { continue }
      result.overlays[index].content = .clip(named(clip, overlays[index].foreign))
    }
    for index in sounds.indices { result.sounds[index].clip = named(sounds[index].clip, sounds[index].foreign) }
    return result
  }
}
