import Movies
import Playback
import Terminal

/// The story that a pane plays, and the user's selection. Screen thread only.
final class PaneStory {
  let player: StoryboardPlayer
  /// Path of the storyboard file.
  let path: String
  private let inbox: Mailbox
  private let news = News()
  /// Number of the selected choice; nil until an arrow key is pressed.
  private var pointed: Int?
  /// True while choices are shown, and the host time at which they were last shown.
  private var choosing: (isOpen: Bool, at: HostTime) = (false, .min)
  /// Time after the choices disappear in which a choice key is reported as too late.
  private static let lateTime: HostTime = 1_000_000_000
  /// Total time to choose, for the bar.
  private var shownFor = MediaTime.zero

  /// Effects since the last update; written and read by the screen thread, in the mailbox's blocks.
  ///
  /// `@unchecked Sendable`: only `Mailbox.run()` runs the blocks that touch it, and only the screen thread calls that.
  private final class News: @unchecked Sendable {
    var effects: [StoryboardEffect] = []
  }

  /// - Parameters:
  ///   - item: The player's current item, which shows the beginning.
  ///   - wake: Called from any thread when there is something new.
  /// - Throws: `StoryboardFailure`.
  init(
    _ opened: StoryOpening.Opened, _ player: Player, item: PlayerItem, choices: [String], wake: @escaping @Sendable () -> Void
  ) throws {
    let inbox = Mailbox(wake: wake)
    self.inbox = inbox
    path = opened.path
    self.player = try StoryboardPlayer(
      opened.storyboard, clips: opened.clips, player: player, resuming: opened.saved, choices: choices, on: inbox
    ) { [news] in news.effects.append($0) }
    self.player.begin(with: item)
  }

  deinit { player.end() }

  /// Returns the effects since the last call.
  func update(at now: HostTime) -> [StoryboardEffect] {
    inbox.run()
    defer { news.effects = [] }
    let isOpen = player.controls != nil
    if isOpen || choosing.isOpen { choosing = (isOpen, now) }
    for effect in news.effects {
      switch effect {
      case .showControls(let controls): (pointed, shownFor) = (nil, controls.timeLeft)
      case .hideControls, .go: pointed = nil
      default: break
      }
    }
    return news.effects
  }

  // MARK: - Display

  /// The current scene and track; nil before and after the story.
  var part: TerminalText? { player.place.map { "\(player.storyboard.fullName($0.track))" } }

  /// The choices to draw; nil if there are none.
  func model(isFocused: Bool) -> StoryPanel? {
    guard let controls = player.controls else { return nil }
    let left = max(0, controls.timeLeft.seconds)
    return StoryPanel(
      rows: controls.choices.map {
        StoryPanel.Row(
          number: $0.number, label: TerminalText($0.label), isChosen: $0.number == controls.chosen,
          isPointed: $0.number == pointed)
      }, secondsLeft: left, share: shownFor > .zero ? min(1, left / shownFor.seconds) : 0, isFocused: isFocused)
  }

  // MARK: - User actions

  /// Selects the previous or next choice.
  func point(by count: Int) {
    guard let controls = player.controls else { return }
    let numbers = controls.choices.map(\.number)
    let here = (pointed ?? controls.chosen).flatMap { numbers.firstIndex(of: $0) }
    let place = here.map { $0 + count } ?? (count > 0 ? 0 : numbers.count - 1)
    pointed = numbers[min(max(0, place), numbers.count - 1)]
    player.point(at: pointed)
  }

  /// Chooses the selected choice; without a selection the first, unless a choice has been made.
  func choosePointed() {
    guard let controls = player.controls,
      let number = pointed ?? (controls.chosen == nil ? controls.choices.first?.number : nil)
    else { return }
    player.choose(number)
  }

  /// True if choices were shown a moment ago, so that a choice key is late rather than meant for something else.
  func isTooLate(at now: HostTime) -> Bool {
    player.controls == nil && choosing.at != .min && now - choosing.at < Self.lateTime
  }

  /// Makes a choice. Returns a message.
  func choose(_ number: Int) -> TerminalText? {
    guard let controls = player.controls else { return nil }
    guard controls.choices.contains(where: { $0.number == number }) else { return "no choice \(number)" }
    pointed = number
    player.choose(number)
    return nil
  }

  /// Goes back to the last choice. Returns a message.
  func stepBack() -> TerminalText {
    guard player.run.canStepBack else { return "no choice to go back to" }
    player.stepBack()
    return "back to the last choice"
  }

  // MARK: - Saving

  /// Suggested name for the saved story.
  var nameToSave: String {
    let name = FolderListing.name(ofPath: path)
    return (name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name) + ".run"
  }
}
