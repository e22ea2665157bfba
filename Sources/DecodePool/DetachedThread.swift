import Glibc

/// An error in starting a thread.
public struct ThreadError: Error, Hashable, Sendable {
  /// The system's error number.
  public let code: Int32

  public init(code: Int32) { self.code = code }

  /// The system's error message.
  public var reason: String { String(cString: strerror(code)) }
}

/// Runs a body on a new thread, or throws without running it: `detachThread`, or a substitute in tests.
package typealias ThreadStarter = @Sendable (_ body: @escaping @Sendable () -> Void) throws(ThreadError) -> Void

/// Runs `body` on a new thread, for work that may block on disk access.
///
/// The thread cannot be joined, since one that hangs in a decoder could never be waited for.
///
/// - Throws: `ThreadError` if no thread can be started; `body` is not run then.
@Sendable package func detachThread(_ body: @escaping @Sendable () -> Void) throws(ThreadError) {
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
      let stack = SignalStack()
      box.body()
      withExtendedLifetime(stack) {}
      return nil
    }, argument)
  guard code == 0 else {
    Unmanaged<Box>.fromOpaque(argument).release()
    throw ThreadError(code: code)
  }
}

/// Lowers the calling thread's priority until it ends.
///
/// - Parameter niceness: as for setpriority(2), which affects only the calling thread on Linux; by default that of
///   background work.
package func lowerThreadPriority(to niceness: Int32 = 15) { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness) }

/// Owns the calling thread's alternate signal stack, so that a crash by stack overflow also reaches the handler that
/// restores the terminal. Created and freed on that thread.
private final class SignalStack {
  private static let byteCount = 64 << 10
  private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 16)

  init() {
    var stack = stack_t(ss_sp: memory.baseAddress, ss_flags: 0, ss_size: memory.count)
    sigaltstack(&stack, nil)
  }

  deinit {
    var none = stack_t(ss_sp: nil, ss_flags: Int32(SS_DISABLE), ss_size: 0)
    sigaltstack(&none, nil)
    memory.deallocate()
  }
}
