import Playback
import Terminal

/// The sound of the panes.
extension Workspace {
  /// Lets players be heard as the sound's settings say.
  func updateSound() {
    guard let status = resources.context.soundOutputStatus else { return }
    if let device = panes.sound.takeNewDevice(status), let delay = resources.soundDelays[device] { panes.sound.setDelay(delay) }
    if let word = panes.sound.news(status, hasSound: panes.panes.contains { $0.player.currentItem?.hasSound == true }) { say(word) }
    for (index, pane) in panes.panes.enumerated() {
      let isHeard = !panes.sound.isMuted && panes.sound.panes.contains(index: index, focus: panes.focusIndex)
      if pane.player.isMuted == isHeard { pane.player.isMuted = !isHeard }
      if pane.player.volume != panes.sound.gain { pane.player.volume = panes.sound.gain }
      if pane.player.audioDelay != panes.sound.wholeDelay { pane.player.audioDelay = panes.sound.wholeDelay }
    }
  }

  func toggleMuted() {
    let isMarkSeen = isMarkSeen
    changeSound { sound in
      sound.isMuted.toggle()
      return sound.isMuted ? (isMarkSeen ? nil : "muted") : sound.message
    }
  }

  func changeVolume(by decibels: Double) {
    changeSound { sound in
      sound.changeVolume(by: decibels)
      return sound.message
    }
  }

  /// Changes the time by which sound comes after its frames, and keeps it for the device.
  func changeSoundDelay(by seconds: Double) {
    changeSound { sound in
      sound.changeDelay(by: seconds)
      return sound.delayMessage
    }
    saveSoundDelay()
  }

  /// Changes the settings, and says what they are; says why not if the run has no sound.
  private func changeSound(_ change: (inout SoundControl) -> TerminalText?) {
    guard resources.context.playsSound else { return say("sound was turned off with --sound off") }
    if let objection = soundChoiceObjection { return say(objection) }
    let heard = heardPanes
    if !heard.isEmpty, heard.allSatisfy(\.lacksSound) {
      guard heard.count == 1 else { return say("these clips have no sound") }
      return say(heard[0] === panes.focused ? "this clip has no sound" : "\(heard[0].title) has no sound")
    }
    say(change(&panes.sound))
  }

  /// The panes that the settings let be heard.
  private var heardPanes: [Pane] {
    panes.panes.indices.filter { panes.sound.panes.contains(index: $0, focus: panes.focusIndex) }.map { panes.panes[$0] }
  }

  /// A message that the pane to be heard does not exist; nil if it does.
  var soundChoiceObjection: TerminalText? {
    let count = panes.panes.count
    guard case .pane(let number) = panes.sound.panes, count > 0, number > count else { return nil }
    return "no sound: pane \(number) was chosen, and there \(count == 1 ? "is only 1" : "are only \(count)")"
  }

  /// True if a row of a pane that could be heard tells that it is muted.
  private var isMarkSeen: Bool {
    heardPanes.contains { pane in
      guard let geometry = pane.geometry, pane.player.currentItem?.hasSound == true else { return false }
      return !geometry.title.isEmpty || pane.bar?.row.label.isEmpty == false
    }
  }

  /// The pane's sound, as its title tells.
  func soundMark(of pane: Pane, index: Int) -> PaneModel.Sound {
    if pane.clip.media?.isSoundOnly == true {
      guard case .open = resources.context.soundOutputStatus else { return .silent }
    }
    guard resources.context.playsSound, pane.player.currentItem?.hasSound == true else { return .unmarked }
    let isChosen = panes.sound.panes.contains(index: index, focus: panes.focusIndex)
    if isChosen, let error = pane.player.soundError { return .failed(error.message) }
    if isChosen, panes.sound.isMuted { return .muted }
    return isChosen && panes.panes.count > 1 ? .heard : .unmarked
  }

  private func saveSoundDelay() {
    guard case .open(let device) = resources.context.soundOutputStatus else { return }
    resources.soundDelays.set(panes.sound.delay, of: device.name)
  }
}
