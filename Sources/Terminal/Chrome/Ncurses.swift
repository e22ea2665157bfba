import CNcurses
import Glibc
import Synchronization

/// The one door to the ncurses library.
///
/// ncurses keeps its current screen, its current terminal type and its locale in globals. Every call of it
/// goes through here: one caller at a time, in a UTF-8 ctype that is set for the calling thread only.
enum Ncurses {
  private static let lock = Mutex<Void>(())

  /// Runs `body` as the only user of ncurses; not to be nested.
  static func exclusively<R>(_ body: () throws -> R) rethrows -> R {
    // The result takes the way around `withLock`, which would have it leave the caller's isolation.
    var result: R?
    try lock.withLock { _ in result = try body() }
    guard let result else { preconditionFailure("the lock runs its body once") }
    return result
  }
}
