import CFFmpeg
import Glibc

/// A reason that output could not be written.
public enum FileOutputError: Error, Hashable, Sendable {
  case system(errno: Int32)
  /// A pipe whose reader has read nothing for some seconds.
  case isNotRead

  fileprivate var code: Int32 {
    switch self {
    case .system(let errno): errno
    case .isNotRead: ETIMEDOUT
    }
  }
}

/// An open descriptor as libav's output: owns the `AVIOContext`, but not the descriptor.
///
/// Not thread-safe.
package final class FileOutput {
  let avio: UnsafeMutablePointer<AVIOContext>
  private let writer: Writer

  /// The number of bytes that libav writes at a time.
  private static let bufferSize: Int32 = 256 * 1024

  /// - Parameter isSeekable: true for a regular file to which nothing has been written.
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
    // libav may have replaced the buffer; the context has the current one.
    av_freep(&avio.pointee.buffer)
    var context: UnsafeMutablePointer<AVIOContext>? = avio
    avio_context_free(&context)
  }

  /// - Throws: `FileOutputError` if this or an earlier write failed.
  func check() throws {
    if let failure = writer.failure { throw failure }
    if avio.pointee.error < 0 { throw FileOutputError.system(errno: EIO) }
  }

  /// The time in milliseconds for which a reader may read nothing.
  private static let patience: Int32 = 5000

  /// Writes all bytes, waiting for a slow reader.
  package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws(FileOutputError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if written >= 0 {
        rest = rest.dropFirst(written)
      } else if errno == EAGAIN {
        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        if poll(&ready, 1, patience) == 0 { throw .isNotRead }
      } else if errno != EINTR {
        throw .system(errno: errno)
      }
    }
  }

  private final class Writer {
    private let descriptor: Int32
    private(set) var failure: FileOutputError?

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    func write(_ bytes: UnsafeRawPointer, _ count: Int) -> Int32 {
      do {
        try FileOutput.write(UnsafeRawBufferPointer(start: bytes, count: count), to: descriptor)
        return Int32(clamping: count)
      } catch {
        failure = failure ?? error
        return qd_averror(error.code)
      }
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
