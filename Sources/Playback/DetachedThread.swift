import Glibc

/// Runs `body` on a thread of its own, for work that may block for as long as a disk does.
func detachThread(_ body: @escaping @Sendable () -> Void) {
  final class Box: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  defer { pthread_attr_destroy(&attributes) }
  pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
  let argument = Unmanaged.passRetained(Box(body)).toOpaque()
  var thread = pthread_t()
  let code = pthread_create(
    &thread, &attributes,
    { argument in
      guard let argument else { return nil }
      let box = Unmanaged<Box>.fromOpaque(argument).takeRetainedValue()
      box.body()
      return nil
    }, argument)
  if code != 0 {
    // Without threads there is only this one: late is better than never.
    Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
  }
}
