import TerminalHarness

/// Four clips over 1 Mbit/s with a round trip of 100 ms and 256 kB of buffer.
enum SlowLink {
  private static let keyCount = 24

  static func measure(_ bench: Workbench) throws -> [TableRow] {
    var p50s: [Double] = []
    var p95s: [Double] = []
    var moves: [Double] = []
    var ends: [Double] = []
    for round in 1...bench.rounds {
      progress("link \(round)/\(bench.rounds)")
      var options = bench.options
      options.setLink(bytesPerSecond: 125_000, roundTrip: 0.1, buffer: 256_000)
      let process = try bench.start(["--loop"] + bench.clips, options)
      let isShown = process.run(timeout: Workbench.patience) { screen in
        screen.text(row: Workbench.rows - 1).contains("all panes") && FrameArea.quarters.allSatisfy { $0.hasFrame(screen) }
      }
      guard isShown else { throw BenchError("no frames over the link:\n\(process.screen)") }
      process.live(3)
      moves.append(movesPerSecond(process, seconds: 6))
      let times = try keyTimes(process, bench.clips)
      p50s.append(percentile(times, 0.5) * 1000)
      p95s.append(percentile(times, 0.95) * 1000)
      let begin = now()
      process.send("q")
      guard process.runUntilExit(timeout: Workbench.patience) != nil else { throw BenchError("q does not end it") }
      ends.append((now() - begin) * 1000)
      progress(
        "  key p50 \(text(p50s.last ?? 0, 0)) p95 \(text(p95s.last ?? 0, 0)) max \(text((times.max() ?? 0) * 1000, 0)) ms, "
          + "\(text(moves.last ?? 0, 1)) frames/s, end \(text(ends.last ?? 0, 0)) ms")
    }
    let title = "1 Mbit/s, 100 ms, four clips"
    return [
      TableRow("\(title): key to chrome, p95 of \(keyCount)", p95s, atMost: 300, unit: " ms", digits: 0,
        note: "p50 \(text(median(p50s), 0)) ms"),
      TableRow("\(title): frame updates a second, least pane", moves, atLeast: 5, digits: 1),
      TableRow("\(title): q to the end", ends, atMost: 500, unit: " ms", digits: 0),
    ]
  }

  /// Updates a second after which a pane's frame was another; of the pane where there were fewest.
  private static func movesPerSecond(_ process: TerminalProcess, seconds: Double) -> Double {
    var counts = [Int](repeating: 0, count: FrameArea.quarters.count)
    var watch = PaneWatch(process, FrameArea.quarters)
    let begin = now()
    _ = process.run(
      timeout: seconds,
      while: {
        for index in watch.changes() ?? [] { counts[index] += 1 }
        return true
      })
    return Double(counts.min() ?? 0) / (now() - begin)
  }

  /// Seconds from pressing a key that moves the focus until the new pane's title is bold.
  private static func keyTimes(_ process: TerminalProcess, _ clips: [String]) throws -> [Double] {
    var times: [Double] = []
    for key in 1...keyCount {
      let pane = key % 4 + 1
      let begin = now()
      process.press(.function(pane))
      let title = "\(pane) \(clips[pane - 1].split(separator: "/").last ?? "")"
      var bytes = -1
      let isSeen = process.run(
        timeout: Workbench.patience,
        while: {
          guard process.bytesReceived != bytes else { return true }
          bytes = process.bytesReceived
          let screen = process.screen
          return !(screen.find(title).map { screen[column: $0.column, row: $0.row].isBold } ?? false)
        })
      guard isSeen else { throw BenchError("key \(key) has no effect:\n\(process.screen)") }
      times.append(now() - begin)
      // At ever other points of the frames' beat.
      process.live(0.3 + 0.4 * (Double(key) * 0.618).truncatingRemainder(dividingBy: 1))
    }
    return times
  }
}
