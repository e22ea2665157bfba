#if THREAD_SANITIZER
  import DecodePool

  /// Replaces `Synchronization.Mutex` under the thread sanitizer, which recognises only pthread mutexes.
  ///
  /// Used by `scripts/sanitize`; otherwise every value behind a mutex would be reported as a race.
  typealias Mutex<Value> = Monitor<Value>
#endif
