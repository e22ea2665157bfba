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

  /// A prologue of 1.6 s of a clip, which ends in a choice of three ways: one goes on in the same part, the others elsewhere.
  static func threeWays(_ clip: String) throws -> Storyboard {
    try storyboard(
      """
      - prologue: ask
        clip: \(clip)
        in: 1
        length: 1.6
        choices: [{label: on, to: won}, {label: off, to: lost}, {label: away, to: last}]
      - {winning: won, clip: \(clip), in: 2.6, length: 1}
      - {losing: lost, clip: \(clip), in: 9, length: 1}
      - {track: last, clip: \(clip), in: 5, length: 1}
      """)
  }
}
