extension CommandTable {
  /// Commands for panes and their arrangement.
  static let panes: [Command.Name: CommandHandler] = [
    .focusNext: .panes { workspace, _ in workspace.focus(.next) },
    .focusPrevious: .panes { workspace, _ in workspace.focus(.previous) },
    .focus: .panes { workspace, number in workspace.focus(.index(Int(number) - 1)) },
    .link: .panes { workspace, _ in workspace.toggleSteering() },
    .align: .panes { workspace, _ in workspace.toggleAlignment() },
    .metric: .panes { workspace, _ in workspace.cycleMetric() },
    .eventList: .panes { workspace, _ in workspace.toggleEvents() },
    .syncPoint: .panes { workspace, _ in workspace.addSyncPoint() },
    .zoom: .panes { workspace, _ in
      guard workspace.panes.panes.count > 1 else { return }
      workspace.screen.layout.isZoomed.toggle()
      workspace.updateLayout()
    },
    .chrome: .panes { workspace, _ in
      workspace.screen.layout.showsChrome.toggle()
      workspace.updateLayout()
    },
    .gravity: .panes { workspace, _ in workspace.cycleGravity() },
    .magnify: .panes { workspace, steps in workspace.magnify(by: Int(steps)) },
    .wipe: .panes { workspace, _ in workspace.compare(.wipe) },
    .difference: .panes { workspace, _ in workspace.compare(.difference) },
    .flicker: .panes { workspace, _ in workspace.compare(.flicker) },
    .mix: .panes { workspace, _ in workspace.compare(.mix) },
    .checkerboard: .panes { workspace, _ in workspace.compare(.checkerboard) },
    .errors: .panes { workspace, _ in workspace.compare(.errors) },
    .butterfly: .panes { workspace, _ in workspace.compare(.butterfly) },
    .flickerFaster: .panes { workspace, _ in workspace.flickerFaster() },
    .reference: .panes { workspace, _ in workspace.makeReference() },
    .compareSwap: .panes { workspace, _ in workspace.swapCompared() },
    .compareList: .panes { workspace, _ in workspace.toggleList(.comparison) },
    .nudge: .panes { workspace, count in workspace.nudge(by: Int(count)) },
    .probe: .panes { workspace, _ in workspace.toggleProbe() },
    .scope: .panes { workspace, _ in workspace.cycleScope() },
    .frameFacts: .panes { workspace, _ in workspace.cycleFacts() },
    .vote: .panes { workspace, _ in workspace.vote() },
    .reveal: .panes { workspace, _ in workspace.reveal() },
    .saveView: .panes { workspace, _ in workspace.saveVisible() },
    .compareNext: .panes { workspace, _ in workspace.compareWithNext() },
    .magnifyFit: .panes { workspace, _ in workspace.magnifyToFit() },
    .open: .panes { workspace, _ in workspace.askForClip() },
    .reopen: .panes { workspace, _ in workspace.reopen() },
    .close: .panes { workspace, _ in workspace.closeFocusedPane() },
    .chapterList: .panes { workspace, _ in workspace.toggleList(.chapters) },
    .trackList: .panes { workspace, _ in workspace.toggleList(.tracks) },
    .clipList: .panes { workspace, _ in workspace.toggleList(.clips) },
    .clip: .panes { workspace, count in workspace.goToClip(by: Int(count)) },
    .shuffle: .panes { workspace, _ in workspace.toggleShuffled() },
    .video: .panes { workspace, _ in workspace.say(workspace.panes.focused?.chooseNextVideo()) },
    .sound: .panes { workspace, _ in workspace.say(workspace.panes.focused?.chooseNextSound()) },
    .mute: .panes { workspace, _ in workspace.toggleMuted() },
    .volume: .panes { workspace, decibels in workspace.changeVolume(by: decibels) },
    .soundDelay: .panes { workspace, seconds in workspace.changeSoundDelay(by: seconds) },
    .subtitles: .panes { workspace, _ in workspace.say(workspace.panes.focused?.chooseNextSubtitles()) },
    .find: .panes { workspace, _ in workspace.askForWords() },
    .hideSubtitles: .panes { workspace, _ in workspace.say(workspace.panes.focused?.subtitles.toggleHidden()) },
    .subtitleDelay: .panes { workspace, seconds in
      workspace.say(workspace.panes.focused?.changeSubtitleDelay(by: seconds))
    },
    .save: .panes { workspace, _ in workspace.saveFrame() },
  ]
}
