import Glibc

/// Owns the queue of bytes to a terminal that may not be reading; never blocks.
///
/// Used on one thread. The descriptor must be non-blocking and opened for this purpose alone, because O_NONBLOCK
/// belongs to the open file description and would persist in an inherited one.
public final class TerminalWriter {
  /// The result of a flush.
  public enum Outcome: Equatable, Sendable {
    /// Everything was written.
    case drained
    /// The terminal accepts no more now; wait for POLLOUT.
    case blocked
    /// The terminal is gone (`errno`); nothing can be written any more.
    case gone(Int32)
  }

  private let file: FileDescriptor
  private var queue: [UInt8] = []
  private var head = 0
  private var failure: Int32?

  /// Total bytes accepted by the terminal's side.
  public private(set) var bytesWritten: UInt64 = 0

  init(_ file: FileDescriptor) { self.file = file }

  /// Opens a terminal for writing by its path.
  public convenience init(path: String) throws {
    try self.init(FileDescriptor(opening: path, flags: O_WRONLY | O_NONBLOCK))
  }

  /// The descriptor to poll for POLLOUT while `hasPending`.
  public var descriptor: Int32 { file.number }

  /// Number of queued bytes.
  public var pendingBytes: Int { queue.count - head }

  public var hasPending: Bool { pendingBytes > 0 }

  /// Appends bytes to the queue, to be sent by `flush`. Ignored if the terminal is gone.
  ///
  /// The queue has no limit of its own: encode nothing while `hasPending`, or a terminal that stopped reading
  /// makes it grow.
  public func enqueue(_ bytes: some Sequence<UInt8>) {
    guard failure == nil else { return }
    queue.append(contentsOf: bytes)
  }

  /// Appends the contents of the caller's buffer and returns it empty, with its capacity for reuse.
  public func enqueue(taking bytes: inout [UInt8]) {
    if queue.isEmpty, failure == nil { swap(&queue, &bytes) } else { enqueue(bytes) }
    bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptCapacity)
  }

  /// Writes what the terminal accepts now.
  @discardableResult
  public func flush() -> Outcome {
    if let failure { return .gone(failure) }
    while head < queue.count {
      let written = queue.withUnsafeBytes { bytes in
        write(file.number, bytes.baseAddress?.advanced(by: head), bytes.count - head)
      }
      if written > 0 {
        head += written
        bytesWritten += UInt64(written)
        continue
      }
      switch written == 0 ? EAGAIN : errno {
      case EINTR:
        continue
      case EAGAIN:
        compact()
        return .blocked
      case let code:
        failure = code
        discard()
        return .gone(code)
      }
    }
    queue.removeAll(keepingCapacity: queue.capacity <= Self.keptCapacity)
    head = 0
    return .drained
  }

  /// Drops the bytes queued here; for those in the kernel, see `discardKernelQueue`.
  public func discard() {
    queue.removeAll(keepingCapacity: false)
    head = 0
  }

  /// Drops the bytes in the kernel that the terminal has not read yet (tcflush).
  public func discardKernelQueue() { tcflush(file.number, TCOFLUSH) }

  /// Writes until the queue is empty, `milliseconds` have passed or the terminal is gone. The only blocking call.
  @discardableResult
  public func drain(milliseconds: Int) -> Outcome {
    let end = monotonicNanoseconds() + UInt64(max(0, milliseconds)) * 1_000_000
    while true {
      let outcome = flush()
      let now = monotonicNanoseconds()
      guard outcome == .blocked, now < end else { return outcome }
      var request = pollfd(fd: file.number, events: Int16(POLLOUT), revents: 0)
      poll(&request, 1, Int32(clamping: (end - now) / 1_000_000 + 1))
    }
  }

  private static let keptCapacity = 1 << 20

  private func compact() {
    guard head > queue.count / 2 else { return }
    queue.removeFirst(head)
    head = 0
  }
}

/// The monotonic clock in nanoseconds.
func monotonicNanoseconds() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
