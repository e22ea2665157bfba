import Foundation
import Glibc
import TerminalHarness
import TestSupport
import Testing

/// A run of the player in an emulated terminal, with the files that it writes.
final class PlayerRun {
  /// Enough for a loaded machine; nothing waits this long when it works.
  static let patience = 40.0
  /// The terminal's size in which a 16:9 frame fills the single pane exactly: 64×36 half cells.
  static let fittingSize = (columns: 64, rows: 21)

  let process: TerminalProcess
  /// The user's home folder.
  let folder: TemporaryFolder
  private var dumpPath: String { folder.path("screen.jsonl") }

  /// Starts the player as a person would type it, in a home folder of its own.
  init(
    _ arguments: [String], columns: Int = fittingSize.columns, rows: Int = fittingSize.rows,
    term: String = "xterm-256color", isJob: Bool = false,
    _ change: (inout TerminalProcess.Options) -> Void = { _ in }
  ) throws {
    folder = try TemporaryFolder()
    let program = try #require(ProgramUnderTest.path, "the program has not been built")
    var options = TerminalProcess.Options()
    options.columns = columns
    options.rows = rows
    options.term = term
    options.environment = ["HOME": folder.path, "XDG_CONFIG_HOME": nil, "XDG_STATE_HOME": nil]
    options.directory = folder.path
    change(&options)
    let all =
      ["--dump-screen", folder.path("screen.jsonl"), "--stats", folder.path("stats.json")] + arguments
    process =
      isJob
      ? try TerminalProcess("bash", TerminalProcess.jobControl(program, all), options: options)
      : try TerminalProcess(program, all, options: options)
  }

  var screen: EmulatorScreen { process.screen }

  // MARK: Waiting

