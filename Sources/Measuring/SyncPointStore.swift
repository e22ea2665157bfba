import Alignment
import FoundationEssentials
import Playback

/// The frames that a person named as belonging together, in a file that people may edit: a line of JSON for each pair of clips.
///
/// A stateless value: several programs may use the file at the same time.
public struct SyncPointStore: Sendable {
  /// The maximum number of pairs; those that were changed least recently are removed first.
  static let maxPairs = 2000
  /// The maximum number of points of a pair.
  static let maxPoints = 100
  private static let maxBytes = 8 << 20

  public let path: String

  /// - Parameter path: the name of the file, which is made when it is needed.
  public init(path: String) { self.path = path }

  /// A line of the file.
  private struct Line: Codable {
    struct Clip: Codable {
      /// For people; files are recognised by their contents.
      var name: String
      var size: Int64
      var hash: String

      func isFile(_ identity: ClipIdentity) -> Bool { size == identity.size && hash == identity.hash }
    }

    var reference: Clip
    var candidate: Clip
    var points: [SyncPoint]

    enum CodingKeys: CodingKey { case reference, candidate, points }

    init(_ pair: Pair, points: [SyncPoint]) {
      reference = Clip(name: pair.names.reference, size: pair.reference.size, hash: pair.reference.hash)
      candidate = Clip(name: pair.names.candidate, size: pair.candidate.size, hash: pair.candidate.hash)
      self.points = points
    }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      reference = try values.decode(Clip.self, forKey: .reference)
      candidate = try values.decode(Clip.self, forKey: .candidate)
      points = try values.decode([String].self, forKey: .points).compactMap { SyncPoint($0) }
    }

    func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: CodingKeys.self)
      try values.encode(reference, forKey: .reference)
      try values.encode(candidate, forKey: .candidate)
      try values.encode(points.map(\.description), forKey: .points)
    }

    /// The points of a pair; those of the clips in exchanged roles count, too. Nil if the line is of others.
    func points(of pair: Pair) -> [SyncPoint]? {
      if reference.isFile(pair.reference), candidate.isFile(pair.candidate) { return points }
      guard reference.isFile(pair.candidate), candidate.isFile(pair.reference) else { return nil }
      return points.map { SyncPoint(reference: $0.candidate, candidate: $0.reference) }
    }
  }

  private struct Pair {
    let names: (reference: String, candidate: String)
    let reference, candidate: ClipIdentity

    init?(reference: String, candidate: String) {
      guard let one = ClipIdentity(path: reference), let other = ClipIdentity(path: candidate) else { return nil }
      (self.reference, self.candidate) = (one, other)
      names = (FolderListing.name(ofPath: reference), FolderListing.name(ofPath: candidate))
    }
  }

  /// Returns the points of a pair of clips, given by their paths; none for what are no files.
  ///
  /// - Throws: `PlaybackError` if the file cannot be read, with a message to follow its name.
  func points(reference: String, candidate: String) throws -> [SyncPoint] {
    guard let lines = try read(), let pair = Pair(reference: reference, candidate: candidate) else { return [] }
    return lines.lazy.reversed().compactMap { Self.line($0)?.points(of: pair) }.first ?? []
  }

  /// Changes the points of a pair of clips, given by their paths, and returns them.
  ///
  /// - Throws: `PlaybackError` if they cannot be kept.
  func change(reference: String, candidate: String, _ body: (inout [SyncPoint]) -> Void) throws -> [SyncPoint] {
    guard let pair = Pair(reference: reference, candidate: candidate) else {
      throw PlaybackError(.notAFile, "only points of files are kept")
    }
    let lock = FileLock(beside: path)
    defer { withExtendedLifetime(lock) {} }
    var points: [SyncPoint] = []
    // Lines that cannot be understood are left as they are.
    var rest = (try read() ?? []).filter { text in
      guard let own = Self.line(text)?.points(of: pair) else { return true }
      points = own
      return false
    }
    body(&points)
    guard points.count <= Self.maxPoints else {
      throw PlaybackError(.tooLarge, "has \(Self.maxPoints) points of these clips already")
    }
    if !points.isEmpty { rest.append(try ClipComparison.encode(Line(pair, points: points))[...]) }
    let bytes = rest.suffix(Self.maxPairs).joined(separator: [UInt8(ascii: "\n")])
    try OutputFile(path, isPrivate: true).write(Array(bytes) + (rest.isEmpty ? [] : [UInt8(ascii: "\n")]))
    return points
  }

  private func read() throws -> [ArraySlice<UInt8>]? {
    try InputText.read(path, limit: Self.maxBytes)?.split(separator: UInt8(ascii: "\n"))
  }

  private static func line(_ text: ArraySlice<UInt8>) -> Line? { try? JSONDecoder().decode(Line.self, from: Data(text)) }
}
