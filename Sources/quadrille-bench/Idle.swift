import TerminalHarness

/// The cost of four paused clips.
enum Idle {
  private static let seconds = 5.0

  static func measure(_ bench: Workbench) throws -> [TableRow] {
    var loads: [Double] = []
    var bytes: [Double] = []
    for round in 1...bench.rounds {
      progress("idle \(round)/\(bench.rounds)")
      let process = try bench.start(bench.clips)
      process.live(2)
      process.send(" ")
      // Decoding ahead ends, and the status line's message goes.
      process.live(6)
      let (cpu, received, begin) = (process.processorSeconds, process.bytesReceived, now())
      process.live(seconds)
      guard process.exitStatus == nil else { throw BenchError("it has ended:\n\(process.screen)") }
      // Without the kernel's figures there would be nothing but zeros.
      guard cpu > 0 else { throw BenchError("/proc/PID/task/TID/schedstat cannot be read") }
      loads.append((process.processorSeconds - cpu) / (now() - begin) * 100)
      bytes.append(Double(process.bytesReceived - received))
      process.send("q")
      _ = process.runUntilExit(timeout: Workbench.patience)
    }
    return [
      TableRow("four clips paused: CPU", loads, atMost: 1, unit: " %"),
      TableRow("four clips paused: bytes in \(text(seconds)) s", bytes, atMost: 0, digits: 0),
    ]
  }
}
