import DecodePool

/// Runs `body` on a thread of its own, or tells at once that there can be none.
///
/// - Parameter refused: called on the caller's thread.
func runInBackground(
  _ start: ThreadStarter, _ body: @escaping @Sendable () -> Void, refused: (PlaybackError) -> Void
) {
  do throws(ThreadError) {
    try start(body)
  } catch {
    refused(PlaybackError(error))
  }
}
