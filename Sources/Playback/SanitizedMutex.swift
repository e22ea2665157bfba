#if THREAD_SANITIZER
  import DecodePool

  /// Stands for `Synchronization.Mutex` under the thread sanitizer, which sees pthread's mutexes but not those.
  ///
  /// `scripts/sanitize` builds so; otherwise every value behind a mutex would be reported as a race.
  typealias Mutex<Value> = Monitor<Value>
#endif
