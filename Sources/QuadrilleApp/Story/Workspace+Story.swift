import Terminal

/// Keys and the mouse for stories.
extension Workspace {
  /// Takes a key for the focused pane's story: choosing while choices show, and stepping back.
  ///
  /// - Returns: whether it was for the story.
  func steerStory(_ stroke: KeyStroke) -> Bool {
    guard let story = panes.focused?.story, stroke.modifiers.isEmpty else { return false }
    if stroke.key == .character("u") {
      stepBack(story)
      return true
    }
    guard story.player.controls != nil else { return false }
    switch stroke.key {
    case .character(let digit) where ("0"..."9").contains(digit):
      if let number = Int(String(digit)), number > 0 { say(story.choose(number)) }
    case .up, .left: story.point(by: -1)
    case .down, .right: story.point(by: 1)
    case .enter: story.choosePointed()
    case .backspace: stepBack(story)
    default: return false
    }
    chrome.invalidateAtOnce()
    return true
  }

  private func stepBack(_ story: PaneStory) {
    let hadEnded = story.player.run.hasEnded
    say(story.stepBack())
    // At the end it stands.
    if hadEnded, let focused = panes.focused { focused.player.play() }
  }

  /// Takes a click on a choice. Returns whether it was one.
  func chooseInStory(_ pane: Pane, column: Int, row: Int) -> Bool {
    guard let story = pane.story else { return false }
    let model = model(of: pane, withFigures: false)
    guard let panel = model.story,
      let index = panel.place(in: model.storyArea(blitter: screen.metrics.blitter))?.row(x: column, y: row)
    else { return false }
    say(story.choose(panel.rows[index].number))
    chrome.invalidateAtOnce()
    return true
  }
}
