import Playback

/// The output of the storyboard commands. Lines may quote the file: any characters.
package enum StoryboardCommands {
  /// Returns the length of a track whose length the file does not give; nil if unknown.
  package typealias Lengths = (Storyboard, Storyboard.TrackID) -> MediaTime?

  /// Reads a file and finds the lengths of tracks.
  ///
  /// - Throws: `StoryboardFailure`, also for events outside a track whose length was found.
  package static func open(
    _ path: String, lengths: Lengths = { _, _ in nil }
  ) throws(StoryboardFailure) -> (storyboard: Storyboard, warnings: [FileError]) {
    let file = try StoryboardFile.read(path)
    var storyboard = file.storyboard
    var found: [Storyboard.TrackID: MediaTime] = [:]
    for id in storyboard.tracksWithoutLength { found[id] = lengths(storyboard, id) }
    guard !found.isEmpty else { return (storyboard, file.warnings) }
    storyboard.resolve(lengths: found)
    do throws(StoryboardFailure) { try storyboard.problems().throwErrors(file: path) } catch {
      // Warnings about the same tracks are found again; those of other formats are not.
      throw error.adding(warnings: file.warnings.filter { !error.warnings.contains($0) })
    }
    return (storyboard, file.warnings)
  }

  /// Reads a file and opens its clips to find lengths that it does not give.
  ///
  /// - Throws: `StoryboardFailure`, also if the length of a track cannot be found.
  package static func open(_ path: String, clips: inout StoryboardClips) throws(StoryboardFailure) -> (storyboard: Storyboard, warnings: [FileError]) {
    // A closure cannot capture an inout parameter that it changes.
    var own = clips
    defer { clips = own }
    let opened = try open(path) { own.length(of: $1, in: $0) }
    if !own.problems.isEmpty { throw StoryboardFailure(problems: own.problems) }
    return opened
  }

  /// Checks a file: lists everything wrong in it, or sums up its contents in one line.
  ///
  /// - Parameter look: called with the storyboard, if it can be read.
  /// - Returns: the lines, and true if the file can be played.
  package static func check(
    _ path: String, lengths: Lengths = { _, _ in nil }, look: (Storyboard) -> Void = { _ in }
  ) -> (lines: [String], isPlayable: Bool) {
    do throws(StoryboardFailure) {
      let (storyboard, warnings) = try open(path, lengths: lengths)
      look(storyboard)
      let lines = warnings.map(\.asWarning.description)
      let unknown = storyboard.tracksWithoutLength.count
      let choices = storyboard.trackIDs.reduce(0) { $0 + storyboard[$1].choices.count }
      let summary =
        "\(path): \(count(storyboard.scenes.count, "scene")), \(count(storyboard.trackIDs.count, "track")), "
        + "\(count(choices, "choice"))\(unknown == 0 ? "" : ", \(count(unknown, "unknown length"))")"
      return (lines + [summary], true)
    } catch {
      let warnings = error.warnings.prefix(max(0, StoryboardLimits.problems - error.problems.count))
      return (error.problems.map(\.description) + warnings.map(\.asWarning.description), false)
    }
  }

  private static func count(_ number: Int, _ what: String) -> String { "\(number) \(what)\(number == 1 ? "" : "s")" }

  /// The graph of a storyboard file, in the Graphviz language.
  ///
  /// - Throws: `StoryboardFailure`.
  package static func graph(_ path: String) throws(StoryboardFailure) -> String {
    StoryboardGraph(try StoryboardFile.read(path).storyboard).text
  }

  /// The trace of a storyboard file.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - choices: as for `StoryboardTrace`, separated by commas, so labels must not contain commas.
  /// - Throws: `StoryboardFailure`.
  package static func trace(
    _ path: String, choices: String, seed: UInt64? = nil, lengths: Lengths = { _, _ in nil }
  ) throws(StoryboardFailure) -> [String] {
    try trace(try open(path, lengths: lengths).storyboard, path, choices, seed)
  }

  /// The trace of a storyboard file; clips are opened to find lengths that it does not give.
  ///
  /// - Throws: `StoryboardFailure`.
  package static func trace(
    _ path: String, choices: String, seed: UInt64? = nil, clips: inout StoryboardClips
  ) throws(StoryboardFailure) -> [String] {
    try trace(try open(path, clips: &clips).storyboard, path, choices, seed)
  }

  /// Splits choices separated by commas.
  package static func list(ofChoices text: String) -> [String] {
    text.split(separator: ",", omittingEmptySubsequences: true).map { String($0.drop { $0 == " " }) }
  }

  private static func trace(
    _ storyboard: Storyboard, _ path: String, _ choices: String, _ seed: UInt64?
  ) throws(StoryboardFailure) -> [String] {
    let list = list(ofChoices: choices)
    do throws(StoryboardFailure) {
      return try StoryboardTrace(storyboard, choices: list, seed: seed).lines
    } catch {
      // Neither the run nor the trace knows the file's name.
      throw StoryboardFailure(
        problems: error.problems.map { FileError(file: path, line: $0.line, message: $0.message) })
    }
  }
}

extension Storyboard {
  /// Reads a file and opens its clips to find lengths that it does not give.
  ///
  /// - Throws: `StoryboardFailure`, also if the length of a track cannot be found.
  public static func open(
    _ path: String, clips: inout StoryboardClips
  ) throws(StoryboardFailure) -> (storyboard: Storyboard, warnings: [FileError]) {
    try StoryboardCommands.open(path, clips: &clips)
  }
}
