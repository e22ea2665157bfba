internal import CPulse

/// A connection to a server.
final class PulseContext {
  private let pulse: UnsafePointer<qd_pulse>
  private let loop: PulseLoop
  let handle: OpaquePointer

  /// Starts to connect. No server is started for it.
  init(_ pulse: UnsafePointer<qd_pulse>, _ loop: PulseLoop, server: String?) throws(SoundFailure) {
    let properties = pulse.pointee.proplist_new()
    defer { if let properties { pulse.pointee.proplist_free(properties) } }
    _ = pulse.pointee.proplist_sets(properties, PA_PROP_APPLICATION_NAME, SoundTitle.program)
    _ = pulse.pointee.proplist_sets(properties, PA_PROP_APPLICATION_ICON_NAME, "multimedia-player")
    guard let handle = pulse.pointee.context_new_with_proplist(loop.functions, SoundTitle.program, properties) else {
      throw SoundFailure(reason: "not enough memory")
    }
    (self.pulse, self.loop, self.handle) = (pulse, loop, handle)
    if pulse.pointee.context_connect(handle, server, PA_CONTEXT_NOAUTOSPAWN, nil) < 0 { throw error }
  }

  deinit {
    pulse.pointee.context_disconnect(handle)
    pulse.pointee.context_unref(handle)
  }

  /// Returns true once the connection stands.
  func isReady() throws(SoundFailure) -> Bool {
    switch pulse.pointee.context_get_state(handle) {
    case PA_CONTEXT_READY: return true
    case PA_CONTEXT_FAILED, PA_CONTEXT_TERMINATED: throw error
    default: return false
    }
  }

  /// The reason of the latest failure.
  var error: SoundFailure {
    let text = pulse.pointee.strerror(pulse.pointee.context_errno(handle)).map { String(cString: $0) } ?? ""
    return SoundFailure(reason: text.isEmpty ? "the sound server failed" : text.prefix(1).lowercased() + text.dropFirst())
  }
}
