import Alignment
import PlainText
import Playback

/// Signatures of clips in a folder, by the identity of their files, so that no clip is read twice to be compared.
///
/// A stateless value: several programs may use the folder at the same time.
public struct SignatureStore: Sendable {
  /// The maximum size of all files together, in bytes: some ten hours of film.
  static let capacity = 512 << 20
  /// The maximum size of one file, in bytes.
  static let largest = 256 << 20

  private let files: CacheFolder

  /// - Parameter folder: a path; the folder is made when it is needed.
  public init(folder: String) {
    files = CacheFolder(path: folder, suffix: ".signatures", capacity: Self.capacity, largest: Self.largest)
  }

  /// The state of a clip's file and the track whose frames are signed. A changed file has another key.
  struct Key: Hashable, Sendable {
    /// The numbers, which the file begins with: names are only hashes of them.
    fileprivate let numbers: [Int64]

    /// - Returns: nil for what is no regular file.
    init?(path: String, track: Int) {
      guard let stamp = FileStamp(path: path) else { return nil }
      numbers = stamp.numbers + [Int64(track)]
    }

    fileprivate var bytes: [UInt8] {
      numbers.flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
    }

    fileprivate var name: String {
      var hash = FNV1a()
      for byte in bytes { hash.combine(byte) }
      return hash.hexadecimal
    }
  }

  /// Returns the signatures saved under a key; nil if there are none, or they are damaged.
  func load(_ key: Key) -> SignatureSequence? {
    guard let bytes = files.contents(of: key.name), bytes.starts(with: key.bytes),
      let signatures = try? SignatureSequence(decoding: bytes.dropFirst(key.bytes.count))
    else { return nil }
    files.didUse(key.name)
    return signatures
  }

  /// Saves signatures; failures are harmless.
  func save(_ signatures: SignatureSequence, _ key: Key) { files.save(key.bytes + signatures.encoded(), as: key.name) }
}
