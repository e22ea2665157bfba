import FoundationEssentials
import Glibc
import Libav
import PlainText

/// Finished indexes in a folder, by the identity of the files they are of; the oldest go when they grow too many.
///
/// A value without state: several programs may use the folder at once, because files are only ever replaced whole.
struct IndexStore: Sendable {
  let folder: String
  /// Bytes of all files together.
  static let capacity = 64 << 20
  /// Bytes of one file at the most.
  static let largest = capacity / 4
  /// Shorter indexes are made again as fast as they are read.
  static let minPackets = 256
  /// Changed with the format, with what counts as a random access point or a frame, what of a frame is hashed, and how time stamps
  /// are repaired.
  private static let version: UInt8 = 10
  private static let signature: [UInt8] = [0x51, 0x44, 0x49, 0x58]

  /// Identifies a file's contents, to detect other files and changes.
  struct Key: Equatable {
    var numbers: [Int64]

    var fileName: String {
      // The numbers themselves stand in the file.
      var hash = FNV1a()
      for number in numbers {
        for shift in stride(from: 0, to: 64, by: 8) { hash.combine(UInt8(truncatingIfNeeded: number >> Int64(shift))) }
      }
      return hash.hexadecimal + ".index"
    }
  }

  /// The key of a stream of an input; nil when there is none.
  func key(of input: MediaInput, stream: Int) -> Key? {
    input.identity.map { Key(numbers: $0.numbers + [Int64(stream)]) }
  }

  /// The index that was kept under a key; nil when there is none or it is damaged.
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

  /// The bytes of a regular file, of which nothing is read where it is larger than any index; else nil.
  private static func contents(of path: String) -> [UInt8]? {
    // Not blocking: what has the name of an index may be a pipe.
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

  /// Keeps an index; failing to is no harm.
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
