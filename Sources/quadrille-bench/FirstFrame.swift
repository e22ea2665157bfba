import TerminalHarness

/// The time from the start to the first frame, beyond what ffmpeg needs to decode it.
enum FirstFrame {
  static func measure(_ bench: Workbench) throws -> [TableRow] {
    let clip = bench.clips[0]
    var own: [Double] = []
    var theirs: [Double] = []
    for _ in 1...(2 * bench.rounds) {
      theirs.append(
        try bench.run("ffmpeg", ["-v", "error", "-nostdin", "-i", clip, "-frames:v", "1", "-f", "null", "-"]).wall
          * 1000)
      let begin = now()
      let process = try bench.start([clip])
      guard process.run(timeout: Workbench.patience, until: FrameArea.middle.hasFrame) else {
        throw BenchError("no frame:\n\(process.screen)")
      }
      own.append((now() - begin) * 1000)
      process.send("q")
      _ = process.runUntilExit(timeout: Workbench.patience)
    }
    return [
      TableRow(
        "first frame − ffmpeg -frames:v 1", zip(own, theirs).map { $0 - $1 }, atMost: 150, unit: " ms", digits: 0,
        note: "\(text(median(own), 0)) ms − \(text(median(theirs), 0)) ms")
    ]
  }
}
