import Playback

extension Asset {
  /// A movie made of pieces, which is put together when it is loaded.
  ///
  /// - Parameters:
  ///   - path: its file, of which nothing is read before.
  ///   - makeAsset: makes the assets of its clips; called once for each path, on the thread that loads.
  public static func movie(
    _ path: String, options: Asset.Options = Asset.Options(), makeAsset: @escaping @Sendable (_ path: String) -> Asset
  ) -> Asset {
    Asset(path: path, options: options) { try MovieComposer(makeAsset: makeAsset).composition(path: path) }
  }
}

extension MovieComposer {
  /// Reads a file and puts its movie together; what could not be done as it says is told in the composition's remarks.
  ///
  /// - Throws: `PlaybackError`.
  public func composition(path: String) throws(PlaybackError) -> Composition {
    do {
      let made = try compose(path: path)
      var composition = made.composition
      composition.remarks = made.problems.map { "\($0)" }
      return composition
    } catch {
      throw PlaybackError(.damaged, error.withoutFile)
    }
  }
}
