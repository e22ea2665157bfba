import Synchronization

/// The use of what readers read, which decides about what is fetched and kept for them. It may become more urgent while they
/// read. Safe to use from any thread.
final class ReadingRole: Sendable {
  enum Use: Int {
    /// Nobody waits for it: it reads what has arrived for others.
    case following
    /// Somebody waits for it, such as for a thumbnail: what it reads is fetched.
    case sampling
    /// It is played: its next bytes are fetched ahead, and stay until it has read them.
    case playback
  }

  private let state: Mutex<Use>

  init(_ use: Use) { state = Mutex(use) }

  var use: Use { state.withLock { $0 } }

  /// Notes that somebody waits.
  func await() { state.withLock { if $0 == .following { $0 = .sampling } } }
}
