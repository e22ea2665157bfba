import TerminalHarness

/// An observer of the frames that panes show, read from the screen.
struct PaneWatch {
  /// Columns and rows of a pane, without its edges, that distinguish one frame from the next; few, as they are read often.
  static let strip = FrameArea(columns: 60..<140, rows: 20..<24)
  static let strips: [FrameArea] = FrameArea.quarters.map { area in
    FrameArea(columns: area.columns, rows: (area.rows.lowerBound + 4)..<(area.rows.lowerBound + 7))
  }

  private let process: TerminalProcess
  private let areas: [FrameArea]
  private var digests: [Int]
  private var queries: Int

  init(_ process: TerminalProcess, _ areas: [FrameArea]) {
    self.process = process
    self.areas = areas
    let screen = process.screen
    digests = areas.map { $0.digest(screen) }
    queries = process.statusQueries
  }

  /// Returns the areas whose frames have changed since the last call; nil if no update has ended since.
  mutating func changes() -> [Int]? {
    // Behind each update the program asks for the terminal's status.
    guard process.statusQueries != queries else { return nil }
    queries = process.statusQueries
    let screen = process.screen
    var changed: [Int] = []
    for (index, area) in areas.enumerated() {
      let digest = area.digest(screen)
      if digest != digests[index] { changed.append(index) }
      digests[index] = digest
    }
    return changed
  }
}

extension EmulatorScreen {
  /// Returns the numbers of the frames that stand still, as the panes' clocks show them, row by row.
  ///
  /// - Parameter exactOnly: True to leave out numbers that the program marks as approximate.
  func frameNumbers(exactOnly: Bool = true) -> [Int] {
    var numbers: [Int] = []
    for row in 0..<rows {
      var column = 0
      while column < columns {
        defer { column += 1 }
        guard self[column: column, row: row].code == 0x23 else { continue }
        let isExact = !isAbout(row: row, before: column)
        var number: Int?
        while column + 1 < columns, case let code = self[column: column + 1, row: row].code,
          (0x30...0x39).contains(code)
        {
          number = (number ?? 0) * 10 + Int(code - 0x30)
          column += 1
        }
        if let number, isExact || !exactOnly { numbers.append(number) }
      }
    }
    return numbers
  }

  /// Returns true if "≈" precedes the time before a number: "‖≈0:12.345/0:40 #370".
  private func isAbout(row: Int, before column: Int) -> Bool {
    let codes = (max(0, column - 30)..<column).reversed().lazy.map { self[column: $0, row: row].code }
    // The nearest sign that is no part of a time.
    let time = Set("0123456789:./ ".unicodeScalars.map(\.value))
    return codes.first { !time.contains($0) } == 0x2248
  }
}

extension TerminalProcess {
  /// Lets the program run until its panes show these frames.
  func wait(forFrames numbers: [Int], exactOnly: Bool = true, timeout: Double = 30) throws {
    guard run(timeout: timeout, until: { $0.frameNumbers(exactOnly: exactOnly) == numbers }) else {
      throw BenchError("frames \(numbers) are awaited; \(chrome)")
    }
  }

  /// The text around the frames, for messages.
  var chrome: String {
    let rows = (0..<Workbench.rows).map(text(row:)).filter { $0.contains("#") || $0.contains("? keys") }
    return rows.joined(separator: " | ").filter { $0 != "█" }
  }

  /// Lets the program run until its panes show the frame with which they were started, and all is quiet.
  func stand(at number: Int, panes: Int = 1) throws {
    // The number is exact once the clip has been indexed.
    try wait(forFrames: [Int](repeating: number, count: panes), exactOnly: false)
    try settle()
  }

  /// Lets the program run until it neither computes nor writes, or for a minute.
  func settle() throws {
    let end = now() + 60
    while now() < end {
      let (cpu, bytes) = (processorSeconds, bytesReceived)
      live(0.4)
      guard exitStatus == nil else { throw BenchError("it has ended: \(chrome)") }
      guard processorSeconds > 0 else { throw BenchError("/proc/PID/task/TID/schedstat cannot be read") }
      if processorSeconds - cpu < 0.004, bytesReceived == bytes { return }
    }
  }

  /// Ends the program and takes what it still writes.
  func quit() throws {
    send("q")
    guard runUntilExit(timeout: Workbench.patience) != nil else {
      throw BenchError("q does not end it: \(chrome)")
    }
  }
}
