import Alignment
import Pixels
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

  /// The state of a clip's file, the track whose frames are signed, and their orientation. A changed file has another key.
  struct Key: Hashable, Sendable {
    fileprivate let key: CacheKey

    /// - Returns: nil for what is no regular file.
    init?(path: String, track: Int, orientation: Orientation = .upright) {
      guard let stamp = FileStamp(path: path) else { return nil }
      // Earlier versions signed turned frames as they are stored, and upright ones under the key that they have now.
      let turn = orientation == .upright ? [] : [Int64(orientation.quarterTurns), orientation.isMirrored ? 1 : 0]
      key = CacheKey(stamp.numbers + [Int64(track)] + turn)
    }
  }

  /// Returns the signatures saved under a key; nil if there are none, or they are damaged.
  func load(_ key: Key) -> SignatureSequence? {
    files.contents(of: key.key).flatMap { try? SignatureSequence(decoding: $0) }
  }

  /// Saves signatures; failures are harmless.
  func save(_ signatures: SignatureSequence, _ key: Key) { files.save(signatures.encoded(), under: key.key) }
}
