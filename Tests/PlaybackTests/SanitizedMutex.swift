#if THREAD_SANITIZER
  @testable import Playback

  /// The same as in the sources, so that it is not ambiguous here, where both are imported.
  typealias Mutex<Value> = Playback.Mutex<Value>
#endif
