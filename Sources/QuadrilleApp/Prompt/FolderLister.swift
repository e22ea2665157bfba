import DecodePool
import Playback
import Synchronization

/// Lists folders, each on its own thread because a disk may hang. Safe from any thread.
final class FolderLister: Sendable {
  typealias Answer = (request: PathCompletion.Request, result: Result<FolderListing, PlaybackError>)

  /// Maximum number of listings in progress, so that hanging disks do not take ever more threads.
  private static let maxThreads = 4
  private static let maxEntries = 10_000
  private let threads = Mutex(0)
  private let answers: Inbox<Answer>

  /// - Parameter wake: Called from any thread when there is an answer.
  init(wake: @escaping @Sendable () -> Void) { answers = Inbox(wake: wake) }

  /// Starts listing the folder of a request.
  func begin(_ request: PathCompletion.Request, home: String?) {
    let isFree = threads.withLock { threads in
      guard threads < Self.maxThreads else { return false }
      threads += 1
      return true
    }
    guard isFree else { return answers.put((request, .failure(PlaybackError(.system, "waiting for other folders")))) }
    let path = request.folder.isEmpty ? "." : TypedPath.expanded(request.folder, home: home)
    do throws(ThreadError) {
      try detachThread { [self] in
        let result = Result {
          try FolderListing.read(path, limit: Self.maxEntries, where: request.admits)
        }.mapError { ($0 as? PlaybackError) ?? PlaybackError(.system, "cannot be listed") }
        threads.withLock { $0 -= 1 }
        answers.put((request, result))
      }
    } catch {
      threads.withLock { $0 -= 1 }
      answers.put((request, .failure(PlaybackError(.system, "cannot be listed: \(error.reason)"))))
    }
  }

  /// The answers since the last call.
  func take() -> [Answer] { answers.take() }
}
