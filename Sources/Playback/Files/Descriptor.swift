import Glibc
import Libav

/// Owns an open file descriptor.
final class Descriptor {
  private(set) var number: Int32

  /// Takes ownership of `number`.
  init(_ number: Int32) { self.number = number }

  deinit { if number >= 0 { close(number) } }

  /// Creates a file without a name, to read and write; it goes with its descriptor.
  ///
  /// - Returns: nil if the file system does not support that.
  static func unnamedFile(in folder: String) -> Descriptor? {
    // O_TMPFILE, which Swift does not import.
    let number = FileName.withBytes(folder) { open($0, O_RDWR | O_CLOEXEC | O_DIRECTORY | 0o20_000_000, 0o600) }
    return number >= 0 ? Descriptor(number) : nil
  }

  /// Gives up ownership of the descriptor.
  func release() -> Int32 {
    defer { number = -1 }
    return number
  }

  /// Writes all bytes.
  ///
  /// - Throws: `PlaybackError`.
  func put(_ bytes: [UInt8]) throws {
    do {
      try bytes.withUnsafeBytes { try FileOutput.write($0, to: number) }
    } catch {
      throw PlaybackError(error)
    }
    // Some file systems report a lack of space only on closing.
    let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
    if copy >= 0, close(copy) != 0, errno != EINTR { throw OutputFile.failure(errno) }
  }
}
