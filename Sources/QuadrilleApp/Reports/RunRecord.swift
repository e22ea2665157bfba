import Playback
import Terminal

/// What a run tells of itself at its end, and the files that this goes to. Screen thread only.
final class RunRecord {
  private let started: HostTime
  private let statsFile: OutputFile?
  private let screenDumpFile: OutputFile?
  /// What has been opened, and so must not be written.
  private var filesRead: [String]
  private var closedPanes: [StatsReport.PaneReport] = []

  /// Finds out whether the files that were asked for can be written.
  ///
  /// - Throws: `ProgramError`.
  init(_ options: PlayOptions, at now: HostTime) throws {
    started = now
    filesRead = options.subtitles.files + [options.files.settings].compactMap { $0 }
    // Pieces of movies are looked up only where something is to be written.
    let clips = options.clips.flatMap { $0.clips.map(\.path) }
    filesRead += options.files.stats != nil || options.files.screenDump != nil ? clips.flatMap(Asset.filesRead) : clips
    statsFile = try Self.output(options.files.stats, sparing: filesRead)
    screenDumpFile = try Self.output(options.files.screenDump, sparing: filesRead)
  }

  private static func output(_ path: String?, sparing files: [String]) throws -> OutputFile? {
    guard let path else { return nil }
    do {
      return try OutputFile(path, sparing: files)
    } catch let error as PlaybackError {
      throw ProgramError("\(path): \(error.message)")
    }
  }

  func didOpen(_ path: String) { filesRead.append(path) }

  /// - Parameter pane: with its figures.
  func didClose(_ pane: PaneModel) { closedPanes.append(StatsReport.PaneReport(pane)) }

  /// Writes what was asked for.
  ///
  /// - Parameters:
  ///   - panes: those that are still open, with their figures.
  ///   - bytes: that were written to the terminal.
  ///   - link: what went to the terminal.
  ///   - roundTrip: how far it is; nil where it never answered.
  /// - Returns: whether all could be written; what could not is said.
  func write(
    panes: [PaneModel], screen: ScreenDump, bytes: UInt64, link: LinkMeter, roundTrip: HostTime?, at now: HostTime
  ) -> Bool {
    let report = StatsReport(
      panes: panes.map(StatsReport.PaneReport.init) + closedPanes, bytes: bytes, link: link,
      roundTrip: roundTrip, wallNanoseconds: now - started)
    let areWritten = [write(statsFile) { try report.text() }, write(screenDumpFile) { screen.text }]
    return !areWritten.contains(false)
  }

  private func write(_ file: OutputFile?, _ text: () throws -> String) -> Bool {
    guard let file else { return true }
    do {
      try file.write(Array(text().utf8), sparing: filesRead)
      return true
    } catch {
      printError("quadrille: \(file.path): \(describing: error)")
      return false
    }
  }
}
