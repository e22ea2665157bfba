import Playback
import Terminal

/// The reports of a run and their files. Screen thread only.
final class RunRecord {
  private let started: HostTime
  private let statsFile: OutputFile?
  private let screenDumpFile: OutputFile?
  /// Files that the run reads, which must not be overwritten.
  private var inputs: InputFiles
  private var closedPanes: [StatsReport.PaneReport] = []

  /// Checks that the requested files can be written.
  ///
  /// - Throws: `ProgramError`.
  init(_ options: PlayOptions, at now: HostTime) throws {
    started = now
    inputs = InputFiles(options)
    let names = [options.files.stats, options.files.screenDump]
    // What the inputs name is looked up only if something is to be written.
    let spared = names.allSatisfy { $0 == nil } ? [] : inputs.paths
    statsFile = try Self.output(names[0], sparing: spared)
    screenDumpFile = try Self.output(names[1], sparing: spared)
  }

  private static func output(_ path: String?, sparing files: [String]) throws -> OutputFile? {
    guard let path else { return nil }
    do {
      return try OutputFile(path, sparing: files)
    } catch let error as PlaybackError {
      throw ProgramError("\(path): \(error.message)")
    }
  }

  func didOpen(_ list: ClipList) { inputs.add(list) }

  func didOpen(subtitles path: String) { inputs.add([path]) }

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
    let spared = statsFile == nil && screenDumpFile == nil ? [] : inputs.paths
    let areWritten = [write(statsFile, spared) { try report.text() }, write(screenDumpFile, spared) { screen.text }]
    return !areWritten.contains(false)
  }

  private func write(_ file: OutputFile?, _ spared: [String], _ text: () throws -> String) -> Bool {
    guard let file else { return true }
    do {
      try file.write(Array(text().utf8), sparing: spared)
      return true
    } catch {
      printError("quadrille: \(file.path): \(describing: error)")
      return false
    }
  }
}
