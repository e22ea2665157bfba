import FoundationEssentials
import Glibc

/// Files that can be made again, in a folder of limited size; the least recently used are removed first.
///
/// A stateless value: several programs may use the folder at the same time, because files are only replaced as a whole.
package struct CacheFolder: Sendable {
  package let path: String
  /// The end of the files' names; other files are left alone.
  private let suffix: String
  /// The maximum size of all files together, in bytes.
  private let capacity: Int
  /// The maximum size of one file, in bytes.
  private let largest: Int

  package init(path: String, suffix: String, capacity: Int, largest: Int) {
    (self.path, self.suffix, self.capacity, self.largest) = (path, suffix, capacity, largest)
  }

  /// Returns the path of a file, by its name without the suffix.
  package func path(of name: String) -> String { "\(path)/\(name)\(suffix)" }

  /// Returns the bytes of a regular file, unless it is larger than any; else nil.
  package func contents(of name: String) -> [UInt8]? {
    // Non-blocking: a file with that name may be a pipe.
    let descriptor = open(path(of: name), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0, status.st_size <= largest
    else { return nil }
    let count = Int(status.st_size)
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let got = read(descriptor, buffer.baseAddress.map { $0 + filled }, count - filled)
        if got < 0, errno == EINTR { continue }
        guard got > 0 else { return }
        filled += got
      }
    }
    return bytes.count == count ? bytes : nil
  }

  /// Marks a file as used.
  package func didUse(_ name: String) { utimes(path(of: name), nil) }

  /// Saves a file, and removes others if there are too many; failures are harmless.
  package func save(_ bytes: [UInt8], as name: String) {
    guard bytes.count <= largest else { return }
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try? replace(path(of: name), with: bytes)
    makeRoom()
  }

  /// Writes a file that takes its name once it is complete; nothing is left of it if the program ends before.
  private func replace(_ target: String, with bytes: [UInt8]) throws {
    let scratch = try ScratchFile(in: path + "/")
    try scratch.descriptor.put(bytes)
    try scratch.replace(target)
  }

  private func makeRoom() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    var files = names.filter { $0.hasSuffix(suffix) }.compactMap { name -> (path: String, size: Int, time: Int)? in
      var status = stat()
      let path = path + "/" + name
      return stat(path, &status) == 0 ? (path, Int(status.st_size), Int(status.st_mtim.tv_sec)) : nil
    }
    files.sort { $0.time < $1.time }
    var total = files.reduce(0) { $0 + $1.size }
    for file in files where total > capacity {
      unlink(file.path)
      total -= file.size
    }
  }
}
