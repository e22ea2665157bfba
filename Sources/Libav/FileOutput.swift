import CFFmpeg
import Glibc

/// Why what was made could not be written.
public enum FileOutputError: Error, Hashable, Sendable {
  case system(errno: Int32)
  /// A pipe from which nobody has taken anything for some seconds.
  case isNotRead
}

/// An open descriptor as libav's output: owns the `AVIOContext`, not the descriptor.
///
/// Not thread safe: one user at a time.
final class FileOutput {
  let avio: UnsafeMutablePointer<AVIOContext>
  private let writer: Writer

  /// Bytes that libav writes at a time.
  private static let bufferSize: Int32 = 256 * 1024

  /// - Parameter isSeekable: whether it is a regular file of which nothing has been written.
  init(descriptor: Int32, isSeekable: Bool) throws {
    writer = Writer(descriptor)
    guard let buffer = av_malloc(Int(Self.bufferSize)) else { throw AVError.outOfMemory("opening the file") }
    guard
      let context = avio_alloc_context(
        buffer.assumingMemoryBound(to: UInt8.self), Self.bufferSize, 1, Unmanaged.passUnretained(writer).toOpaque(), nil,
        { opaque, bytes, count in
          guard let opaque, let bytes else { return qd_averror(EINVAL) }
          return Unmanaged<Writer>.fromOpaque(opaque).takeUnretainedValue().write(bytes, Int(count))
        },
        { opaque, offset, whence in
          guard let opaque else { return Int64(qd_averror(EINVAL)) }
          return Unmanaged<Writer>.fromOpaque(opaque).takeUnretainedValue().seek(offset, whence)
        })
    else {
      av_free(buffer)
      throw AVError.outOfMemory("opening the file")
    }
    context.pointee.seekable = isSeekable ? AVIO_SEEKABLE_NORMAL : 0
    avio = context
  }

  deinit {
    // libav may have exchanged the buffer for another one; the context knows the present one.
    av_freep(&avio.pointee.buffer)
    var context: UnsafeMutablePointer<AVIOContext>? = avio
    avio_context_free(&context)
  }

  /// - Throws: `FileOutputError` when something could not be written, now or before.
  func check() throws {
    if let failure = writer.failure { throw failure }
    if avio.pointee.error < 0 { throw FileOutputError.system(errno: EIO) }
  }

  private final class Writer {
    private let descriptor: Int32
    private(set) var failure: FileOutputError?

    /// Milliseconds for which a reader may take nothing.
    private static let patience: Int32 = 5000

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    func write(_ bytes: UnsafeRawPointer, _ count: Int) -> Int32 {
      var done = 0
      while done < count {
        let written = Glibc.write(descriptor, bytes + done, count - done)
        if written >= 0 {
          done += written
        } else if errno == EAGAIN {
          var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          if poll(&ready, 1, Self.patience) == 0 { return fail(.isNotRead, ETIMEDOUT) }
        } else if errno != EINTR {
          return fail(.system(errno: errno), errno)
        }
      }
      return Int32(clamping: count)
    }

    private func fail(_ error: FileOutputError, _ code: Int32) -> Int32 {
      failure = failure ?? error
      return qd_averror(code)
    }

    func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
      if whence & AVSEEK_SIZE != 0 {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : Int64(qd_averror(errno))
      }
      let position = lseek(descriptor, off_t(offset), whence & ~AVSEEK_FORCE)
      return position >= 0 ? Int64(position) : Int64(qd_averror(errno))
    }
  }
}
