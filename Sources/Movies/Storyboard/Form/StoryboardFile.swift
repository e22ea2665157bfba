import Playback
import YAML

/// A storyboard as a file that people write: YAML whose first line is `quadrille: storyboard 1`.
///
/// docs/storyboards.md describes the form.
public struct StoryboardFile: Sendable {
  /// What it says.
  public let storyboard: Storyboard
  /// What is hardly meant, though it can be played.
  public let warnings: [FileError]

  /// What stands behind the first key.
  static let kind = "storyboard 1"

  /// Whether a name ends as that of Twee 3 does.
  static func isTwee(_ path: String) -> Bool { path.hasSuffix(".twee") || path.hasSuffix(".tw") }

  /// Reads a file, or a pipe, of up to a megabyte. Blocks until it has it.
  ///
  /// - Parameter path: as `Asset.path(ofBytes:)` makes it. A name that ends with `.twee` or `.tw` is read as Twee 3.
  /// - Throws: `StoryboardFailure`, with everything that is wrong.
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
  ///   - text: all of the file.
  ///   - name: what errors call it.
  /// - Throws: `StoryboardFailure`, with everything that is wrong.
  public init(text: String, name: String) throws(StoryboardFailure) {
    var reader = StoryboardReader()
    let storyboard = reader.read(text)
    try self.init(storyboard, reader.problems, name: name)
  }

  /// Checks what was read.
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
