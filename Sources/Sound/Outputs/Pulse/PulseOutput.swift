/// A stream to a PulseAudio server, or to PipeWire's imitation of one.
package final class PulseOutput: SoundOutput {
  package let kind = SoundOutputKind.pulse

  private let server: String?
  private let now: @Sendable () -> Int64
  private let thread = StreamThread()

  /// - Parameter server: the server's address; by default, what libpulse is configured for.
  package init(server: String? = nil, now: @escaping @Sendable () -> Int64 = SoundEngine.monotonicNow) {
    (self.server, self.now) = (server, now)
  }

  package func open(_ client: any SoundOutputClient) {
    thread.start(client, of: self) { [server, now] notify throws(SoundFailure) in
      try PulseSession(server: server, now: now, notify)
    }
  }

  package func setRunning(_ isRunning: Bool) { thread.order { $0.isRunning = isRunning } }

  package func rewrite() { thread.order { $0.rewrites = true } }

  package func setTitle(_ title: String) { thread.order { $0.title = title } }

  package func close() { thread.order { $0.closes = true } }
}
