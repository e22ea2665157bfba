import TerminalHarness

/// Playing backwards at the normal speed.
enum ReversePlay {
  private static let seconds = 20.0

  static func measure(_ bench: Workbench, _ clip: ScrubClip) throws -> [TableRow] {
    let what = "\(clip.name): reverse play at −1, frames not shown"
    var missing: [Double] = []
    var notes: [String] = []
    for _ in 1...bench.rounds {
      let last = ScrubClip.frames - 1
      let (process, read) = try start(bench, clip)
      // What was shown on the way to the last frame.
      let before = try shownSoFar(process)
      var watch = PaneWatch(process, [PaneWatch.strip])
      var seen = 0
      func count() { if let changed = watch.changes(), !changed.isEmpty { seen += 1 } }
      let begin = now()
      process.send("j")
      let starts = process.run(
        timeout: 20,
        while: {
          count()
          return seen == 0
        })
      guard starts else {
        try process.quit()
        return [TableRow(what: what, figure: "–", target: "≤ 0", samples: "key j does nothing")]
      }
      let first = now() - begin
      _ = process.run(
        timeout: seconds,
        while: {
          count()
          return true
        })
      process.send("k")
      _ = process.run(
        timeout: 2,
        while: {
          count()
          return true
        })
      guard let number = process.screen.frameNumbers().first else {
        throw BenchError("no number of the frame: \(process.chrome)")
      }
      try process.quit()
      let pane = try read().panes[0]
      let passed = last - number
      let shown = pane.shown - before
      // What the program counts, or what it did not count though it was never handed to the screen.
      missing.append(Double(max(pane.skipped, passed - shown)))
      notes.append("\(shown) shown of \(passed) passed, first after \(text(first * 1000, 0)) ms")
    }
    return [TableRow(what, missing, atMost: 0, digits: 0, note: notes.joined(separator: "; "))]
  }

  /// Frames shown so far, from the panel of figures, which is opened for it.
  private static func shownSoFar(_ process: TerminalProcess) throws -> Int {
    func figure() -> Int? {
      for row in 0..<Workbench.rows {
        let words = process.text(row: row).split(separator: " ")
        if let i = words.firstIndex(of: "shown"), i + 1 < words.count, let count = Int(words[i + 1]) { return count }
      }
      return nil
    }
    process.send("i")
    _ = process.run(timeout: 5, while: { figure() == nil })
    guard let shown = figure() else { throw BenchError("no panel of figures: \(process.chrome)") }
    process.send("i")
    _ = process.run(timeout: 5, while: { figure() != nil })
    try process.settle()
    return shown
  }

  /// Starts the program at the clip's last frame and waits until that stands.
  private static func start(_ bench: Workbench, _ clip: ScrubClip) throws -> (TerminalProcess, () throws -> Statistics) {
    let (file, read) = Statistics.file()
    let last = ScrubClip.frames - 1
    let process = try bench.start([
      "--paused", "--cache", "256M", "--stats", file, "--start", "#\(last)", clip.path,
    ])
    try process.stand(at: last)
    return (process, read)
  }
}
