import Playback

/// What is heard.
extension Workspace {
  /// Lets players be heard as the sound's settings say.
  func updateSound() {
    guard resources.context.playsSound else { return }
    for (index, pane) in panes.panes.enumerated() {
      let isHeard = !sound.isMuted && sound.panes.contains(index: index, focus: panes.focusIndex)
      if pane.player.isMuted == isHeard { pane.player.isMuted = !isHeard }
      if pane.player.volume != sound.gain { pane.player.volume = sound.gain }
    }
  }

  func toggleMuted() {
    guard resources.context.playsSound else { return say("sound is off: --sound off") }
    sound.isMuted.toggle()
    say(sound.isMuted ? "muted" : sound.message)
  }

  func changeVolume(by decibels: Double) {
    guard resources.context.playsSound else { return say("sound is off: --sound off") }
    sound.changeVolume(by: decibels)
    say(sound.message)
  }
}
