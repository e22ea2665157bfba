import DecodePool
import Metrics
import Playback

/// Compares many pairs, several at a time.
public enum PairRun {
  /// Compares the pairs in their order; blocks until done.
  ///
  /// - Parameters:
  ///   - jobs: the number of pairs at a time.
  ///   - report: called with each result, from several threads at a time; returns false to begin no more.
  public static func run(
    _ pairs: [PairList.Pair], jobs: Int, options: ClipComparison.Options, limits: ComparisonLimits,
    report: @escaping @Sendable (PairResult) -> Bool
  ) {
    struct State {
      var next = 0
      var running = 0
      var goesOn = true
    }
    // Once for all pairs, since programs are run to find it. If there is none, each pair says so.
    var shared = options
    if options.metrics.contains(.vmaf) { shared.vmafEngine = try? VMAFEngine.find(program: options.vmafProgram) }
    let options = shared
    let state = Monitor(State())
    @Sendable func work() {
      while let pair = state.withLock({ state -> PairList.Pair? in
        guard state.goesOn, state.next < pairs.count else { return nil }
        state.next += 1
        return pairs[state.next - 1]
      }) {
        let outcome = ComparisonOutcome.best(
          references: [pair.reference], candidate: pair.candidate, options: options, limits: limits, progress: { _, _, _ in })
        if !report(PairResult(pair, outcome)) { state.withLock { $0.goesOn = false } }
      }
      state.withLock { $0.running -= 1 }
      state.broadcast()
    }
    for _ in 0..<max(1, min(jobs, pairs.count)) {
      state.withLock { $0.running += 1 }
      // Without a thread, this one does the work.
      do { try detachThread(work) } catch { work() }
    }
    state.wait { $0.running == 0 ? () : nil }
  }
}