  /// Lets the program run until the screen is as wanted; throws, showing the screen, if it never is.
  func wait(
    _ what: String = "the screen is as wanted", sourceLocation: SourceLocation = #_sourceLocation,
    until predicate: (EmulatorScreen) -> Bool
  ) throws {
    let holds = process.run(timeout: Self.patience, until: predicate)
    try #require(
      holds, "not so: \(what); exit \(String(describing: process.exitStatus)); output ends \(lastOutput)\n\(screen)",
      sourceLocation: sourceLocation)
  }

  /// The end of the output, which shows whether something was there and is gone.
  private var lastOutput: String {
    String(decoding: process.rawOutput.suffix(400), as: UTF8.self).debugDescription
  }

  func wait(for text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try wait("shows \(text)", sourceLocation: sourceLocation) { $0.contains(text) }
  }

  /// Lets the program run until it sleeps, with nothing more to send.
  ///
  /// Sleeping is seen from outside: no thread of it runs or has run between looks, and no byte has come, for
  /// longer than it puts off drawing what is not urgent (a tenth of a second).
  func waitUntilStill(sourceLocation: SourceLocation = #_sourceLocation) throws {
    var before: String?
    var quiet = 0.0
    let interval = 0.05 + 2 * process.options.inputDelay
    let deadline = ProcessInfo.processInfo.systemUptime + Self.patience
    while ProcessInfo.processInfo.systemUptime < deadline {
      let bytes = process.bytesReceived
      process.run(seconds: interval)
      let now = bytes == process.bytesReceived ? activity() : nil
      quiet = now != nil && now == before ? quiet + interval : 0
      if quiet > 0.12 { return }
      before = now
    }
    try #require(Bool(false), "the program never rests\n\(screen)", sourceLocation: sourceLocation)
  }

  /// Returns how often each thread has been put to sleep; nil while one runs.
  private func activity() -> String? {
    let tasks = "/proc/\(playerIdentifier)/task"
    guard let threads = try? FileManager.default.contentsOfDirectory(atPath: tasks) else { return "" }
    var result = ""
    for thread in threads.sorted() {
      guard let status = try? String(contentsOfFile: "\(tasks)/\(thread)/status", encoding: .utf8) else {
        return nil
      }
      for line in status.split(separator: "\n") {
        if line.hasPrefix("State:"), !line.contains("S"), !line.contains("T") { return nil }
        if line.contains("ctxt_switches") { result += thread + line }
      }
    }
    return result
  }

  /// The player's process, also when a shell runs it as a job.
  var playerIdentifier: Int32 {
    let own = process.processIdentifier
    let children = try? String(contentsOfFile: "/proc/\(own)/task/\(own)/children", encoding: .utf8)
    return children?.split(separator: " ").first.flatMap { Int32($0) } ?? own
  }

  /// Waits until every pane shows the number of its frame, which it does when it is paused and has landed.
  func waitUntilPaused(panes: Int = 1, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try wait("\(panes) paused", sourceLocation: sourceLocation) { screen in
      screen.text.joined(separator: "\n").split(separator: " ").filter { $0.first == "#" }.count >= panes
    }
  }

  /// Waits until frames follow each other on the screen.
  func waitUntilMoving(sourceLocation: SourceLocation = #_sourceLocation) throws {
    var seen: Set<[TerminalCell]> = []
    try wait("it moves", sourceLocation: sourceLocation) { screen in
      guard screen.contains("►") || screen.contains("> 0:") else { return false }
      // Title, bar and status may change without a frame.
      seen.insert(Array(screen.cells[(2 * screen.columns)..<(screen.cells.count / 2)]))
      return seen.count > 3
    }
  }

  // MARK: Reading

  /// Returns the number of the frame that a pane shows, read from its squares.
  ///
  /// The pane's frame must fill the rectangle of cells, by default that of `fittingSize`.
  func frameNumber(column: Int = 0, row: Int = 1, width: Int = 64, height: Int = 18) -> Int? {
    screen.frameNumber(column: column, row: row, width: width, height: height)
  }

  /// The numbers after "#" in the rows of panes, from the top left.
  var numbersShown: [Int] {
    screen.text.flatMap { row in
      row.split(separator: " ").filter { $0.first == "#" }.compactMap { Int($0.dropFirst()) }
    }
  }

  // MARK: The end

  /// Ends the program with `q` and compares what the terminal shows with what the program meant to show.
  func quitAndCompare(sourceLocation: SourceLocation = #_sourceLocation) throws {
    try waitUntilStill(sourceLocation: sourceLocation)
    let still = screen
    process.send("q")
    let status = process.runUntilExit(timeout: Self.patience)
    #expect(status == .exited(0), "\(screen)", sourceLocation: sourceLocation)
    let intended = try IntendedScreen(path: dumpPath)
    // Figures may change until the last moment.
    let shown = process.alternateScreenAtEnd ?? still
    let differences = intended.differences(from: shown)
    #expect(
      differences.isEmpty,
      "\(differences.count) cells differ: \(differences.prefix(12).joined(separator: "; "))\n\(shown)",
      sourceLocation: sourceLocation)
  }

  /// Ends the program with `q`.
  func quit(sourceLocation: SourceLocation = #_sourceLocation) {
    process.send("q")
    let status = process.runUntilExit(timeout: Self.patience)
    #expect(status == .exited(0), "\(screen)", sourceLocation: sourceLocation)
  }

  /// Expects line settings, cursor, screen, mouse and modes to be as they were before the program.
  func expectRestored(sourceLocation: SourceLocation = #_sourceLocation) {
    let screen = screen
    #expect(process.ttyAttributes == process.initialAttributes, sourceLocation: sourceLocation)
    let last = String(decoding: process.rawOutput.suffix(300), as: UTF8.self).debugDescription
    #expect(
      screen.isCursorVisible && !screen.isAlternateScreen, "the output ends with \(last)",
      sourceLocation: sourceLocation)
    #expect(screen.mouseMode == .off, sourceLocation: sourceLocation)
    #expect(screen.privateModes == [7, 25], sourceLocation: sourceLocation)
  }

  /// Returns the figures that `--stats` wrote.
  func statistics() throws -> RunStatistics {
    try JSONDecoder().decode(
      RunStatistics.self, from: Data(contentsOf: URL(fileURLWithPath: folder.path("stats.json"))))
  }
}

/// The figures of `--stats` as the manual describes them.
struct RunStatistics: Decodable {
  struct Late: Decodable { let p50, p95, max: Double }
  struct Seek: Decodable {
    let count: Int
    let p50, p95, max: Double
  }
  struct Pane: Decodable {
    let clip: String
    let decoded, shown, skipped: Int
    let played_s: Double
    let late_ms: Late
    let seek_ms: Seek
    let error: String?
    let story: [String]?
  }
  struct Spread: Decodable {
    let p50, p5: Double?
  }
  let panes: [Pane]
  let bytes, frames_sent: Int
  let psnr_db, update_bytes, bytes_per_s: Spread
  let round_trip_ms: Double?
  let cpu_s, peak_rss_mb, wall_s: Double
}
