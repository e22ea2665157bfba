import Libav

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
  private static let version: UInt8 = 10
  private static let suffix = ".index"
  private static let signature: [UInt8] = [0x51, 0x44, 0x49, 0x58]

  private var files: CacheFolder { CacheFolder(path: folder, suffix: Self.suffix, capacity: Self.capacity, largest: Self.largest) }

  /// Identifies a file's contents, to detect other files and changes.
  struct Key: Equatable {
    var numbers: [Int64]

    var fileName: String { name + IndexStore.suffix }

    fileprivate var name: String { CacheKey(numbers).name }
  }

  /// Returns the key of an input's stream; nil if it has none. The index of an image sequence is quickly made from its listing.
  func key(of input: MediaInput, stream: Int) -> Key? {
    input.sequence != nil ? nil : input.identity.map { Key(numbers: $0.numbers + [Int64(stream)]) }
  }

  /// Returns the index saved under a key; nil if there is none or it is damaged.
  func load(_ key: Key) -> PacketIndex? {
    guard let bytes = files.contents(of: key.name) else { return nil }
    let index = bytes.withUnsafeBytes { bytes -> PacketIndex? in
      var reader = IndexReader(bytes: bytes)
      return reader.index(key, Self.signature + [Self.version])
    }
    if index != nil { files.didUse(key.name) }
    return index
  }

  /// Saves an index; failures are harmless.
  func save(_ index: PacketIndex, _ key: Key) {
    guard index.isComplete, index.count >= Self.minPackets else { return }
    var writer = IndexWriter()
    writer.bytes = Self.signature + [Self.version]
    writer.put(key, index)
    files.save(writer.bytes, as: key.name)
  }
}
