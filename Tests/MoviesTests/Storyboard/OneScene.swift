@testable import Movies

/// Storyboards of one scene, called `s`.
enum OneScene {
  /// The file with these tracks, the first of which begins on the fifth line.
  ///
  /// - Parameter head: lines before the scenes.
  static func text(_ tracks: String, head: String = "") -> String {
    let lines = tracks.split(separator: "\n", omittingEmptySubsequences: false)
    return "quadrille: storyboard 1\n\(head)scenes:\n  - scene: s\n    tracks:\n" + lines.map { "      \($0)\n" }.joined()
  }

  static func storyboard(_ tracks: String, head: String = "") throws -> Storyboard {
    try StoryboardFile(text: text(tracks, head: head), name: "s.yaml").storyboard
  }
}
