import Playback

extension CommandTable {
  /// Commands for playback.
  static let transport: [Command.Name: CommandHandler] = [
    .pause: .moving { workspace, _ in workspace.transport.togglePlaying() },
    .shuttle: .moving { workspace, direction in workspace.say(workspace.transport.shuttle(Int(direction))) },
    .speed: .moving { workspace, factor in workspace.say(workspace.transport.changeSpeed { $0 * factor }) },
    .speedReset: .moving { workspace, _ in workspace.say(workspace.transport.changeSpeed { _ in 1 }) },
    .loop: .panes { workspace, _ in workspace.say(workspace.transport.toggleRepeat()) },
    .loopPoint: .panes { workspace, _ in
      workspace.advanceLoop()
    },
  ]

  /// Commands for seeking.
  static let places: [Command.Name: CommandHandler] = [
    .seek: .moving { workspace, seconds in
      if let focused = workspace.panes.focused { workspace.showThumbnails(of: focused, isDrag: false) }
      workspace.transport.seek(by: seconds)
    },
    .step: .moving { workspace, count in workspace.transport.step(by: Int(count)) },
    .start: .moving { workspace, _ in workspace.transport.seek { _ in .zero } },
    .end: .moving { workspace, _ in workspace.goToEnd() },
    .position: .moving { workspace, percent in
      if let focused = workspace.panes.focused, !focused.player.duration.isNumeric { workspace.say("the clip's length is not known") }
      workspace.transport.seek { $0.duration.isNumeric ? $0.duration * (percent / 100) : nil }
    },
    .chapter: .moving { workspace, count in
      let chapter = workspace.transport.seek(byChapters: Int(count))
      // The chapters of a movie are named after its clips.
      if !workspace.hidesNames { workspace.say(chapter) }
    },
    .goto: .panes { workspace, _ in
      if workspace.panes.focused != nil { workspace.prompts.ask(.goTo) }
    },
  ]
}
