import DecodePool

/// Runs `body` on a thread of its own; where there can be no more threads, on this one: late is better than never.
func runInBackground(_ body: @escaping @Sendable () -> Void) {
  if !detachThread(body) { body() }
}
