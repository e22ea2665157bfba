import CFFmpeg
import Glibc

/// A file that is only in memory, for demuxers, which read nothing but files; gone with this object.
public final class MemoryFile: Sendable {
  private let descriptor: Int32

  /// A name by which this process can open it.
  public var path: String { "/proc/self/fd/\(descriptor)" }

  /// - Throws: `FileInputError` where the system refuses it.
  public init(_ bytes: [UInt8]) throws {
    descriptor = qd_memory_file()
    guard descriptor >= 0 else { throw FileInputError.system(errno: errno) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      // What is thrown from here on is closed by `deinit`.
      guard count > 0 else { throw FileInputError.system(errno: errno) }
      rest = rest.dropFirst(count)
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}
