import Movies
import Terminal

/// Keeps stories for later, one at a time, whatever becomes of their panes meanwhile. Screen thread only.
struct StorySaving {
  /// The story that was saved, while it is still played.
  struct Origin {
    weak var story: PaneStory?
  }

  private var saving: FileSaving<Origin>

  /// - Parameter wake: called from any thread when one is saved, or is not.
  init(wake: @escaping @Sendable () -> Void) { saving = FileSaving(wake: wake) }

  /// Why a story cannot be saved now; nil where it can.
  func objection(to story: PaneStory) -> TerminalText? {
    if saving.isWriting { return "still saving a story" }
    return story.player.run.hasEnded ? "the story has ended: there is nothing to continue" : nil
  }

  /// Begins to write a story's run as it stands.
  ///
  /// - Parameters:
  ///   - typed: the file's name.
  ///   - spared: files that must not be written.
  mutating func save(_ story: PaneStory, to typed: String, sparing spared: [String]) {
    var run = story.player.saved
    run.storyboard = story.path
    saving.write(Origin(story: story), to: typed, sparing: spared + [story.path]) { [run] in run.write(into: $0) }
  }

  /// What has come of it, once.
  mutating func take() -> FileSaving<Origin>.Result? { saving.take() }

  /// Gives up what was not saved.
  mutating func giveUp() { saving.giveUp() }

  /// Waits for what is being saved, at most until a time of the monotonic clock in nanoseconds.
  ///
  /// - Returns: a sentence about what was not saved, and was not given up; nil where there is no such story.
  func finish(until deadline: UInt64) -> String? {
    guard let path = saving.path else { return nil }
    switch saving.wait(until: deadline)?.outcome {
    case .written: return nil
    case .failed(let error): return error.description
    case .exists, nil: return "\(path): the story was not saved"
    }
  }
}
