internal import CPulse

/// A connection to a server and its one stream, from connecting to failing. Used by one thread.
final class PulseSession: StreamThread.Stream {
  private let pulse: UnsafePointer<qd_pulse>
  private let loop: PulseLoop
  private let context: PulseContext
  private let now: () -> Int64
  private let notify: (StreamEvent) -> Void
  private var stage = Stage.connecting

  private enum Stage {
    case connecting
    /// The stream is being created.
    case creating(PulseStream)
    /// The device's description has been asked for.
    case describing(PulseStream, PulseDescription)
    case open(PulseStream)
  }

  /// - Throws: `SoundFailure` if the library is missing, or the server's address makes no sense.
  init(server: String?, now: @escaping () -> Int64, _ notify: @escaping (StreamEvent) -> Void) throws(SoundFailure) {
    guard let pulse = qd_pulse_load() else { throw SoundFailure(reason: "libpulse is not installed") }
    (self.pulse, self.now, self.notify) = (pulse, now, notify)
    loop = try PulseLoop(pulse)
    context = try PulseContext(pulse, loop, server: server)
  }

  var wake: @Sendable () -> Void {
    { [wakeup = loop.wakeup] in wakeup.wake() }
  }

  /// Carries out orders and what has arrived, and waits for more until something is due.
  ///
  /// - Throws: `SoundFailure` if the connection or the stream has failed.
  func step(_ orders: StreamOrders) throws(SoundFailure) {
    var due: Int64?
    if case .open(let stream) = stage { due = stream.carryOut(orders) }
    try loop.iterate(microseconds: due.map { max(0, $0 - now()) / 1000 })
    try advance()
  }

  private func advance() throws(SoundFailure) {
    guard try context.isReady() else { return }
    switch stage {
    case .connecting: stage = .creating(try PulseStream(pulse, context, now: now, notify))
    case .creating(let stream):
      guard try stream.isReady(context) else { return }
      stage = .describing(stream, PulseDescription(pulse, context, device: stream.deviceName))
      try advance()
    case .describing(let stream, let description):
      guard try stream.isReady(context), let name = description.text else { return }
      let format = try stream.start()
      stage = .open(stream)
      notify(.open(SoundDevice(kind: .pulse, name: name, format: format)))
    case .open(let stream): _ = try stream.isReady(context)
    }
  }
}
