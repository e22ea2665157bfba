import Glibc
import Playback

/// Signals, and suspension with Ctrl-Z.
extension PlayerProgram {
  func handleSignals() {
    // Terminating signals come first: then the terminal is not taken again.
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

  /// Suspends the program like Ctrl-Z; the clocks stand still meanwhile.
  func suspend() {
    workspace.transport.withClocksStopped {
      screen.suspend()
      // A terminating signal also resumes the program; the terminal may belong to the shell by then.
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
