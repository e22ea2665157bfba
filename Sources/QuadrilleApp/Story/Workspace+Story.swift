import Terminal

/// Key and mouse input for stories.
extension Workspace {
  /// Handles a key for the focused pane's story while choices are shown. Keys just after that are ignored as too late.
  ///
  /// - Returns: True if the key was for the story.
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
    // At the end of the story the pane is paused.
    if hadEnded, let focused = panes.focused { focused.player.play() }
  }

  /// Handles a click on a choice. Returns true if it hit one.
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

  // MARK: - Saving

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

  /// Handles finished story saves.
  func updateStories() {
    guard let result = saves.stories.take() else { return }
    chrome.invalidateAtOnce()
    let story = result.content.story
    tell(result, .save, canAsk: story != nil && story === panes.focused?.story) { _ in
      "saved \(result.path): open it to continue from here"
    }
  }
}
