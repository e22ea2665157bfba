/// Overviews of sound in a folder, by the identity of their files and tracks, so that no clip is read twice.
///
/// A stateless value: several programs may use the folder at the same time.
struct SoundOverviewStore: Sendable {
  /// The maximum size of all files together, in bytes: some two thousand clips.
  static let capacity = 16 << 20
  /// The maximum size of one file, in bytes.
  static let largest = 1 << 14

  private let files: CacheFolder

  /// - Parameter folder: a path; the folder is made when it is needed.
  init(folder: String) {
    files = CacheFolder(path: folder, suffix: ".sound", capacity: Self.capacity, largest: Self.largest)
  }

  /// Returns the key of a track; nil for what is no regular file.
  static func key(of input: MediaInput, track: Int) -> CacheKey? {
    input.identity.map { CacheKey($0.numbers + [Int64(track)]) }
  }

  /// Returns the overview saved under a key; nil if there is none, or it is damaged.
  func load(_ key: CacheKey) -> SoundOverview? { files.contents(of: key).flatMap(SoundOverview.init(decoding:)) }

  /// Saves an overview that is complete; failures are harmless.
  func save(_ overview: SoundOverview, _ key: CacheKey) {
    if overview.isComplete { files.save(overview.encoded, under: key) }
  }
}
