import Glibc
import Playback
import Terminal

/// Judging clips without knowing their names.
extension Workspace {
  /// Hides the names of the clips, which have just been opened in panes.
  func beginBlindTest() {
    let test = BlindTest(panes.panes.map { pane in pane.clips.list.clips.map(\.path) })
    for (pane, contestant) in zip(panes.panes, test.contestants) { pane.clips.hideNames(behind: contestant.letter) }
    evaluation.blindTest = test
    updateLayout()
  }

  /// True if names must not be shown.
  var hidesNames: Bool { evaluation.blindTest.map { !$0.isRevealed } ?? false }

  /// The reason a command cannot be performed while names are hidden; nil if it can.
  func objection(to command: Command) -> TerminalText? {
    guard hidesNames, BlindTest.hidden.contains(command.name) else { return nil }
    return "not during a blind test\(key(.reveal).map { "; \($0) shows the names and ends it" } ?? "")"
  }

  /// Votes for the focused pane.
  func vote() {
    guard evaluation.blindTest != nil else { return say("no blind test: --blind starts one") }
    guard let pane = panes.focused else { return }
    guard let letter = pane.clips.list.alias else { return say("the names are shown: votes no longer count") }
    guard pane.error == nil else { return say("this clip cannot be played, so it gets no vote") }
    let vote = BlindTest.Vote(letter: letter, path: pane.clips.list.clip.path, time: Int(time(nil)), position: max(.zero, pane.place))
    if let number = evaluation.blindTest?.vote(vote) { say("vote \(number): \(letter)") }
  }

  /// Shows the names and the votes.
  func reveal() {
    guard evaluation.blindTest != nil else { return say("no blind test: --blind starts one") }
    evaluation.blindTest?.reveal()
    for pane in panes.panes { pane.clips.showNames() }
    updateLayout()
    say(evaluation.blindTest?.tally, seconds: 30)
  }
}
