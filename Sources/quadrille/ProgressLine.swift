import Glibc
import Playback

/// A progress line for rendering on stderr; does nothing unless stderr is a terminal.
final class ProgressLine {
  private let isShown = isatty(STDERR_FILENO) == 1
  private let begin = ContinuousClock.now
  private var last: ContinuousClock.Instant?
  /// Width of the current line, in columns.
  private var width = 0

  private static let interval = Duration.milliseconds(200)

  /// Shows the progress, at most once per `interval`.
  func show(_ progress: VideoRenderer.Progress) {
    let now = ContinuousClock.now
    guard isShown, last.map({ now - $0 >= Self.interval }) ?? true else { return }
    last = now
    let seconds = max(1e-3, (now - begin) / .seconds(1))
    let rate = Double(progress.completed) / seconds
    let left = MediaTime(value: Int64((Double(progress.total - progress.completed) / max(rate, 1e-6)).rounded(.up)), timescale: 1)
    let percent = 100 * progress.completed / max(1, progress.total)
    put("\(percent)%, \(progress.completed) of \(progress.total) frames, \(Int(rate.rounded())) frames/s, \(left.clockText()) left")
  }

  /// Erases the line.
  func clear() {
    guard width > 0 else { return }
    put("")
    width = 0
  }

  private func put(_ text: String) {
    let bytes = Array("\r\(text)\(String(repeating: " ", count: max(0, width - text.count)))\r".utf8)
    width = text.count
    _ = write(STDERR_FILENO, bytes, bytes.count)
  }
}
