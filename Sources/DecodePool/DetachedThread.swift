import Glibc

/// An error in starting a thread.
public struct ThreadError: Error, Hashable, Sendable {
  /// The system's error number.
  public let code: Int32

  public init(code: Int32) { self.code = code }

  /// The system's error message.
  public var reason: String { String(cString: strerror(code)) }
}

/// Runs a body on a thread of its own, or throws and runs nothing: `detachThread`, or what a test has in its place.
package typealias ThreadStarter = @Sendable (_ body: @escaping @Sendable () -> Void) throws(ThreadError) -> Void

/// Runs `body` on a thread of its own, for work that may block for as long as a disk does.
///
/// Nobody can join the thread: what hangs in a decoder could never be waited for.
///
/// - Throws: when there can be no more threads; nothing is run then.
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

/// Lets other threads go before the calling one, until it ends.
///
/// - Parameter niceness: as setpriority(2) takes it, which on Linux concerns the calling thread alone; unless told otherwise
///   that of work for which nobody waits.
package func lowerThreadPriority(to niceness: Int32 = 15) { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness) }

/// Owns the memory on which the present thread handles signals when its own stack is full, so that a crash by
/// stack overflow, too, reaches the handler that puts the terminal back. Made and freed on that thread.
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
