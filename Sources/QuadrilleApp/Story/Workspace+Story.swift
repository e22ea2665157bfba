import Terminal

/// Keys and the mouse for stories.
extension Workspace {
  /// Takes a key for the focused pane's story, while choices show; one that comes just behind them does nothing.
  ///
  /// - Returns: whether it was for the story.
  func steerStory(_ stroke: KeyStroke) -> Bool {
    guard let story = panes.focused?.story, stroke.modifiers.isEmpty else { return false }
    guard story.player.controls != nil else {
      guard choosesInStories(stroke.key), story.isTooLate(at: resources.clock.now) else { return false }
      say("too late: the choice has been made")
      return true
    }
    switch stroke.key {
    case .character(let digit) where ("0"..."9").contains(digit):
      if let number = Int(String(digit)), number > 0 { say(story.choose(number)) }
    case .up, .left: story.point(by: -1)
    case .down, .right: story.point(by: 1)
    case .enter: story.choosePointed()
    default: return false
    }
    chrome.invalidateAtOnce()
    return true
  }

  private func choosesInStories(_ key: Key) -> Bool {
    switch key {
    case .character(let digit): ("0"..."9").contains(digit)
    case .up, .down, .left, .right, .enter: true
    default: false
    }
  }

  func stepBack(_ story: PaneStory) {
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

  // MARK: - Keeping one for later

  func askForStoryName(_ story: PaneStory) {
    if let objection = saves.stories.objection(to: story) { return say(objection) }
    saves.stories.giveUp()
    prompts.ask(.save, text: story.nameToSave)
  }

  func saveStory(_ text: String) {
    guard let story = panes.focused?.story else { return say("the story has ended") }
    if let objection = saves.stories.objection(to: story) { return say(objection) }
    guard text.hasSuffix(".run") else {
      return prompts.ask(.save, text: text, objection: "the file name must end in .run")
    }
    saves.stories.save(story, to: text, sparing: filesInUse())
  }

  /// Takes in what has come of saving stories.
  func updateStories() {
    guard let result = saves.stories.take() else { return }
    chrome.invalidateAtOnce()
    let story = result.content.story
    tell(result, .save, canAsk: story != nil && story === panes.focused?.story) { _ in
      "saved \(result.path): open it to continue from here"
    }
  }
}
