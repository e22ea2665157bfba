/// How a number of threads is shared between the pool and libavcodec, so that their sum never passes it.
struct ThreadBudget: Equatable {
  /// The pool's workers.
  let workers: Int
  /// Threads of libavcodec for each pane besides; 1 means that the worker decodes by itself.
  let perDecoder: Int

  init(total: Int, panes: Int) {
    let total = max(1, total), panes = max(1, panes)
    // Extra decoder threads pay only where two or more a pane are left over.
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
