import Playback
import YAML

/// A storyboard file: YAML whose first line is `quadrille: storyboard 1`.
///
/// docs/storyboards.md describes the format.
public struct StoryboardFile: Sendable {
  /// The storyboard.
  public let storyboard: Storyboard
  /// Likely mistakes that do not prevent playing.
  public let warnings: [FileError]

  /// The value of the first key.
  static let kind = "storyboard 1"

  /// Returns true for the file extensions of Twee 3.
  static func isTwee(_ path: String) -> Bool { path.hasSuffix(".twee") || path.hasSuffix(".tw") }

  /// Reads a file or pipe of at most a megabyte. Blocks until it is read.
  ///
  /// - Parameter path: as `Asset.path(ofBytes:)` makes it. Files ending with `.twee` or `.tw` are read as Twee 3.
  /// - Throws: `StoryboardFailure` with all problems.
  public static func read(_ path: String) throws(StoryboardFailure) -> StoryboardFile {
    let text = try text(of: path)
    guard isTwee(path) else { return try StoryboardFile(text: text, name: path) }
    let twee = try TweeFile(text: text, name: path)
    return try twee.storyboardFile()
  }

  static func text(of path: String) throws(StoryboardFailure) -> String {
    if ClipName.networkScheme(path) != nil {
      throw StoryboardFailure("is a network address; expected a file name", file: path)
    }
    let bytes: [UInt8]?
    do {
      bytes = try InputText.read(path, limit: StoryboardLimits.bytes)
    } catch {
      throw StoryboardFailure((error as? PlaybackError)?.message ?? "cannot be read: \(error)", file: path)
    }
    guard let bytes else { throw StoryboardFailure("no such file", file: path) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Reads the text of a file.
  ///
  /// - Parameters:
  ///   - text: the contents of the file.
  ///   - name: the file name for errors.
  /// - Throws: `StoryboardFailure` with all problems.
  public init(text: String, name: String) throws(StoryboardFailure) {
    var reader = StoryboardReader()
    let storyboard = reader.read(text)
    try self.init(storyboard, reader.problems, name: name)
  }

  /// Checks the storyboard that was read.
  init(_ storyboard: Storyboard?, _ found: [StoryboardProblem], name: String) throws(StoryboardFailure) {
    var problems = found
    if let storyboard {
      var check = StoryboardCheck(storyboard, isWhole: found.errors.isEmpty)
      check.run()
      problems += check.problems
    }
    guard let storyboard, problems.errors.isEmpty else { throw StoryboardFailure(problems, file: name) }
    self.storyboard = storyboard
    warnings = FileError.list(problems, file: name)
  }
}
