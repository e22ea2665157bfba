import Movies
import Playback

extension Asset {
  /// What a name that somebody gave stands for: a file, or a movie made of pieces where a file says so by its name.
  ///
  /// Nothing is read before it is loaded.
  static func clip(_ path: String, options: Asset.Options = Asset.Options()) -> Asset {
    guard MovieFile.Form(path: path) != nil else { return Asset(path: path, options: options) }
    return Asset(path: path, options: options) { try composition(path, options) }
  }

  /// Puts a movie together; blocks until that is done.
  ///
  /// - Throws: `PlaybackError`.
  public static func composition(_ path: String, _ options: Asset.Options = Asset.Options()) throws -> Composition {
    do {
      let made = try MovieComposer { Asset(path: $0, options: options) }.compose(path: path)
      var composition = made.composition
      composition.remarks = made.problems.map { "\($0)" }
      return composition
    } catch {
      throw PlaybackError(.damaged, error.line.map { "line \($0): \(error.message)" } ?? error.message)
    }
  }
}
