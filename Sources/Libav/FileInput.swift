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

/// A local file or pipe as libav's input: owns the descriptor and the `AVIOContext`.
///
/// The name is opened literally with open(2), so `a:b.mov`, `%03d.png` and `concat:x` are just names. The interrupter ends
/// a read that waits for a pipe. Not thread-safe.
final class FileInput {
  private let descriptor: InputDescriptor
  private let context: UnsafeMutablePointer<AVIOContext>
  let isSeekable: Bool
  /// Size of a regular file in bytes; 0 for a pipe.
  let byteCount: Int64

  var avio: UnsafeMutablePointer<AVIOContext> { context }

  /// True if reading was abandoned because the pipe has no writer.
  var hasNoWriter: Bool { descriptor.hasNoWriter }

  /// The number of bytes that libav reads at a time: large, for few system calls at high bit rates.
  private static let bufferSize: Int32 = 128 * 1024

  init(path: String, interrupter: Interrupter) throws {
    let (descriptor, status) = try InputDescriptor.openForReading(path, interrupter: interrupter)
    isSeekable = status.st_mode & S_IFMT == S_IFREG
    byteCount = isSeekable ? Int64(status.st_size) : 0
    self.descriptor = descriptor

    guard let buffer = av_malloc(Int(Self.bufferSize)) else { throw AVError.outOfMemory("opening the file") }
    let opaque = Unmanaged.passUnretained(descriptor).toOpaque()
    guard
      let context = avio_alloc_context(
        buffer.assumingMemoryBound(to: UInt8.self), Self.bufferSize, 0, opaque,
        { opaque, buffer, count in
          guard let opaque, let buffer else { return qd_averror(EINVAL) }
          return Unmanaged<InputDescriptor>.fromOpaque(opaque).takeUnretainedValue().read(buffer, count)
        },
        nil,
        { opaque, offset, whence in
          guard let opaque else { return Int64(qd_averror(EINVAL)) }
          return Unmanaged<InputDescriptor>.fromOpaque(opaque).takeUnretainedValue().seek(offset, whence)
        })
    else {
      av_free(buffer)
      throw AVError.outOfMemory("opening the file")
    }
    context.pointee.seekable = isSeekable ? AVIO_SEEKABLE_NORMAL : 0
    self.context = context
  }

  /// The length that a regular file claims; not for pipes.
  var extent: FileExtent {
    FileExtent(byteCount: byteCount) { [descriptor, isSeekable] offset, count in
      isSeekable ? descriptor.bytes(at: offset, count: count) : []
    }
  }

  /// The boxes of a movie file.
  var movieBoxes: MovieBoxes { MovieBoxes(byteCount: byteCount, read: extent.read) }

  deinit {
    // libav may have replaced the buffer; the context has the current one.
    av_freep(&context.pointee.buffer)
    var context: UnsafeMutablePointer<AVIOContext>? = context
    avio_context_free(&context)
  }
}

/// Owns a file descriptor for reading.
private final class InputDescriptor {
  private let raw: Int32
  private let isPipe: Bool
  private let interrupter: Interrupter
  private(set) var hasNoWriter = false
  /// The number of checks without a writer; nil once there was one.
  private var vainLooks: Int? = 0
  private static let lookInterval: Int32 = 50
  /// As many checks as take 5 seconds.
  private static let maxVainLooks = 100

  private init(raw: Int32, isPipe: Bool, interrupter: Interrupter) {
    self.raw = raw
    self.isPipe = isPipe
    self.interrupter = interrupter
  }

  deinit { close(raw) }

  static func openForReading(_ path: String, interrupter: Interrupter) throws -> (InputDescriptor, stat) {
    // Non-blocking: opening a pipe must not wait for its writer.
    let raw = FileName.withBytes(path) { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
    guard raw >= 0 else {
      switch errno {
      case ENOENT, ENOTDIR: throw FileInputError.notFound
      case EACCES, EPERM: throw FileInputError.noPermission
      case ENXIO, ENODEV:
        let isSocket = FileName.status(of: path).map { $0.st_mode & S_IFMT == S_IFSOCK } ?? false
        throw isSocket ? FileInputError.isSocket : FileInputError.isDevice
      default: throw FileInputError.system(errno: errno)
      }
    }
    var status = stat()
    guard fstat(raw, &status) == 0 else {
      let error = errno
      close(raw)
      throw FileInputError.system(errno: error)
    }
    let refusal: FileInputError? =
      switch status.st_mode & S_IFMT {
      case S_IFREG: LibavLog.isWritten(to: status) ? .isLog : status.st_size == 0 ? .isEmpty : nil
      case S_IFIFO: nil
      case S_IFDIR: .isFolder
      case S_IFSOCK: .isSocket
      default: .isDevice
      }
    if let refusal {
      close(raw)
      throw refusal
    }
    let isPipe = status.st_mode & S_IFMT == S_IFIFO
    return (InputDescriptor(raw: raw, isPipe: isPipe, interrupter: interrupter), status)
  }

  func read(_ buffer: UnsafeMutablePointer<UInt8>, _ count: Int32) -> Int32 {
    while true {
      if interrupter.isInterrupted { return qd_averror_exit() }
      if isPipe {
        var descriptor = pollfd(fd: raw, events: Int16(POLLIN), revents: 0)
        // Wakes at intervals to check the interrupter, since a pipe's writer may never come.
        if poll(&descriptor, 1, Self.lookInterval) == 0 {
          guard let looks = vainLooks else { continue }
          // If no process has the pipe open for writing, this reads an end of file, otherwise nothing.
          let got = Glibc.read(raw, buffer, Int(count))
          if got > 0 { return Int32(got) }
          vainLooks = got == 0 ? looks + 1 : nil
          guard looks >= Self.maxVainLooks else { continue }
          hasNoWriter = true
          return qd_averror(EPIPE)
        }
        vainLooks = nil
      }
      let got = Glibc.read(raw, buffer, Int(count))
      if got > 0 { return Int32(got) }
      if got == 0 { return qd_averror_eof() }
      if errno != EINTR && errno != EAGAIN { return qd_averror(errno) }
    }
  }

  /// Returns bytes at a position without seeking; fewer at the end of the file.
  func bytes(at offset: Int64, count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = max(0, pread(raw, buffer.baseAddress, count, off_t(offset)))
    }
  }

  func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
    if isPipe { return Int64(qd_averror(ESPIPE)) }
    if whence & AVSEEK_SIZE != 0 {
      var status = stat()
      return fstat(raw, &status) == 0 ? Int64(status.st_size) : Int64(qd_averror(errno))
    }
    let position = lseek(raw, off_t(offset), whence & ~AVSEEK_FORCE)
    return position >= 0 ? Int64(position) : Int64(qd_averror(errno))
  }
}
