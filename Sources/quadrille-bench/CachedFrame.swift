import TerminalHarness

/// The time until the bytes of a cached frame leave.
enum CachedFrame {
  private static let count = 60
  /// A frame in the middle of the third group.
  private static let place = 620

  static func measure(_ bench: Workbench, _ clip: ScrubClip) throws -> [TableRow] {
    var steps: [[Double]] = []
    var seeks: [[Double]] = []
    for _ in 1...bench.rounds {
      let process = try bench.start(["--paused", "--cache", "256M", "--start", "#\(place)", clip.path])
      try process.stand(at: place)
      // The first step back has the whole group decoded up to here.
      process.send(",")
      try process.wait(forFrames: [place - 1])
      try process.settle()
      // Eight back, six forth, and so on: every frame on the way is cached.
      steps.append(try times(process) { $0 % 14 < 8 ? "," : "." })
      try process.settle()
      seeks.append(try times(process) { $0 % 2 == 0 ? "<" : ">" })
      try process.quit()
    }
    return rows("\(clip.name): step onto a cached frame", steps)
      + rows("\(clip.name): seek onto a cached frame", seeks)
  }

  private static func rows(_ title: String, _ times: [[Double]]) -> [TableRow] {
    let most = times.compactMap { $0.max() }.max() ?? 0
    return [
      TableRow(
        "\(title), p50 of \(count)", times.map { percentile($0, 0.5) }, atMost: 5, unit: " ms", digits: 1),
      TableRow(
        "\(title), p95 of \(count)", times.map { percentile($0, 0.95) }, atMost: 5, unit: " ms", digits: 1,
        note: "longest \(text(most, 1)) ms"),
    ]
  }

  /// Returns the milliseconds from writing each key until the first bytes of the update with the next frame.
  private static func times(_ process: TerminalProcess, key: (Int) -> String) throws -> [Double] {
    try (0..<count).map { index in
      var watch = PaneWatch(process, [PaneWatch.strip])
      let begin = now()
      process.send(key(index))
      let isSeen = process.run(timeout: 10, while: { watch.changes()?.isEmpty ?? true })
      guard isSeen, let began = process.updateBegan else {
        throw BenchError("key \(index) brings no frame: \(process.chrome)")
      }
      // At ever other points of whatever beat the program has.
      process.live(0.06 + 0.04 * (Double(index) * 0.618).truncatingRemainder(dividingBy: 1))
      return (began - begin) * 1000
    }
  }
}
