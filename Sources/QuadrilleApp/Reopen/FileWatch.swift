import DecodePool
import Playback

/// Notices that files being played have changed: looks at them every second, on a thread of its own. Safe from any thread.
final class FileWatch: Sendable {
  /// A change since a file was first watched.
  enum Change: Equatable {
    case none
    /// Data were appended, as to a recording.
    case grown
    /// It has other contents, which are no longer being written.
    case replaced
  }

  private struct File {
    /// The file as it was when it was first watched; nil if there was none.
    let first: FileStamp?
    var latest: FileStamp?
    var change = Change.none

    init(_ stamp: FileStamp?) { (first, latest) = (stamp, stamp) }

    /// Takes another look. Returns true if the change is another one.
    mutating func look(_ stamp: FileStamp?) -> Bool {
      // A file that is written anew is missing for a while, or empty.
      guard let first, let stamp else { return false }
      let rests = stamp == latest
      latest = stamp
      let former = change
      if stamp == first {
        change = .none
      } else if stamp.hasGrown(since: first), change != .replaced {
        change = .grown
      } else if rests {
        change = .replaced
      }
      return change != former
    }
  }

  private struct State {
    var files: [String: File] = [:]
    var isRunning = false
    var isClosed = false
  }

  private let state = Monitor(State())
  private let wake: @Sendable () -> Void
  private static let interval: UInt64 = 1_000_000_000

  /// - Parameter wake: Called from any thread when a file has changed.
  init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

  /// Ends watching.
  func close() {
    state.withLock { $0.isClosed = true }
    state.broadcast()
  }

  /// Sets the files to watch, by path; those that were watched before keep their first state.
  func watch(_ paths: Set<String>) {
    let begins = state.withLock { state in
      guard paths != Set(state.files.keys), !state.isClosed else { return false }
      state.files = state.files.filter { paths.contains($0.key) }
      for path in paths where state.files[path] == nil { state.files[path] = File(FileStamp(path: path)) }
      defer { state.isRunning = true }
      return !state.isRunning
    }
    guard begins else { return }
    do throws(ThreadError) {
      try detachThread { [self] in run() }
    } catch {
      state.withLock { $0.isRunning = false }
    }
  }

  /// The change of a file since it was first watched.
  func change(of path: String) -> Change { state.withLock { $0.files[path]?.change ?? .none } }

  /// Takes a file as it is now, because it has been opened again.
  func didReopen(_ path: String) { state.withLock { $0.files[path] = File(FileStamp(path: path)) } }

  private func run() {
    lowerThreadPriority()
    while true {
      let isClosed = state.wait(until: monotonicNanoseconds() + Self.interval) { $0.isClosed ? true : nil }
      if isClosed == true { return }
      let paths = state.withLock { Array($0.files.keys) }
      var hasNews = false
      for path in paths {
        // A file on a server that does not answer blocks this thread only.
        let stamp = FileStamp(path: path)
        if state.withLock({ $0.files[path]?.look(stamp) ?? false }) { hasNews = true }
      }
      if hasNews { wake() }
    }
  }
}
