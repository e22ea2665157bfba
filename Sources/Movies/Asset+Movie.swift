import Playback

extension Asset {
  /// An asset for a movie file, composed when it is loaded.
  ///
  /// - Parameters:
  ///   - path: the movie file; nothing is read before loading.
  ///   - makeAsset: makes the assets of the clips; called once for each path, on the loading thread.
  public static func movie(
    _ path: String, options: Asset.Options = Asset.Options(), makeAsset: @escaping @Sendable (_ path: String) -> Asset
  ) -> Asset {
    Asset(path: path, options: options) { try MovieComposer(makeAsset: makeAsset).composition(path: path) }
  }
}

extension MovieComposer {
  /// Reads a movie file and composes it; the composition's remarks list all deviations from the file.
  ///
  /// - Throws: `PlaybackError`.
  public func composition(path: String) throws(PlaybackError) -> Composition {
    do {
      let made = try compose(path: path)
      var composition = made.composition
      var remarks = Warnings()
      for problem in made.problems { remarks.add("\(problem)") }
      composition.remarks = remarks.all
      return composition
    } catch {
      throw PlaybackError(.damaged, error.message, line: error.line)
    }
  }
}
