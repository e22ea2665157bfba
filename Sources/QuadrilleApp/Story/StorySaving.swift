import Movies
import Terminal

/// Saves stories, one at a time, independently of their panes. Screen thread only.
struct StorySaving {
  /// The saved story, while it is still playing.
  struct Origin {
    weak var story: PaneStory?
  }

  private var saving: FileSaving<Origin>

  /// - Parameter wake: Called from any thread when a save has finished.
  init(wake: @escaping @Sendable () -> Void) { saving = FileSaving(wake: wake) }

  /// The reason a story cannot be saved now; nil if it can.
  func objection(to story: PaneStory) -> TerminalText? {
    if saving.isWriting { return "still saving a story" }
    return story.player.run.hasEnded ? "the story has ended: there is nothing to continue" : nil
  }

  /// Starts writing the current state of a story.
  ///
  /// - Parameters:
  ///   - typed: The file name.
  ///   - spared: Files that must not be overwritten.
  mutating func save(_ story: PaneStory, to typed: String, sparing spared: InputFiles) {
    var run = story.player.saved
    run.storyboard = story.path
    saving.write(Origin(story: story), to: typed, sparing: spared) { [run] in run.write(into: $0) }
  }

  /// Returns the result, once.
  mutating func take() -> FileSaving<Origin>.Result? { saving.take() }

  /// Discards a failed save.
  mutating func giveUp() { saving.giveUp() }

  /// Waits for the save in progress until a deadline in nanoseconds of the monotonic clock.
  ///
  /// - Returns: A message about a story that was not saved and not discarded; nil if there is none.
  func finish(until deadline: UInt64) -> String? {
    guard let path = saving.path else { return nil }
    switch saving.wait(until: deadline)?.outcome {
    case .written: return nil
    case .failed(let error): return error.description
    case .exists, nil: return "\(path): the story was not saved"
    }
  }
}
