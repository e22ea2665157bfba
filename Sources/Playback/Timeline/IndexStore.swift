import FoundationEssentials
import Glibc
import Libav
import PlainText

/// Finished indexes in a folder, by the identity of their files; the oldest are removed when there are too many.
///
/// A stateless value: several programs may use the folder at the same time, because files are only replaced as a whole.
struct IndexStore: Sendable {
  let folder: String
  /// The maximum size of all files together, in bytes.
  static let capacity = 64 << 20
  /// The maximum size of one file, in bytes.
  static let largest = capacity / 4
  /// Indexes of fewer packets are rebuilt as quickly as they are read.
  static let minPackets = 256
  /// Changes with the format, the definitions of random access points and frames, the hashed part of a frame, and the
  /// repair of timestamps.
  /// are repaired.
  private static let version: UInt8 = 10
  private static let signature: [UInt8] = [0x51, 0x44, 0x49, 0x58]

  /// Identifies a file's contents, to detect other files and changes.
  struct Key: Equatable {
    var numbers: [Int64]

    var fileName: String {
      // The numbers themselves are in the file.
      var hash = FNV1a()
      for number in numbers {
        for shift in stride(from: 0, to: 64, by: 8) { hash.combine(UInt8(truncatingIfNeeded: number >> Int64(shift))) }
      }
      return hash.hexadecimal + ".index"
    }
  }

  /// Returns the key of an input's stream; nil if it has none. The index of an image sequence is quickly made from its listing.
  func key(of input: MediaInput, stream: Int) -> Key? {
    input.sequence != nil ? nil : input.identity.map { Key(numbers: $0.numbers + [Int64(stream)]) }
  }

  /// Returns the index saved under a key; nil if there is none or it is damaged.
  func load(_ key: Key) -> PacketIndex? {
    let path = folder + "/" + key.fileName
    guard let bytes = Self.contents(of: path) else { return nil }
    let index = bytes.withUnsafeBytes { bytes -> PacketIndex? in
      var reader = IndexReader(bytes: bytes)
      return reader.index(key, Self.signature + [Self.version])
    }
    // The least recently used indexes are removed first.
    if index != nil { utimes(path, nil) }
    return index
  }

  /// Returns the bytes of a regular file, unless it is larger than any index; else nil.
  private static func contents(of path: String) -> [UInt8]? {
    // Non-blocking: a file with the name of an index may be a pipe.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0,
      status.st_size <= largest
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

  /// Saves an index; failures are harmless.
  func save(_ index: PacketIndex, _ key: Key) {
    guard index.isComplete, index.count >= Self.minPackets else { return }
    var writer = IndexWriter()
    writer.bytes = Self.signature + [Self.version]
    writer.put(key, index)
    guard writer.bytes.count <= Self.largest else { return }
    let files = FileManager.default
    try? files.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try? Data(writer.bytes).write(to: URL(fileURLWithPath: folder + "/" + key.fileName), options: .atomic)
    makeRoom()
  }

  private func makeRoom() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    var files = names.filter { $0.hasSuffix(".index") }.compactMap { name -> (path: String, size: Int, time: Int)? in
      var status = stat()
      let path = folder + "/" + name
      return stat(path, &status) == 0 ? (path, Int(status.st_size), Int(status.st_mtim.tv_sec)) : nil
    }
    files.sort { $0.time < $1.time }
    var total = files.reduce(0) { $0 + $1.size }
    for file in files where total > Self.capacity {
      unlink(file.path)
      total -= file.size
    }
  }
}
