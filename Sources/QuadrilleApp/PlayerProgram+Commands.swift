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

  private var targetPlayers: [Player] { targets.map(\.player) }

  func perform(_ command: Command) {
    guard command != .quit else { return quit() }
    chromeChanged()
    // What was said was about the command before.
    message = nil
    switch command {
    case .nothing, .quit: break
    case .playPause: playPause()
    case .seek(let seconds): seek(by: seconds)
    case .step(let count): for player in targetPlayers { player.step(byCount: count) }
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
    case .loopPoint: for pane in targets { say(pane.advanceLoopPoint()) }
    case .loop: toggleLoop()
    case .align: align()
    case .open: askForClip()
    case .goTo: if focused != nil { prompt = Prompt(.goTo) }
    case .close: if focused != nil { closePane(focus) }
    case .save: savePicture()
    case .info: showsInfo.toggle()
    case .help: helpPage = 0
    case .redraw: display.invalidate()
    case .suspend: suspend()
    }
  }

  // MARK: - Transport

  private func playPause() {
    let panes = targets
    guard !panes.isEmpty else { return }
    // The focused pane says which way all of them go.
    let reference = focused.flatMap { f in panes.first { $0 === f } } ?? panes[0]
    if reference.player.rate != 0 {
      group.pause(panes.map(\.player))
    } else {
      rewindEnded(panes)
      group.play(panes.map(\.player))
    }
  }

  /// At the end, playing means from the beginning.
  private func rewindEnded(_ panes: [Pane]) {
    for pane in panes where pane.hasEnded {
      pane.player.seek(to: .zero, toleranceBefore: .zero, toleranceAfter: .zero)
    }
  }

  private func shuttle(_ direction: Int) {
    let panes = targets
    guard let reference = focused?.player, !panes.isEmpty else { return }
    guard direction != 0 else { return group.pause(panes.map(\.player)) }
    let isFaster = reference.rate * Double(direction) > 0
    let rate = isFaster ? reference.rate * 2 : Double(direction)
    if direction > 0 { rewindEnded(panes) }
    group.play(panes.map(\.player), rate: rate)
    say("speed \(PaneText.rate(reference.rate))")
  }

  private func setSpeed(_ change: (Double) -> Double) {
    for player in targetPlayers {
      let wanted = change(player.rate == 0 ? player.defaultRate : abs(player.rate))
      let nearOne = abs(wanted - 1) < 0.005 ? 1 : wanted
      player.defaultRate = nearOne
    }
    let now = clock.now
    for player in targetPlayers where player.rate != 0 {
      player.setRate(player.rate < 0 ? -player.defaultRate : player.defaultRate, time: nil, atHostTime: now)
    }
    if let focused { say("speed \(PaneText.rate(focused.player.defaultRate))") }
  }

  // MARK: - Seeking

  /// Moves each pane by so much from where it is, or aligned panes to corresponding places.
  private func seek(by seconds: Double) {
    let delta = MediaTime(seconds: seconds, preferredTimescale: 1000)
    if let focused { scrub(focused, isDrag: false) }
    seek { $0.currentTime() + delta }
  }

  /// Seeks to what `target` says for each pane; where panes are aligned, for the focused one, and the others follow.
  func seek(_ target: (Player) -> MediaTime?) {
    let panes = targets
    if isLinked, panes.count > 1, let focused, let reference = focused.alignment, let time = target(focused.player) {
      return seek(panes.map { pane in (pane.player, time + ((pane.alignment ?? reference) - reference)) })
    }
    seek(panes.compactMap { pane in target(pane.player).map { (pane.player, $0) } })
  }

  private func seek(_ targets: [(Player, MediaTime)]) {
    group.seek(
      targets.map { (player: $0.0, time: max(.zero, $0.1)) }, toleranceBefore: .zero, toleranceAfter: .zero)
  }

  private func align() {
    if panes.contains(where: { $0.alignment != nil }) {
      for pane in panes { pane.alignment = nil }
      return say("alignment released")
    }
    guard panes.count > 1 else { return say("there is only one pane") }
    for pane in panes { pane.alignment = pane.player.currentTime() }
    let key = options.keys.keys(for: .align).first
    say("panes aligned as they are now\(key.map { "; \($0) releases them" } ?? "")")
  }

  private func toggleLoop() {
    guard let focused else { return }
    let loops = focused.player.actionAtItemEnd != .loop
    for player in targetPlayers { player.actionAtItemEnd = loops ? .loop : .pause }
    say(loops ? "repeat on" : "repeat off")
  }

  private func cycleGravity() {
    guard let focused else { return }
    let next = focused.gravity.next
    for pane in targets { pane.gravity = next }
    needsLayout()
    say("picture: \(next.commandLineName)")
  }

  /// Lets the strip of thumbnails appear while places are looked for.
  private func scrub(_ pane: Pane, isDrag: Bool) {
    guard !options.isUntimed else { return }
    pane.didScrub(isDrag: isDrag, at: clock.now) { [pool, wakeup] in
      ThumbnailStrip(asset: pane.asset, duration: pane.player.duration, pool: pool) { wakeup.signal() }
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

  // MARK: - The mouse

  private func handle(_ mouse: MouseEvent) {
    if case .release = mouse.kind {
      barDrag = nil
      return
    }
    if case .drag = mouse.kind, let pane = barDrag {
      scrub(pane, isDrag: true)
      return seekBar(of: pane, column: mouse.column)
    }
    guard let pane = visiblePanes.first(where: { $0.geometry?.rect.contains(x: mouse.column, y: mouse.row) ?? false }),
      let index = panes.firstIndex(where: { $0 === pane })
    else { return }
    switch mouse.kind {
    case .press(.left):
      focusPane(index)
      if let bar = chrome.barRect(of: pane), bar.contains(x: mouse.column, y: mouse.row) {
        barDrag = pane
        scrub(pane, isDrag: false)
        seekBar(of: pane, column: mouse.column)
      }
    case .wheelUp, .wheelDown:
      focusPane(index)
      perform(.seek(mouse.kind == .wheelUp ? 1 : -1))
    default:
      break
    }
  }

  private func seekBar(of pane: Pane, column: Int) {
    guard let bar = chrome.barRect(of: pane), pane.player.duration.isNumeric else { return }
    let fraction = ProgressBar(width: bar.width, played: 0).position(ofColumn: column - bar.x)
    let target = pane.player.duration * fraction
    let before = pane.player.currentTime()
    chromeChanged()
    // Linked panes move by as much as the dragged one.
    let linked = isLinked ? panes.filter { $0.error == nil } : [pane]
    seek(linked.map { other in
      (other.player, other === pane ? target : other.player.currentTime() + (target - before))
    })
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
