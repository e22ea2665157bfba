internal import CPulse

/// A main loop of libpulse, run by one thread.
final class PulseLoop {
  private let pulse: UnsafePointer<qd_pulse>
  private let handle: OpaquePointer

  init(_ pulse: UnsafePointer<qd_pulse>) throws(SoundFailure) {
    guard let handle = pulse.pointee.mainloop_new() else { throw SoundFailure(reason: "not enough memory") }
    (self.pulse, self.handle) = (pulse, handle)
  }

  deinit { pulse.pointee.mainloop_free(handle) }

  /// The functions by which other objects use the loop; valid as long as it.
  var functions: UnsafeMutablePointer<pa_mainloop_api>? { pulse.pointee.mainloop_get_api(handle) }

  var wakeup: PulseWakeup { PulseWakeup(pulse: pulse, loop: handle) }

  /// Waits for events and handles them.
  ///
  /// - Parameter microseconds: the longest wait; nil for any time.
  func iterate(microseconds: Int64?) throws(SoundFailure) {
    let timeout = microseconds.map { Int32(clamping: $0) } ?? -1
    guard pulse.pointee.mainloop_prepare(handle, timeout) >= 0, pulse.pointee.mainloop_poll(handle) >= 0,
      pulse.pointee.mainloop_dispatch(handle) >= 0
    else { throw SoundFailure(reason: "the connection's loop failed") }
  }
}

/// Ends a loop's wait. The holder makes sure that the loop lives.
struct PulseWakeup: @unchecked Sendable {
  // `@unchecked Sendable`: libpulse documents pa_mainloop_wakeup as callable from any thread, and the table never changes.
  fileprivate let pulse: UnsafePointer<qd_pulse>
  fileprivate let loop: OpaquePointer

  func wake() { pulse.pointee.mainloop_wakeup(loop) }
}
