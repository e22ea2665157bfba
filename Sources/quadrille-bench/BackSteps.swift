import TerminalHarness

/// Holding the key for one frame back; and going back as fast as can be, beside mpv's `frame-back-step`.
enum BackSteps {
  private static let steps = 1000
  /// Of a keyboard that repeats a held key.
  private static let keysPerSecond = 35.0
  /// Where going back as fast as can be begins: about the middle of a group.
  private static let place = 1135
  private static let ownSteps = 500
  private static let mpvSteps = 20

  static func measure(_ bench: Workbench, _ clip: ScrubClip) throws -> [TableRow] {
    var rates: [Double] = []
    var gaps: [Double] = []
    var firsts: [Double] = []
    var memory: [Double] = []
    var ratios: [Double] = []
    var theirs: [Double] = []
    var own: [Double] = []
    for _ in 1...bench.rounds {
      let run = try hold(bench, clip)
      rates.append(run.rate)
      gaps.append(run.gap * 1000)
      firsts.append(run.first * 1000)
      memory.append(run.megabytes)
      progress(
        "  \(text(run.rate, 1)) frames/s, first \(text(run.first, 2)) s, longest gap \(text(run.gap, 3)) s")
      guard bench.has("mpv") else { continue }
      own.append(try rate(bench, clip))
      theirs.append(try mpvRate(bench, clip))
      ratios.append((own.last ?? 0) / (theirs.last ?? 1))
    }
    let title = "\(clip.name): back one frame, key held"
    var rows = [
      TableRow("\(title): frames a second over \(steps)", rates, atLeast: 30, digits: 1),
      TableRow(
        "\(title): longest gap after the first group", gaps, atMost: 250, unit: " ms", digits: 0,
        note: "first frame after \(text(median(firsts), 0)) ms"),
      TableRow(
        what: "\(title): peak resident memory, --cache 256M", figure: "\(text(median(memory), 0)) MB",
        samples: memory.sorted().map { text($0, 0) }.joined(separator: " ")),
    ]
    let race = "\(clip.name): one frame back after another / mpv frame-back-step"
    if ratios.isEmpty {
      rows.append(TableRow(what: race, figure: "–", target: "≥ 20", samples: "not installed"))
    } else {
      rows.append(
        TableRow(
          race, ratios, atLeast: 20, digits: 0,
          note: "\(text(median(own), 1)) / \(text(median(theirs), 2)) frames a second"))
    }
    return rows
  }

  private struct Run {
    /// Frames a second from the first key to the last frame.
    var rate: Double
    /// Seconds from the first key to the first frame.
    var first: Double
    /// The longest time between two frames, in seconds.
    var gap: Double
    var megabytes: Double
  }

  /// Presses the key 1,000 times from the last frame on.
  private static func hold(_ bench: Workbench, _ clip: ScrubClip) throws -> Run {
    let last = ScrubClip.frames - 1
    let process = try bench.start(["--paused", "--cache", "256M", "--start", "#\(last)", clip.path])
    try process.stand(at: last)
    var watch = PaneWatch(process, [PaneWatch.strip])
    var pressed = 0
    var times: [Double] = []
    let begin = now()
    // Until half a second has passed after the last key without another frame, for want of anything better to see.
    var isOver = false
    _ = process.run(
      timeout: Workbench.patience,
      while: {
        let time = now()
        while pressed < steps, begin + Double(pressed) / keysPerSecond <= time {
          process.send(",")
          pressed += 1
        }
        if let changed = watch.changes(), !changed.isEmpty { times.append(time) }
        if pressed == steps, time - (times.last ?? begin) > 0.5 {
          isOver = process.screen.frameNumbers() == [last - steps]
        }
        return !isOver
      })
    guard isOver, let first = times.first, let end = times.last else {
      throw BenchError("it does not come to frame \(last - steps): \(process.chrome)")
    }
    let gap = zip(times, times.dropFirst()).map { $1 - $0 }.max() ?? 0
    let megabytes = process.peakMegabytes ?? 0
    try process.quit()
    return Run(
      rate: Double(times.count) / (end - begin), first: first - begin, gap: gap, megabytes: megabytes)
  }

  /// Frames a second where each key follows the first bytes of the frame before; the wait for groups counts, the
  /// terminal's drawing does not.
  private static func rate(_ bench: Workbench, _ clip: ScrubClip) throws -> Double {
    let process = try bench.start(["--paused", "--cache", "256M", "--start", "#\(place)", clip.path])
    try process.stand(at: place)
    var seconds = 0.0
    for step in 1...ownSteps {
      var watch = PaneWatch(process, [PaneWatch.strip])
      let begin = now()
      process.send(",")
      let isSeen = process.run(timeout: 20, while: { watch.changes()?.isEmpty ?? true })
      guard isSeen, let began = process.updateBegan else {
        throw BenchError("step \(step) back brings no frame: \(process.chrome)")
      }
      seconds += began - begin
    }
    try process.wait(forFrames: [place - ownSteps])
    try process.quit()
    return Double(ownSteps) / seconds
  }

  /// Frames a second that mpv steps back, without drawing them.
  private static func mpvRate(_ bench: Workbench, _ clip: ScrubClip) throws -> Double {
    let remote = try MpvRemote(bench, clip.path, start: Double(place) / ScrubClip.rate)
    var before = try remote.timePosition()
    var seconds = 0.0
    for _ in 1...mpvSteps {
      let begin = now()
      try remote.send(["frame-back-step"])
      try remote.wait(forEvent: "playback-restart")
      seconds += now() - begin
      let time = try remote.timePosition()
      guard time < before else { throw BenchError("mpv has not stepped back from \(before)") }
      before = time
    }
    return Double(mpvSteps) / seconds
  }
}
