import DecodePool
import Playback
import Terminal

/// Ending the program.
extension PlayerProgram {
  /// Nanoseconds to wait for background work on exit.
  private static let patience: UInt64 = 1_000_000_000

  /// Restores the terminal, waits for background work and writes the requested reports.
  ///
  /// - Returns: The exit code.
  func finish() -> Int32 {
    let failures = workspace.panes.panes.compactMap { pane in pane.error.map { (pane.path, $0) } }
    let bytes = screen.renderer.bytesWritten
    let session = workspace.savedSession
    screen.leave()
    let deadline = monotonicNanoseconds() + Self.patience
    let unsaved = workspace.saves.frames.finish()
    for pane in workspace.panes.panes { pane.clips.asset.finishRecording(until: deadline) }
    workspace.prompts.finish(until: deadline)
    if let unwritten = workspace.movies.finish(until: deadline) { printError("quadrille: \(unwritten)") }
    if let unwritten = workspace.saves.stories.finish(until: deadline) { printError("quadrille: \(unwritten)") }
    var code = exitCode ?? 0
    if code == 1 || (code == 0 && !failures.isEmpty) {
      for (path, error) in failures { printError("quadrille: \(error.message(naming: path))") }
    }
    if let unsaved {
      printError("quadrille: \(unsaved)")
      if code == 0 { code = 1 }
    }
    let isWritten = record.write(
      panes: (workspace.panes.panes + [workspace.movies.displaced?.pane].compactMap { $0 }).map { workspace.model(of: $0, withFigures: true) },
      screen: ScreenDump(screen.renderer.intendedScreen), bytes: bytes, link: screen.renderer.meter,
      roundTrip: screen.renderer.roundTrip, at: clock.now)
    let areKept = [record.write(session), record.write(workspace.evaluation.blindTest)]
    if code == 0, !isWritten || areKept.contains(false) { code = 1 }
    return code
  }
}
