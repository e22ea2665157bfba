import Playback
import Terminal

/// The reports of a run and their files. Screen thread only.
final class RunRecord {
  private let started: HostTime
  private let statsFile: OutputFile?
  private let screenDumpFile: OutputFile?
  /// Files that have been opened and must not be overwritten.
  private var filesRead: [String]
  private var closedPanes: [StatsReport.PaneReport] = []

  /// Checks that the requested files can be written.
  ///
  /// - Throws: `ProgramError`.
  init(_ options: PlayOptions, at now: HostTime) throws {
    started = now
    filesRead = options.subtitles.files + [options.files.settings].compactMap { $0 }
    // Pieces of movies are looked up only if something is to be written.
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

  /// - Parameter pane: A model with statistics.
  func didClose(_ pane: PaneModel) { closedPanes.append(StatsReport.PaneReport(pane)) }

  /// Writes the requested reports.
  ///
  /// - Parameters:
  ///   - panes: Models of the open panes, with statistics.
  ///   - bytes: Bytes written to the terminal.
  ///   - link: Statistics of the output.
  ///   - roundTrip: Round-trip time; nil if the terminal never replied.
  /// - Returns: True if all were written; failures are reported.
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
