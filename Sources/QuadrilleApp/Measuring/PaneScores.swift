import Measuring
import Playback
import Terminal

/// One metric of a pane's clip, measured in the background. Screen thread only.
final class PaneScores {
  let metric: Metric
  private let job: ScoreJob
  private let frames: FrameNumbering
  private(set) var snapshot: ScoreJob.Snapshot
  /// The columns made last, and what they were made of.
  private var columns: (width: Int, length: Double, revision: Int, values: [Double?])?

  init(_ job: ScoreJob, of clip: AlignedClip) {
    (self.job, frames) = (job, clip.candidate)
    snapshot = job.snapshot
    metric = snapshot.table.metric
  }

  /// Takes what has been measured since, and measures on from a time. Returns true if there is something new.
  func update(at time: MediaTime) -> Bool {
    if let frame = frame(at: time) { job.go(to: frame) }
    guard job.revision != snapshot.revision else { return false }
    snapshot = job.snapshot
    return true
  }

  private func frame(at time: MediaTime) -> Int? { time.nanoseconds.flatMap(frames.frame(at:)) }

  /// The score of the frame at a time; nil if it has not been measured.
  func score(at time: MediaTime) -> Double? { frame(at: time).flatMap(snapshot.table.score) }

  /// The time at which a frame is shown.
  func time(of frame: Int) -> MediaTime { max(.zero, MediaTime(nanoseconds: frames.times[frame])) }

  /// The time of the next frame, or of the previous one, that is worse than those around; nil if there is none.
  ///
  /// - Parameter frameRate: half a second on either side counts as around.
  func localWorst(from time: MediaTime, forward: Bool, frameRate: Double) -> MediaTime? {
    let worst = snapshot.table.localWorst(radius: max(2, Int(min(frameRate, 240) / 2)))
    guard let here = frame(at: time) else { return nil }
    return (forward ? worst.first { $0 > here } : worst.last { $0 < here }).map(self.time(of:))
  }

  /// The worst score in each of some parts of the clip's length, 0…1 of the range; nil where nothing has been measured.
  func columns(width: Int, length: MediaTime) -> [Double?] {
    let seconds = length.seconds
    guard width > 0, seconds.isFinite, seconds > 0 else { return [] }
    if let columns, columns.width == width, columns.length == seconds, columns.revision == snapshot.revision {
      return columns.values
    }
    var worst = [Double?](repeating: nil, count: width)
    for (frame, time) in frames.times.enumerated() {
      guard let score = snapshot.table.score(frame) else { continue }
      let column = min(width - 1, max(0, Int(Double(time) / 1e9 / seconds * Double(width))))
      worst[column] = min(worst[column] ?? .infinity, score)
    }
    let finite = worst.compactMap { $0 }.filter(\.isFinite)
    let low = finite.min() ?? 0, range = (finite.max() ?? 0) - low
    let values = worst.map { score in score.map { $0.isFinite && range > 0 ? ($0 - low) / range : 1 } }
    columns = (width, seconds, snapshot.revision, values)
    return values
  }

  /// The figures of the frame at a time and of the clip.
  func words(at time: MediaTime) -> [TerminalText] {
    if let failure = snapshot.failure { return ["\(metric.title): \(failure.message)"] }
    var parts: [TerminalText] = ["\(metric.title) \(score(at: time).map(metric.text) ?? "–")"]
    if let figures = snapshot.figures, let worst = figures.summary.worst.first, let value = worst[metric] {
      parts += [
        "mean \(metric.text(figures.summary.mean))", "p1 \(metric.text(figures.summary.percentile1))",
        "p5 \(metric.text(figures.summary.percentile5))",
        "worst \(metric.text(value)) #\(worst.candidate)", "harmonic \(metric.text(figures.summary.harmonicMean))",
      ]
    }
    let (count, matched) = (snapshot.table.measuredCount, snapshot.table.matchedCount)
    return parts + [count < matched ? "over \(count) of \(matched) frames" : "over \(count) frames"]
  }
}

extension Metric {
  var title: String { rawValue.uppercased() }

  /// A score as text.
  func text(_ score: Double) -> String {
    guard score.isFinite else { return "inf" }
    let digits = self == .ssim || self == .multiScaleSSIM ? 4 : 2
    let scale = digits == 4 ? 10_000.0 : 100
    guard let whole = Int(exactly: (abs(score) * scale).rounded()) else { return "\(score)" }
    let rest = String(whole % Int(scale) + Int(scale)).dropFirst().prefix(digits)
    return "\(score < 0 ? "-" : "")\(whole / Int(scale)).\(rest)"
  }
}
