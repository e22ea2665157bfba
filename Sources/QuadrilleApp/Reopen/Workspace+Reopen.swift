import Playback
import Terminal

/// Clips whose files change while they are played.
extension Workspace {
  /// Opens the focused pane's clip anew, or those of all controlled panes, at the same place.
  func reopen() {
    guard !panes.targets.isEmpty || panes.focused != nil else { return }
    var count = 0
    for pane in panes.steered where pane.canReopen {
      reopen(pane)
      count += 1
    }
    say(count == 0 ? "this clip cannot be reopened" : count == 1 ? "reopened" : "\(count) clips reopened")
  }

  private func reopen(_ pane: Pane, at time: MediaTime? = nil) {
    resources.files.didReopen(pane.path)
    forgetMeasurement(of: pane)
    pane.replace(with: resources.makeAsset(pane.clips.list.clip, options.languages), at: time ?? pane.player.currentTime())
    updateLayout()
  }

  /// Goes to the ends of the controlled panes. A file that has grown has its end elsewhere than when it was opened.
  func goToEnd() {
    for pane in panes.targets where resources.files.change(of: pane.path) == .grown { reopen(pane, at: .positiveInfinity) }
    transport.seek { $0.duration.isNumeric ? $0.duration : $0.currentItem?.seekableTimeRanges.last?.end }
  }

  /// Follows files that grow, and tells of those that were replaced.
  func updateFiles(at now: HostTime) {
    let watched = panes.panes.filter { $0.canReopen && $0 !== movies.pane }
    resources.files.watch(Set(watched.map(\.path)))
    for pane in watched {
      switch resources.files.change(of: pane.path) {
      case .none: break
      case .grown:
        guard pane.clip.hasEnded, pane.error == nil else { continue }
        // At its end, there is more to show.
        let goesOn = pane.clip.progress == .ended()
        reopen(pane)
        if goesOn { pane.player.play() }
      case .replaced:
        let text: TerminalText = "\(pane.spokenPath) has changed\(key(.reopen).map { ": \($0) reopens it" } ?? "")"
        if pane.notice?.text != text { pane.notice = Notice(text: text) }
      }
    }
  }
}
