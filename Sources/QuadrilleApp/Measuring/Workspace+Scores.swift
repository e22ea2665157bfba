import Measuring
import Playback
import Terminal

/// Metrics of aligned panes.
extension Workspace {
  /// Shows the next metric, or none; aligns the panes first, if they are not.
  func cycleMetric() {
    let next = measuring.nextMetric
    measuring.metric = next
    measuring.prepareMetric { [wakeup = resources.wakeup] in wakeup.signal() }
    switch measuring.stage {
    case .idle:
      guard next != nil else { break }
      if !alignFrames(wish: .none) { measuring.metric = nil }
      return
    case .aligning: break
    case .aligned: beginScores()
    }
    say(next.map { "\($0.title)\(isAligning ? " follows the alignment" : "")" } ?? "metric off")
  }

  private var isAligning: Bool { if case .aligning = measuring.stage { true } else { false } }

  /// Measures the aligned panes in the chosen metric.
  func beginScores() {
    guard case .aligned(let reference, let candidates) = measuring.stage else { return }
    for pane in candidates {
      guard let clip = pane.view.measurement?.clip else { continue }
      guard let metric = measuring.metric else {
        pane.view.measurement?.scores = nil
        continue
      }
      let job = measuring.makeScores(metric, of: pane, clip, reference: reference) { [wakeup = resources.wakeup] in
        wakeup.signal()
      }
      pane.view.measurement?.scores = PaneScores(job, of: clip)
    }
    chrome.invalidateAtOnce()
  }

  /// Takes what has been measured.
  func updateScores() {
    // While the clips are being aligned, that they are would be the next message.
    if let lack = measuring.lack, !isAligning {
      measuring.metric = measuring.nextMetric
      beginScores()
      say("\(lack.message)", seconds: 8)
    }
    guard measuring.metric != nil else { return }
    for pane in panes.panes {
      if let scores = pane.view.measurement?.scores, scores.update(at: pane.player.currentTime()) { chrome.invalidate() }
    }
  }

  /// The pane whose metric is shown: the focused one, or the first.
  private var scoredPane: Pane? {
    ([panes.focused].compactMap { $0 } + panes.panes).first { $0.view.measurement?.scores != nil }
  }

  /// Handles a key while a metric is shown. Returns true if it was for that.
  func steerScores(_ stroke: KeyStroke) -> Bool {
    guard let pane = scoredPane, stroke.key == .character("n") || stroke.key == .character("N"),
      stroke.modifiers.isDisjoint(with: [.ctrl, .alt])
    else { return false }
    chrome.invalidateAtOnce()
    clearMessage()
    goToWorst(of: pane, forward: stroke.key == .character("n"))
    return true
  }

  private func goToWorst(of pane: Pane, forward: Bool) {
    guard let scores = pane.view.measurement?.scores else { return }
    guard let time = scores.localWorst(from: pane.player.currentTime(), forward: forward, frameRate: pane.frameRate) else {
      let none: TerminalText = "no \(forward ? "later" : "earlier") place is worse than most"
      return say(scores.snapshot.table.isComplete ? none : none + " of those measured so far")
    }
    resources.group.pause(panes.targets.map(\.player))
    // Within the frame: nanoseconds may be rounded to before it.
    let start = pane.player.timing(at: time + MediaTime(value: 1, timescale: 20_000))?.pts ?? time
    transport.drag(pane, to: start)
  }
}
