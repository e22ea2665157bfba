/// The split of a number of threads between the pool and libavcodec, whose sum never exceeds it.
struct ThreadBudget: Equatable {
  /// The pool's workers.
  let workers: Int
  /// libavcodec's additional threads per pane; 1 means that the worker itself decodes.
  let perDecoder: Int

  init(total: Int, panes: Int) {
    let total = max(1, total), panes = max(1, panes)
    // Extra decoder threads are worthwhile only with two or more per pane.
    let spare = (total - panes) / panes
    if spare >= 2 {
      workers = panes
      perDecoder = spare
    } else {
      workers = total
      perDecoder = 1
    }
  }
}
