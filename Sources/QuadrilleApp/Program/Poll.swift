import Glibc
import Playback
import Terminal

/// Waits for input, signals, other threads, the terminal or a deadline, whichever comes first.
struct Poll {
  private let session: TerminalSession
  private let wakeup: Wakeup
  private let clock: any HostClock

  init(_ session: TerminalSession, _ wakeup: Wakeup, clock: any HostClock) {
    self.session = session
    self.wakeup = wakeup
    self.clock = clock
  }

  /// - Parameters:
  ///   - deadline: Host time; nil to wait indefinitely.
  ///   - flush: Writes pending output; returns false if the terminal is gone.
  func wait(until deadline: HostTime?, flush: () -> Bool) {
    var descriptors = [session.inputDescriptor, session.signals.descriptor, wakeup.descriptor].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    let writer = descriptors.count
    if session.writer.hasPending {
      descriptors.append(pollfd(fd: session.writer.descriptor, events: Int16(POLLOUT), revents: 0))
    }
    var now = clock.now
    while true {
      // Round up: waking early would only cost another turn.
      let wait = deadline.map { Int32(clamping: (max(0, $0 - now) + 999_999) / 1_000_000) } ?? -1
      let ready = Glibc.poll(&descriptors, nfds_t(descriptors.count), wait)
      // The terminal accepts an update in many small pieces; handle them here.
      guard ready == 1, writer < descriptors.count, descriptors[writer].revents == Int16(POLLOUT), flush(),
        session.writer.hasPending
      else { return }
      now = clock.now
      if let deadline, now >= deadline { return }
    }
  }
}
