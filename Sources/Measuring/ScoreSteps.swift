import Libav
import Metrics
import Playback

/// Measures matched frames of a pair of clips, beginning anywhere. Used by one thread at a time.
protocol ScoreSteps: AnyObject {
  /// Returns the values of a frame and perhaps of some that follow it; none if a clip ends before.
  func values(from frame: Int, in table: ScoreTable) throws -> [Double]
}

/// Frames measured one by one.
final class FrameSteps: ScoreSteps {
  private let reference, candidate: FrameCursor
  private var meters: PairMeters?
  private var last: Int?

  /// Frames before a run that XPSNR takes into account.
  private static let history = 2

  init(_ reference: FrameCursor, _ candidate: FrameCursor) { (self.reference, self.candidate) = (reference, candidate) }

  func values(from frame: Int, in table: ScoreTable) throws -> [Double] {
    guard let partner = table.partners[frame] else { return [] }
    if meters == nil || last.map({ $0 + 1 != frame }) ?? true { meters = try begin(table.metric, before: frame, table.partners) }
    last = frame
    guard let meters, let one = try reference.frame(partner), let other = try candidate.frame(frame) else { return [] }
    let score = try meters.score((reference: one, candidate: other), (candidate: frame, reference: partner), time: 0)
    return score.value(of: table.metric).map { [$0] } ?? []
  }

  /// Returns meters that know the frames before a run, as if all had been measured in their order.
  private func begin(_ metric: Metric, before frame: Int, _ partners: [Int?]) throws -> PairMeters? {
    guard let partner = partners[frame] else { return nil }
    var first = frame
    while first > 0, frame - first < Self.history, let before = partners[first - 1], partners[first] == before + 1 {
      first -= 1
    }
    guard let start = try reference.frame(partner - (frame - first)) else { return nil }
    let meters = try PairMeters(
      start, [metric], framesPerSecond: reference.track.nominalFrameRate, turning: candidate.track.turning(to: reference.track))
    for number in partner - (frame - first)..<partner {
      guard let before = try reference.frame(number) else { return nil }
      try meters.skip(before, number: number)
    }
    return meters
  }
}

/// Frames whose VMAF is measured some at a time, since its engine takes frames that follow each other.
final class RunSteps: ScoreSteps {
  private let engine: VMAFEngine
  private let reference, candidate: FrameCursor
  private let isCancelled: () -> Bool

  /// The frames of a run, at most: scores come at its end, and beginning one takes as long as a few frames.
  static let length = 48

  init(_ engine: VMAFEngine, _ reference: FrameCursor, _ candidate: FrameCursor, isCancelled: @escaping () -> Bool) {
    (self.engine, self.reference, self.candidate, self.isCancelled) = (engine, reference, candidate, isCancelled)
  }

  func values(from frame: Int, in table: ScoreTable) throws -> [Double] {
    func goesOn(_ frame: Int) -> Bool {
      guard frame > 0, frame < table.partners.count, let before = table.partners[frame - 1] else { return false }
      return table.partners[frame] == before + 1
    }
    var end = frame + 1
    while end - frame < Self.length, goesOn(end), table.score(end) == nil { end += 1 }
    // A frame's score depends on the motion from the one before and to the one after.
    let first = goesOn(frame) ? frame - 1 : frame, last = goesOn(end) ? end : end - 1
    var meters: PairMeters?
    for number in first...last {
      guard !isCancelled(), let partner = table.partners[number], let one = try reference.frame(partner),
        let other = try candidate.frame(number)
      else { break }
      let run = try meters ?? PairMeters(
        one, [.vmaf], framesPerSecond: reference.track.nominalFrameRate, turning: candidate.track.turning(to: reference.track),
        vmaf: (engine, 1))
      meters = run
      _ = try run.score((reference: one, candidate: other), (candidate: number, reference: partner), time: 0)
    }
    guard let meters, !isCancelled() else { return [] }
    return Array(try meters.finish().dropFirst(frame - first).prefix(end - frame))
  }
}
