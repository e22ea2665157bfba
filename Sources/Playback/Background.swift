import DecodePool

/// Runs `body` on a new thread, or reports immediately that none can be started.
///
/// - Parameter refused: called on the calling thread.
func runInBackground(
  _ start: ThreadStarter, _ body: @escaping @Sendable () -> Void, refused: (PlaybackError) -> Void
) {
  do throws(ThreadError) {
    try start(body)
  } catch {
    refused(PlaybackError(error))
  }
}
