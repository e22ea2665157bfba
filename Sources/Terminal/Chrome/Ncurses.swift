import CNcurses
import Glibc
import Synchronization

/// The only access to the ncurses library.
///
/// ncurses keeps its current screen, terminal type and locale in globals. Every call
/// goes through here: one caller at a time, with a UTF-8 ctype set for the calling thread only.
enum Ncurses {
  private static let lock = Mutex<Void>(())

  /// Runs `body` with exclusive access to ncurses; must not be nested.
  static func exclusively<R>(_ body: () throws -> R) rethrows -> R {
    // The result bypasses `withLock`, which would require it to leave the caller's isolation.
    var result: R?
    try lock.withLock { _ in result = try body() }
    guard let result else { preconditionFailure("the lock runs its body once") }
    return result
  }
}
