import DecodePool
import Playback
import Synchronization

/// Lists folders, each on a thread of its own, because a disk may hang. Safe from any thread.
final class FolderLister: Sendable {
  typealias Answer = (request: PathCompletion.Request, result: Result<FolderListing, PlaybackError>)

  private struct State {
    var answers: [Answer] = []
    var threads = 0
  }

  /// Listings under way at the most: what hangs must not take one thread after another.
  private static let maxThreads = 4
  private static let maxEntries = 10_000
  private let state = Mutex(State())
  private let wake: @Sendable () -> Void

  /// - Parameter wake: called from any thread when there is an answer.
  init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

  /// Begins to list what a request may mean.
  func begin(_ request: PathCompletion.Request, home: String?) {
    let isFree = state.withLock { state in
      guard state.threads < Self.maxThreads else { return false }
      state.threads += 1
      return true
    }
    guard isFree else { return finish(request, .failure(PlaybackError(.system, "waits for other folders"))) }
    let path = request.folder.isEmpty ? "." : TypedPath.expanded(request.folder, home: home)
    do throws(ThreadError) {
      try detachThread { [self] in
        let result = Result {
          try FolderListing.read(path, limit: Self.maxEntries, where: request.admits)
        }.mapError { ($0 as? PlaybackError) ?? PlaybackError(.system, "cannot be listed") }
        state.withLock { $0.threads -= 1 }
        finish(request, result)
      }
    } catch {
      state.withLock { $0.threads -= 1 }
      finish(request, .failure(PlaybackError(.system, "cannot be listed: \(error.reason)")))
    }
  }

  private func finish(_ request: PathCompletion.Request, _ result: Result<FolderListing, PlaybackError>) {
    state.withLock { $0.answers.append((request, result)) }
    wake()
  }

  /// The answers since the last call.
  func take() -> [Answer] {
    state.withLock { state in
      defer { state.answers = [] }
      return state.answers
    }
  }
}
