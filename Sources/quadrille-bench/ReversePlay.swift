import TerminalHarness

/// Playing backwards at the normal speed.
enum ReversePlay {
  private static let seconds = 20.0

  static func measure(_ bench: Workbench, _ clip: ScrubClip) throws -> [TableRow] {
    let what = "\(clip.name): reverse play at −1, pictures not shown"
    var missing: [Double] = []
    var notes: [String] = []
    for _ in 1...bench.rounds {
      let last = ScrubClip.pictures - 1
      // What is shown on the way to the last picture, which a run tells that goes no further.
      let (_, readIdle) = try start(bench, clip) { try $0.quit() }
      let before = try readIdle().panes[0].shown
      let (process, read) = try start(bench, clip) { _ in }
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
      guard let number = process.screen.pictureNumbers().first else {
        throw BenchError("no number of the picture: \(process.chrome)")
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

  /// Starts the program at the clip's last picture, waits until that stands, and does the rest.
  private static func start(
    _ bench: Workbench, _ clip: ScrubClip, _ rest: (TerminalProcess) throws -> Void
  ) throws -> (TerminalProcess, () throws -> Statistics) {
    let (file, read) = Statistics.file()
    let last = ScrubClip.pictures - 1
    let process = try bench.start([
      "--paused", "--cache", "256M", "--stats", file, "--start", "#\(last)", clip.path,
    ])
    try process.stand(at: last)
    try rest(process)
    return (process, read)
  }
}
