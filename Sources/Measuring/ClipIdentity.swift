import Glibc
import Libav
import PlainText

/// The identity of a file by its contents: its size, and a hash of its beginning, middle and end.
///
/// A copy has the same one, wherever it is and whatever its name. An encode that is made again has another.
struct ClipIdentity: Hashable, Codable, Sendable {
  let size: Int64
  let hash: String

  /// Bytes that are hashed at each of the three places.
  private static let partSize = 1 << 16

  /// - Returns: nil for what is no regular file, or cannot be read.
  init?(path: String) {
    let file = FileName.withBytes(path) { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    size = Int64(status.st_size)
    let last = max(0, Int(status.st_size) - Self.partSize)
    var hash = FNV1a()
    var part = [UInt8](repeating: 0, count: Self.partSize)
    for start in [0, last / 2, last] {
      let count = pread(file, &part, part.count, off_t(start))
      guard count >= 0 else { return nil }
      for byte in part[..<count] { hash.combine(byte) }
    }
    self.hash = hash.hexadecimal
  }
}
