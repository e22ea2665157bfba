import Glibc
import Playback

/// A line on stderr that says how far a rendering is, where stderr is a terminal; nothing elsewhere.
final class ProgressLine {
  private let isShown = isatty(STDERR_FILENO) == 1
  private let begin = ContinuousClock.now
  private var last: ContinuousClock.Instant?
  /// Columns that the line takes.
  private var width = 0

  private static let interval = Duration.milliseconds(200)

  /// Shows how far it is, now and then.
  func show(_ progress: VideoRenderer.Progress) {
    let now = ContinuousClock.now
    guard isShown, last.map({ now - $0 >= Self.interval }) ?? true else { return }
    last = now
    let seconds = max(1e-3, (now - begin) / .seconds(1))
    let rate = Double(progress.completed) / seconds
    let left = Int((Double(progress.total - progress.completed) / max(rate, 1e-6)).rounded(.up))
    let percent = 100 * progress.completed / max(1, progress.total)
    put("\(percent) %, \(progress.completed) of \(progress.total) frames, \(Int(rate.rounded())) frames/s, \(Self.clock(left)) left")
  }

  /// Takes the line away.
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

  private static func clock(_ seconds: Int) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (minutes, rest) = (seconds / 60, seconds % 60)
    return minutes < 60 ? "\(minutes):\(two(rest))" : "\(minutes / 60):\(two(minutes % 60)):\(two(rest))"
  }
}
