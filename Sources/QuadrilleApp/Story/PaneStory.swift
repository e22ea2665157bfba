import Movies
import Playback
import Terminal

/// The story that a pane plays, and what its viewer has pointed at. Screen thread only.
final class PaneStory {
  let player: StoryboardPlayer
  /// The storyboard's file.
  let path: String
  private let inbox: Mailbox
  private let news = News()
  /// Number of the choice that an arrow points at; nil until one has been pressed.
  private var pointed: Int?
  /// When there was last something to choose, and whether there is now.
  private var choosing: (isOpen: Bool, at: HostTime) = (false, .min)
  /// For so long after that a key for choosing is only late.
  private static let lateTime: HostTime = 1_000_000_000
  /// The length of the time for choosing, for the bar.
  private var shownFor = MediaTime.zero

  /// What has been told since it was last looked at; written and read by the screen thread, in the mailbox's blocks.
  ///
  /// `@unchecked Sendable`: only `Mailbox.run()` runs the blocks that touch it, and only the screen thread calls that.
  private final class News: @unchecked Sendable {
    var effects: [StoryboardEffect] = []
  }

  /// - Parameters:
  ///   - item: that the player has now, which shows the beginning.
  ///   - wake: called from any thread when there is something new.
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

  /// What has happened since the last call.
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

  // MARK: - What is shown

  /// The scene and the track that are played; nil before and after.
  var part: TerminalText? { player.place.map { "\(player.storyboard.fullName($0.track))" } }

  /// What can be chosen, to be drawn; nil while nothing can.
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

  // MARK: - What its viewer does

  /// Points at the choice before or behind.
  func point(by count: Int) {
    guard let controls = player.controls else { return }
    let numbers = controls.choices.map(\.number)
    let here = (pointed ?? controls.chosen).flatMap { numbers.firstIndex(of: $0) }
    let place = here.map { $0 + count } ?? (count > 0 ? 0 : numbers.count - 1)
    pointed = numbers[min(max(0, place), numbers.count - 1)]
    player.point(at: pointed)
  }

  /// Chooses what is pointed at; before an arrow has been pressed the first, unless something is chosen already.
  func choosePointed() {
    guard let controls = player.controls,
      let number = pointed ?? (controls.chosen == nil ? controls.choices.first?.number : nil)
    else { return }
    player.choose(number)
  }

  /// Whether there was something to choose a moment ago, so that a key for it is late rather than meant for something else.
  func isTooLate(at now: HostTime) -> Bool {
    player.controls == nil && choosing.at != .min && now - choosing.at < Self.lateTime
  }

  /// Returns what there is to say.
  func choose(_ number: Int) -> TerminalText? {
    guard let controls = player.controls else { return nil }
    guard controls.choices.contains(where: { $0.number == number }) else { return "no choice \(number)" }
    pointed = number
    player.choose(number)
    return nil
  }

  /// Returns what there is to say.
  func stepBack() -> TerminalText {
    guard player.run.canStepBack else { return "no choice to go back to" }
    player.stepBack()
    return "back to the last choice"
  }

  // MARK: - Keeping it for later

  /// A name for its file.
  var nameToSave: String {
    let name = FolderListing.name(ofPath: path)
    return (name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name) + ".run"
  }
}
