import Glibc
import Playback

/// Signals, and the stop that Ctrl-Z makes.
extension PlayerProgram {
  func handleSignals() {
    // Those that end the program come first: the terminal is then no more taken.
    for signal in screen.session.signals.take() where exitCode == nil {
      switch signal {
      case .interrupt: quit(128 + SIGINT)
      case .terminate: quit(128 + SIGTERM)
      case .hangUp: quit(hangUpCode)
      case .suspend: suspend()
      case .continued: resume()
      case .windowChanged: updateSize(mayBeAnother: false)
      }
    }
  }

  /// Stops the program as Ctrl-Z does; the clocks stand meanwhile.
  func suspend() {
    workspace.transport.withClocksStopped {
      screen.suspend()
      // What ends it lets it go on as well; the terminal may belong to the shell by then.
      handleSignals()
      if exitCode == nil { resume() }
    }
  }

  private func resume() {
    do {
      try screen.session.resume()
    } catch {
      return quit(hangUpCode)
    }
    updateSize(mayBeAnother: true)
  }

  private func updateSize(mayBeAnother: Bool) {
    workspace.say(screen.updateSize(mayBeAnother: mayBeAnother, at: clock.now))
    workspace.screenDidChange(screen.metrics)
  }
}
