import Playback
import Terminal

/// The reports of a run and their files. Screen thread only.
final class RunRecord {
  private let started: HostTime
  private let statsFile: OutputFile?
  private let screenDumpFile: OutputFile?
  private let sessionFile: OutputFile?
  private let votesFile: OutputFile?
  /// Files that the run reads, which must not be overwritten.
  private var inputs: InputFiles
  private var closedPanes: [StatsReport.PaneReport] = []

  /// Checks that the requested files can be written.
  ///
  /// - Throws: `ProgramError`.
  init(_ options: PlayOptions, at now: HostTime) throws {
    started = now
    // The session is written, too, so the others spare it by its name.
    inputs = InputFiles(options, includingSession: false)
    let session = options.files.session
    let names = [options.files.stats, options.files.screenDump, options.files.votes]
    // What the inputs name is looked up only if something is to be written.
    let spared = (names + [session]).allSatisfy { $0 == nil } ? [] : inputs.paths
    statsFile = try Self.output(names[0], sparing: spared + [session].compactMap { $0 })
    screenDumpFile = try Self.output(names[1], sparing: spared + [session].compactMap { $0 })
    votesFile = try Self.output(names[2], sparing: spared + [session].compactMap { $0 })
    sessionFile = try Self.output(session, sparing: spared)
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
    let spared = statsFile == nil && screenDumpFile == nil ? [] : inputs.paths + [sessionFile?.path].compactMap { $0 }
    let areWritten = [write(statsFile, spared) { Array(try report.text().utf8) }, write(screenDumpFile, spared) { Array(screen.text.utf8) }]
    return !areWritten.contains(false)
  }

  /// Writes the votes of a blind test, if they were requested.
  ///
  /// - Returns: False if they could not be written, which is reported.
  func write(_ votes: BlindTest?) -> Bool {
    guard let votesFile, let votes else { return true }
    return write(votesFile, inputs.paths) { votes.report }
  }

  /// Writes the session, if it was requested.
  ///
  /// - Parameter session: nil if there is nothing to continue; an existing file then stays as it is.
  /// - Returns: False if it could not be written, which is reported.
  func write(_ session: SessionDocument?) -> Bool {
    guard let sessionFile, let session else { return true }
    guard SessionDocument.mayReplace(sessionFile.path) else {
      printError("quadrille: \(sessionFile.path): not written: this file is not a session")
      return false
    }
    return write(sessionFile, inputs.paths) { Array(session.text(inFileAt: sessionFile.path).utf8) }
  }

  private func write(_ file: OutputFile?, _ spared: [String], _ bytes: () throws -> [UInt8]) -> Bool {
    guard let file else { return true }
    do {
      try file.write(bytes(), sparing: spared)
      return true
    } catch {
      printError("quadrille: \(file.path): \(describing: error)")
      return false
    }
  }
}
