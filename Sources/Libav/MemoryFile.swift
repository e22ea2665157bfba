import CFFmpeg
import Glibc

/// A file in memory, for demuxers, which read only files; freed with this object.
public final class MemoryFile: Sendable {
  private let descriptor: Int32

  /// A path at which this process can open it.
  public var path: String { "/proc/self/fd/\(descriptor)" }

  /// - Throws: `FileInputError` if the system denies it.
  public init(_ bytes: [UInt8]) throws {
    descriptor = qd_memory_file()
    guard descriptor >= 0 else { throw FileInputError.system(errno: errno) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      // If an error is thrown from here on, `deinit` closes the descriptor.
      guard count > 0 else { throw FileInputError.system(errno: errno) }
      rest = rest.dropFirst(count)
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}
