import CellGraphics
import Glibc
import Pixels
import Playback
import Terminal

extension PlayerProgram {
  func handle(_ event: InputEvent) {
    switch event {
    case .reply(let reply): handle(reply)
    case .mouse(let mouse): handle(mouse)
    case .paste(let text):
      guard prompt != nil else { return }
      prompt?.insert(text)
      chromeChanged()
    case .focus: break
    case .key(let key, let modifiers): handle(KeyStroke(key, modifiers))
    }
  }

  private func handle(_ stroke: KeyStroke) {
    if prompt != nil { return typeIntoPrompt(stroke) }
    if stroke.key == .escape, opening != nil { return callOffOpening() }
    if typeIntoHelp(stroke) { return }
    if stroke.key == .escape, showsInfo {
      showsInfo = false
      return chromeChanged()
    }
    guard let command = options.keys.command(for: stroke) else { return }
    perform(command)
  }

  /// Whom a command that is not about one pane concerns.
  var targets: [Pane] {
    guard let focused else { return [] }
    return (isLinked ? panes : [focused]).filter { $0.error == nil }
  }

  var targetPlayers: [Player] { targets.map(\.player) }

  func perform(_ command: Command) {
    guard command != .quit else { return quit() }
    chromeChanged()
    // What was said was about the command before.
    message = nil
    if command.movesClips { willMove(targets) }
    switch command {
    case .nothing, .quit: break
    case .playPause: playPause()
    case .seek(let seconds): seek(by: seconds)
    case .step(let count): step(by: count)
    case .speed(let factor): setSpeed { $0 * factor }
    case .normalSpeed: setSpeed { _ in 1 }
    case .shuttle(let direction): shuttle(direction)
    case .start: seek { _ in .zero }
    case .end: seek { $0.duration.isNumeric ? $0.duration : nil }
    case .fraction(let fraction): seek { $0.duration.isNumeric ? $0.duration * fraction : nil }
    case .focusNext: focusPane((focus + 1) % max(1, panes.count))
    case .focusPrevious: focusPane((focus + panes.count - 1) % max(1, panes.count))
    case .focus(let number): focusPane(number - 1)
    case .link:
      isLinked.toggle()
      say(isLinked ? "keys steer all panes" : "keys steer the focused pane only")
    case .zoom:
      guard panes.count > 1 else { return }
      isZoomed.toggle()
      needsLayout()
    case .gravity: cycleGravity()
    case .chrome:
      showsChrome.toggle()
      needsLayout()
    case .loopPoint: for pane in targets { say(pane.advanceLoopPoint()) }
    case .loop: toggleLoop()
    case .align: toggleAlignment()
    case .open: askForClip()
    case .goTo: if focused != nil { ask(.goTo) }
    case .close: if focused != nil { closePane(focus) }
    case .save: savePicture()
    case .info: showsInfo.toggle()
    case .help: helpPage = 0
    case .redraw: display.invalidate()
    case .suspend: suspend()
    }
  }

  // MARK: - Pictures

  private func savePicture() {
    guard let pane = focused, pane.error == nil else { return }
    guard let timing = pane.picture?.timing else { return say("there is no picture yet") }
    guard pane.canBeReadAgain else { return say("this clip can be read only once, so no picture can be saved") }
    pane.save(timing, saves)
  }

  // MARK: - Panes

  func focusPane(_ index: Int) {
    guard panes.indices.contains(index), index != focus else { return }
    focus = index
    shareCache()
    if isZoomed || panes.contains(where: { $0.geometry == nil }) { needsLayout() }
    chromeChanged()
  }
}

extension Pane {
  /// Goes to a place that was given before the clip was open.
  func go(to start: StartPosition) {
    switch start {
    case .time(let time): player.seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero)
    case .frame(let number): pendingFrame = number
    }
  }

  /// Sets the loop's beginning, then its end, then nothing again; says what it did.
  func advanceLoopPoint() -> TerminalText {
    let now = player.currentTime()
    if player.loopRange != nil {
      player.loopRange = nil
      loopIn = nil
      return "A-B loop off"
    }
    guard let begin = loopIn else {
      loopIn = now
      return "A-B loop begins at \(clockText(at: now))"
    }
    loopIn = nil
    let range = begin <= now ? TimeRange(start: begin, end: now) : TimeRange(start: now, end: begin)
    guard range.duration > .zero else { return "A-B loop: the two points are the same" }
    player.loopRange = range
    return "A-B loop \(clockText(at: range.start))…\(clockText(at: range.end))"
  }

  /// A time in words that lead back to the frame that is on display then.
  private func clockText(at time: MediaTime) -> String {
    player.timing(at: time)?.clockText() ?? time.clockText(fractionDigits: 3)
  }
}
