import Playback

/// Limits of storyboards, which bound the memory and the time for checks.
enum StoryboardLimits {
  /// Bytes of a file.
  static let bytes = 1 << 20
  static let scenes = 100
  /// In all scenes together.
  static let tracks = 1000
  static let variables = 200
  /// In one track.
  static let events = 200
  /// In one track: each has a key.
  static let choices = 9
  /// In one track.
  static let rules = 50
  /// Of one choice or rule.
  static let effects = 20
  /// Characters of names, counted in Unicode scalars.
  static let name = 100
  /// Characters of labels, titles and texts.
  static let text = 200
  /// Bytes of a path.
  static let path = 4096
  /// The longest track and the latest time.
  static let time = MediaTime(value: 100 * 3600, timescale: 1)
  /// Problems that are listed.
  static let problems = 100
  /// Problems that are looked for.
  static let foundProblems = 1000
}

extension String {
  /// The text shortened for quoting in errors.
  var clipped: String {
    // A character may have any number of scalars.
    unicodeScalars.count <= StoryboardLimits.name ? self : String(unicodeScalars.prefix(StoryboardLimits.name)) + "…"
  }
}
