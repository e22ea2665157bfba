import TerminalHarness

/// Four linked panes that are scrubbed at 20 targets a second for 10 seconds.
enum LinkedScrub {
  private static let targets = 200
  private static let targetsPerSecond = 20.0
  /// Seconds between targets: back and forth through the clip.
  private static let stride = 1
  private static let turn = 33
  private static let start = 1130

  static func measure(_ bench: Workbench, _ clip: ScrubClip) throws -> [TableRow] {
    // What decoding one group takes ffmpeg, in this run.
    let gop = try bench.run(
      "ffmpeg",
      [
        "-v", "error", "-nostdin", "-threads", "1", "-i", clip.path, "-frames:v", "\(ScrubClip.gop)", "-f",
        "null", "-",
      ]
    ).wall
    var rows: [TableRow] = []
    for isDrag in [false, true] {
      var rates: [Double] = []
      var landings: [Double] = []
      var counts: [[Int]] = []
      for _ in 1...bench.rounds {
        let run = try scrub(bench, clip, isDrag: isDrag)
        rates.append(run.rate)
        landings.append(run.landing)
        counts.append(run.counts)
        progress("  \(text(run.rate, 1)) frames/s \(run.counts), landed after \(text(run.landing, 2)) s")
      }
      let title = "\(clip.name): four panes, 20 targets a second, \(isDrag ? "bar dragged" : "keys")"
      rows += [
        TableRow(
          "\(title): frames a second, least pane", rates, atLeast: 10, digits: 1,
          note: counts.map { $0.map(String.init).joined(separator: "+") }.joined(separator: "; ")),
        TableRow(
          "\(title): all exact after", landings, atMost: max(1, (gop * 100).rounded() / 100), unit: " s",
          note: "a group takes ffmpeg \(text(gop, 2)) s"),
      ]
    }
    return rows
  }

  /// Runs it once: frames a second of the pane with the fewest, and seconds until all are exact.
  private static func scrub(
    _ bench: Workbench, _ clip: ScrubClip, isDrag: Bool
  ) throws -> (rate: Double, landing: Double, counts: [Int]) {
    let process = try bench.start(
      ["--paused", "--linked", "--start", "#\(start)"] + [String](repeating: clip.path, count: 4))
    try process.stand(at: start, panes: 4)
    var watch = PaneWatch(process, PaneWatch.strips)
    var counts = [Int](repeating: 0, count: 4)
    var sent = 0
    var position = start
    // The bar's row in the first pane; its columns lie behind the clock. It is let go in the second group, far from its
    // key frame.
    let barRow = (0..<Workbench.rows).first { process.text(row: $0).contains("\(start)") } ?? 0
    let columns = 22...94
    let released = 50
    let begin = now()
    func sendDue() {
      let time = now()
      while sent < targets, begin + Double(sent) / targetsPerSecond <= time {
        let isBack = sent / turn % 2 == 0
        if isDrag {
          let place = sent % (2 * turn)
          let part = Double(place < turn ? turn - place : place - turn) / Double(turn)
          let column = columns.lowerBound + Int((part * Double(columns.count - 1)).rounded())
          if sent == 0 { process.mouse(.press(1), column: column, row: barRow) }
          process.mouse(.move, column: column, row: barRow)
        } else {
          process.send(isBack ? "<" : ">")
          position += (isBack ? -stride : stride) * Int(ScrubClip.rate)
        }
        sent += 1
      }
    }
    _ = process.run(
      timeout: Double(targets) / targetsPerSecond,
      while: {
        sendDue()
        for index in watch.changes() ?? [] { counts[index] += 1 }
        return true
      })
    let seconds = now() - begin
    let settled = begin + Double(targets - 1) / targetsPerSecond
    let landed: Double
    if isDrag {
      process.mouse(.release(1), column: released, row: barRow)
      landed = try rest(process)
    } else {
      try process.wait(forFrames: [Int](repeating: position, count: 4))
      landed = now()
    }
    try process.settle()
    let numbers = process.screen.frameNumbers()
    guard numbers.count == 4, Set(numbers).count == 1, isDrag || numbers[0] == position else {
      throw BenchError("the panes show \(numbers): \(process.chrome)")
    }
    try process.quit()
    return (Double(counts.min() ?? 0) / seconds, max(0, landed - settled), counts)
  }

  /// When a pane's frame was changed last, found once the program computes no more; the first pane's must be the
  /// one of the time that it tells.
  private static func rest(_ process: TerminalProcess) throws -> Double {
    var watch = PaneWatch(process, PaneWatch.strips)
    var last = now()
    let end = now() + 60
    var cpu = 0.0
    repeat {
      cpu = process.processorSeconds
      _ = process.run(
        timeout: 0.6,
        while: {
          if let changed = watch.changes(), !changed.isEmpty { last = now() }
          return true
        })
    } while now() < end && process.processorSeconds - cpu > 0.006
    guard let time = shownTime(process), let number = process.screen.frameNumbers().first else {
      throw BenchError("no time and number of a frame: \(process.chrome)")
    }
    let expected = Int((time * ScrubClip.rate + 0.02).rounded(.down))
    guard number == expected else {
      throw BenchError("frame \(number) is shown at \(time) s, not \(expected)")
    }
    return last
  }

  /// The time in the first clock of the screen that stands, in seconds: h:mm:ss.mmm or m:ss.mmm.
  private static func shownTime(_ process: TerminalProcess) -> Double? {
    for row in 0..<Workbench.rows {
      let words = process.text(row: row).split(separator: " ")
      guard words.contains(where: { $0.hasPrefix("#") }),
        let clock = words.first(where: { $0.contains(":") && $0.contains(".") })
      else { continue }
      let parts = clock.split(separator: "/")[0].split(separator: ":").map { Double($0) }
      return parts.reduce(0) { sum, part in sum.flatMap { sum in part.map { sum * 60 + $0 } } }
    }
    return nil
  }
}
