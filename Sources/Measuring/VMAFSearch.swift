import DecodePool
import Metrics
import Playback

/// The search for what computes VMAF, on a thread of its own, because programs are run to find it. Safe from any thread.
package final class VMAFSearch: Sendable {
  private let found: Monitor<Result<VMAFEngine, PlaybackError>?>

  /// - Parameters:
  ///   - program: the path of an `ffmpeg`; nil to look for libvmaf or an `ffmpeg`.
  ///   - wake: called from any thread when the search is over.
  package init(program: String?, startThread: ThreadStarter = detachThread, wake: @escaping @Sendable () -> Void) {
    let found = Monitor<Result<VMAFEngine, PlaybackError>?>(nil)
    self.found = found
    @Sendable func end(_ result: Result<VMAFEngine, PlaybackError>) {
      found.withLock { $0 = result }
      found.broadcast()
      wake()
    }
    do throws(ThreadError) {
      try startThread {
        do throws(VMAFError) {
          end(.success(try VMAFEngine.find(program: program)))
        } catch {
          end(.failure(PlaybackError(.system, "\(error)")))
        }
      }
    } catch {
      end(.failure(PlaybackError(.system, "cannot start a thread: \(error.reason)")))
    }
  }

  /// The reason that VMAF cannot be computed; nil if it can, or as long as that is not known.
  package var failure: PlaybackError? {
    guard case .failure(let error) = found.withLock({ $0 }) else { return nil }
    return error
  }

  /// Waits for the end of the search.
  func engine() throws -> VMAFEngine { try found.wait { $0 }.get() }
}
