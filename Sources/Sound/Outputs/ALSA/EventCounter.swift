internal import CALSA
import Glibc

/// A descriptor that becomes readable when another thread calls.
final class EventCounter: Sendable {
  let descriptor: Int32

  init() throws(SoundFailure) {
    descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    if descriptor < 0 { throw SoundFailure(reason: String(cString: strerror(errno))) }
  }

  deinit { close(descriptor) }

  /// Makes it readable.
  func add() { eventfd_write(descriptor, 1) }

  func reset() {
    var count = eventfd_t()
    eventfd_read(descriptor, &count)
  }
}
