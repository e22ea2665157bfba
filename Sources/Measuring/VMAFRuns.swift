import Metrics
import Playback

/// VMAF of matched frames: each run in which both clips go on frame by frame is measured by itself, since a frame's score depends on
/// the motion before it.
///
/// Not thread-safe.
final class VMAFRuns {
  private let engine: VMAFEngine
  private let form: MetricForm
  private let options: VMAFOptions
  private var run: (any VMAFMeasurement)?
  private var last: (candidate: Int, reference: Int)?
  private var scores: [Double] = []

  init(_ engine: VMAFEngine, form: MetricForm, threads: Int) {
    self.engine = engine
    self.form = form
    var options = VMAFOptions()
    options.threads = threads
    self.options = options
  }

  /// Adds a pair, by the numbers of its frames.
  ///
  /// - Throws: `VMAFError`, `MetricError`.
  func add(reference: MetricFrame, candidate: MetricFrame, _ pair: (candidate: Int, reference: Int)) throws {
    let goesOn = last.map { pair == (candidate: $0.candidate + 1, reference: $0.reference + 1) } ?? false
    if !goesOn { try endRun() }
    last = pair
    let run = try self.run ?? engine.measurement(of: form, options: options)
    self.run = run
    try run.add(reference: reference, candidate: candidate)
  }

  private func endRun() throws {
    guard let run else { return }
    self.run = nil
    scores += try run.finish()
  }

  /// Returns the scores of all pairs, in their order.
  ///
  /// - Throws: `VMAFError`.
  func finish() throws -> [Double] {
    try endRun()
    return scores
  }
}

/// Does something that measures, and turns its errors into those of the player.
///
/// - Throws: `PlaybackError`.
func orPlaybackError<Result>(_ body: () throws -> Result) throws -> Result {
  do {
    return try body()
  } catch let error as VMAFError {
    throw PlaybackError(.system, "cannot be measured: \(error)")
  } catch let error as MetricError {
    throw PlaybackError(.system, "cannot be measured: \(error)")
  }
}
