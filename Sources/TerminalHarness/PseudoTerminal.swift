import CVTerm
import Glibc

/// An error of the harness.
public struct HarnessError: Error, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }

  /// Creates an error from an operation that failed and the text of the system's error number.
  init(_ what: String, errno code: Int32) {
    description = "\(what): \(String(cString: strerror(code)))"
  }
}

/// Owns the master side of a pseudo-terminal. Reads and writes never block.
final class PseudoTerminal {
  /// The result of a read or a write.
  enum Outcome: Equatable {
    case moved(Int)
    /// There is nothing to read, or no room to write.
    case wouldBlock
    /// No process has the other side open.
    case closed
  }

  private(set) var descriptor: Int32
  /// The path of the slave side.
  let path: String

  init() throws {
    let master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard master >= 0 else { throw HarnessError("posix_openpt", errno: errno) }
    var name = [CChar](repeating: 0, count: 128)
    guard grantpt(master) == 0, unlockpt(master) == 0, ptsname_r(master, &name, name.count) == 0 else {
      let code = errno
      Glibc.close(master)
      throw HarnessError("pseudo-terminal", errno: code)
    }
    descriptor = master
    path = name.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
  }

  deinit { close() }

  var isOpen: Bool { descriptor >= 0 }

  func close() {
    guard isOpen else { return }
    Glibc.close(descriptor)
    descriptor = -1
  }

  /// Sets the size. The kernel sends SIGWINCH to the foreground programs if it has changed.
  func setSize(columns: Int, rows: Int, cellPixels: (width: Int, height: Int)?) throws {
    var size = winsize(
      ws_row: UInt16(clamping: rows), ws_col: UInt16(clamping: columns),
      ws_xpixel: UInt16(clamping: columns * (cellPixels?.width ?? 0)),
      ws_ypixel: UInt16(clamping: rows * (cellPixels?.height ?? 0)))
    guard ioctl(descriptor, UInt(TIOCSWINSZ), &size) == 0 else {
      throw HarnessError("TIOCSWINSZ", errno: errno)
    }
  }

  /// The settings of the slave side, which Linux reports on the master.
  var attributes: TTYAttributes? {
    var settings = termios()
    return isOpen && tcgetattr(descriptor, &settings) == 0 ? TTYAttributes(settings) : nil
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
    while true {
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count > 0 { return .moved(count) }
      if count == 0 { return .closed }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .wouldBlock
      default: return .closed  // EIO: the last slave descriptor was closed
      }
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> Outcome {
    while true {
      let count = Glibc.write(descriptor, bytes.baseAddress, bytes.count)
      if count >= 0 { return .moved(count) }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .wouldBlock
      default: return .closed
      }
    }
  }
}
