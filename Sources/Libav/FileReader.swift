import CFFmpeg
import Glibc

/// A reason that a local file cannot be opened.
public enum FileInputError: Error, Hashable, Sendable {
  case notFound
  case noPermission
  case isFolder
  case isDevice
  case isSocket
  case isEmpty
  /// The file that libav's messages are written to.
  case isLog
  /// A pipe that had no writer for some seconds.
  case hasNoWriter
  case system(errno: Int32)
}

/// A local file or pipe, opened for reading: owns the descriptor. Use from one thread at a time.
///
/// The name is opened literally with open(2), so `a:b.mov`, `%03d.png` and `concat:x` are just names. A pipe is read
/// forward only, whatever the offsets; the interrupter ends a wait for it.
public final class FileReader: ByteReader {
  private let descriptor: Int32
  /// True for a pipe; otherwise it is a regular file.
  public let isPipe: Bool
  private let interrupter: Interrupter
  /// True if reading was abandoned because the pipe has no writer.
  public private(set) var hasNoWriter = false
  /// The number of checks without a writer; nil once there was one.
  private var vainLooks: Int? = 0
  private static let lookInterval: Int32 = 50
  /// As many checks as take 5 seconds.
  private static let maxVainLooks = 100

  /// Opens a file.
  ///
  /// - Throws: `FileInputError`.
  public init(_ path: String, interrupter: Interrupter) throws(FileInputError) {
    // Non-blocking: opening a pipe must not wait for its writer.
    let descriptor = FileName.withBytes(path) { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
    guard descriptor >= 0 else {
      switch errno {
      case ENOENT, ENOTDIR: throw .notFound
      case EACCES, EPERM: throw .noPermission
      case ENXIO, ENODEV:
        let isSocket = FileName.status(of: path).map { $0.st_mode & S_IFMT == S_IFSOCK } ?? false
        throw isSocket ? .isSocket : .isDevice
      default: throw .system(errno: errno)
      }
    }
    var status = stat()
    let failure: FileInputError? =
      if fstat(descriptor, &status) != 0 {
        .system(errno: errno)
      } else {
        switch status.st_mode & S_IFMT {
        case S_IFREG: LibavLog.isWritten(to: status) ? .isLog : status.st_size == 0 ? .isEmpty : nil
        case S_IFIFO: nil
        case S_IFDIR: .isFolder
        case S_IFSOCK: .isSocket
        default: .isDevice
        }
      }
    self.descriptor = descriptor
    isPipe = status.st_mode & S_IFMT == S_IFIFO
    self.interrupter = interrupter
    // `deinit` closes the descriptor.
    if let failure { throw failure }
  }

  deinit { close(descriptor) }

  /// The current size of a regular file in bytes; nil for a pipe.
  public var byteCount: Int64? {
    var status = stat()
    return !isPipe && fstat(descriptor, &status) == 0 ? Int64(status.st_size) : nil
  }

  public func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(ByteReaderError) -> Int {
    while true {
      if interrupter.isInterrupted { throw .interrupted }
      if isPipe, let got = try waitForPipe(buffer) { return got }
      let got =
        isPipe
        ? Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        : pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
      if got >= 0 { return got }
      if errno != EINTR && errno != EAGAIN { throw .system(errno: errno) }
    }
  }

  /// Waits for a pipe's next bytes; returns their number if they had to be read meanwhile.
  private func waitForPipe(_ buffer: UnsafeMutableRawBufferPointer) throws(ByteReaderError) -> Int? {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // Wakes at intervals to check the interrupter, since a pipe's writer may never come.
    while poll(&entry, 1, Self.lookInterval) == 0 {
      if interrupter.isInterrupted { throw .interrupted }
      guard let looks = vainLooks else { continue }
      // If no process has the pipe open for writing, this reads an end of file, otherwise nothing.
      let got = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if got > 0 { return got }
      vainLooks = got == 0 ? looks + 1 : nil
      guard looks >= Self.maxVainLooks else { continue }
      hasNoWriter = true
      throw .system(errno: EPIPE)
    }
    vainLooks = nil
    return nil
  }
}
