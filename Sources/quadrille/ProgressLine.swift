import Glibc
import Measuring
import Playback
import Synchronization

/// A progress line for long work on stderr; does nothing unless stderr is a terminal. Safe from any thread.
final class ProgressLine: Sendable {
  private struct State {
    var last: ContinuousClock.Instant?
    /// Width of the current line, in columns.
    var width = 0
  }

  private let isShown = isatty(STDERR_FILENO) == 1
  private let begin = ContinuousClock.now
  private let state = Mutex(State())

  private static let interval = Duration.milliseconds(200)

  /// Shows the progress, at most once per `interval`.
  func show(_ progress: VideoRenderer.Progress) {
    let now = ContinuousClock.now
    guard isDue(now) else { return }
    let seconds = max(1e-3, (now - begin) / .seconds(1))
    let rate = Double(progress.completed) / seconds
    let left = MediaTime(value: Int64((Double(progress.total - progress.completed) / max(rate, 1e-6)).rounded(.up)), timescale: 1)
    let percent = 100 * progress.completed / max(1, progress.total)
    put("\(percent)%, \(progress.completed) of \(progress.total) frames, \(Int(rate.rounded())) frames/s, \(left.clockText()) left")
  }

  /// Shows how far a comparison is, at most once per `interval`.
  func show(_ stage: ClipComparison.Stage, _ done: Int, _ total: Int) {
    guard isDue(.now) else { return }
    switch stage {
    case .reading: put("reading: \(done) frames")
    case .aligning: put("aligning")
    case .measuring: put("measuring: \(100 * done / max(1, total))%, \(done) of \(total) frames")
    }
  }

  private func isDue(_ now: ContinuousClock.Instant) -> Bool {
    guard isShown else { return false }
    return state.withLock { state in
      guard state.last.map({ now - $0 >= Self.interval }) ?? true else { return false }
      state.last = now
      return true
    }
  }

  /// Erases the line.
  func clear() {
    guard state.withLock({ $0.width }) > 0 else { return }
    put("")
    state.withLock { $0.width = 0 }
  }

  private func put(_ text: String) {
    let former = state.withLock { state in
      defer { state.width = text.count }
      return state.width
    }
    let bytes = Array("\r\(text)\(String(repeating: " ", count: max(0, former - text.count)))\r".utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
  }
}
