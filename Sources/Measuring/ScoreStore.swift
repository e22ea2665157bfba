import PlainText
import Playback

/// Scores of pairs of clips in a folder, to go on where measuring was left.
///
/// A stateless value: several programs may use the folder at the same time.
public struct ScoreStore: Sendable {
  /// The maximum size of all files together, in bytes, and that of one.
  static let capacity = 64 << 20
  static let largest = 16 << 20
  /// Changes with the meaning of what is stored.
  private static let version: Int64 = 2

  private let files: CacheFolder

  /// - Parameter folder: a path; the folder is made when it is needed.
  public init(folder: String) {
    files = CacheFolder(path: folder, suffix: ".scores", capacity: Self.capacity, largest: Self.largest)
  }

  /// The state of both clips' files, the metric and the frames that belong together.
  struct Key: Hashable, Sendable {
    fileprivate let key: CacheKey

    /// - Returns: nil for what are no regular files.
    init?(reference: String, candidate: String, metric: Metric, partners: [Int?]) {
      guard let one = FileStamp(path: reference), let other = FileStamp(path: candidate) else { return nil }
      var hash = FNV1a()
      for byte in metric.rawValue.utf8 { hash.combine(byte) }
      for byte in CacheKey(partners.map { Int64($0 ?? -1) }).bytes { hash.combine(byte) }
      key = CacheKey([ScoreStore.version] + one.numbers + other.numbers + [Int64(bitPattern: hash.value)])
    }
  }

  /// Returns the values saved under a key, one for each candidate frame, NaN where there is none; nil if they are missing or
  /// damaged.
  func load(_ key: Key, count: Int) -> [Double]? {
    guard let data = files.contents(of: key.key), data.count == 8 * count else { return nil }
    return (0..<count).map { index in
      let start = data.startIndex + 8 * index
      return Double(bitPattern: data[start..<start + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }
  }

  /// Saves values; failures are harmless.
  func save(_ values: [Double], _ key: Key) { files.save(CacheKey(values.map { Int64(bitPattern: $0.bitPattern) }).bytes, under: key.key) }
}
