import Playback

/// What the commands for storyboards print, without printing it. Lines may quote the file: any characters.
public enum StoryboardCommands {
  /// How long the tracks are that do not tell; asked for the file's own names of clips and movies.
  public typealias Lengths = (Storyboard, Storyboard.TrackID) -> MediaTime?

  /// Reads a file and finds out lengths.
  ///
  /// - Throws: `StoryboardFailure`, also for events that lie outside of a track whose length was found out.
  public static func open(
    _ path: String, lengths: Lengths = { _, _ in nil }
  ) throws(StoryboardFailure) -> (storyboard: Storyboard, warnings: [FileError]) {
    let file = try StoryboardFile.read(path)
    var storyboard = file.storyboard
    var found: [Storyboard.TrackID: MediaTime] = [:]
    for id in storyboard.tracksWithoutLength { found[id] = lengths(storyboard, id) }
    guard !found.isEmpty else { return (storyboard, file.warnings) }
    storyboard.resolve(lengths: found)
    do throws(StoryboardFailure) { try storyboard.problems().throwErrors(file: path) } catch {
      // The same tracks are found again, those of other programs' forms are not.
      throw error.adding(warnings: file.warnings.filter { !error.warnings.contains($0) })
    }
    return (storyboard, file.warnings)
  }

  /// Reads a file and finds out lengths that it does not tell from its clips, which are opened.
  ///
  /// - Throws: `StoryboardFailure`, also where the length of a track cannot be found out.
  public static func open(_ path: String, clips: inout StoryboardClips) throws(StoryboardFailure) -> (storyboard: Storyboard, warnings: [FileError]) {
    // The closure does not escape, but could not change what is passed in.
    var own = clips
    defer { clips = own }
    let opened = try open(path) { own.length(of: $1, in: $0) }
    if !own.problems.isEmpty { throw StoryboardFailure(problems: own.problems) }
    return opened
  }

  /// Everything that is wrong in a file, or one line that says how much there is.
  ///
  /// - Parameter look: is given what was read.
  /// - Returns: the lines, and whether the file can be played.
  public static func check(
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

  /// A file's graph in the language of Graphviz.
  ///
  /// - Throws: `StoryboardFailure`.
  public static func graph(_ path: String) throws(StoryboardFailure) -> String {
    StoryboardGraph(try StoryboardFile.read(path).storyboard).text
  }

  /// The course of a file's story.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - choices: as `StoryboardTrace` takes them, with commas between; labels have none then.
  /// - Throws: `StoryboardFailure`.
  public static func trace(
    _ path: String, choices: String, seed: UInt64? = nil, lengths: Lengths = { _, _ in nil }
  ) throws(StoryboardFailure) -> [String] {
    try trace(try open(path, lengths: lengths).storyboard, path, choices, seed)
  }

  /// The course of a file's story, with lengths that the file does not tell found from its clips.
  ///
  /// - Throws: `StoryboardFailure`.
  public static func trace(
    _ path: String, choices: String, seed: UInt64? = nil, clips: inout StoryboardClips
  ) throws(StoryboardFailure) -> [String] {
    try trace(try open(path, clips: &clips).storyboard, path, choices, seed)
  }

  /// Choices as they are written for `trace`: with commas between.
  public static func list(ofChoices text: String) -> [String] {
    text.split(separator: ",", omittingEmptySubsequences: true).map { String($0.drop { $0 == " " }) }
  }

  private static func trace(
    _ storyboard: Storyboard, _ path: String, _ choices: String, _ seed: UInt64?
  ) throws(StoryboardFailure) -> [String] {
    let list = list(ofChoices: choices)
    do throws(StoryboardFailure) {
      return try StoryboardTrace(storyboard, choices: list, seed: seed).lines
    } catch {
      // Neither run nor trace knows the file.
      throw StoryboardFailure(
        problems: error.problems.map { FileError(file: path, line: $0.line, message: $0.message) })
    }
  }
}
