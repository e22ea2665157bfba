import Glibc
import Libav

/// The entries of a folder, up to a limit.
package struct FolderListing: Sendable {
  /// A name in the folder.
  public struct Entry: Hashable, Sendable {
    /// The name, as returned by `Asset.path(ofBytes:)`.
    public var name: String
    /// True if the entry is a folder, or a link to one.
    public var isFolder: Bool

    /// Creates an entry.
    public init(name: String, isFolder: Bool) {
      self.name = name
      self.isFolder = isFolder
    }

    /// Examines a path; nil if nothing is visible there. May block on disk access.
    public init?(path: String) {
      guard let status = FileName.status(of: path) else { return nil }
      self.init(name: path, isFolder: status.st_mode & S_IFMT == S_IFDIR)
    }
  }

  /// The entries found, in no particular order.
  public var entries: [Entry]
  /// True if there may be more: the limit was reached, or 200,000 names were examined.
  public var isCut: Bool

  /// Creates a listing.
  public init(entries: [Entry], isCut: Bool) {
    self.entries = entries
    self.isCut = isCut
  }

  /// Returns the path up to and including its last slash; empty if it has none.
  public static func folder(ofPath path: String) -> String { FileName.folder(of: path) }

  /// Returns the part of the path after its last slash.
  public static func name(ofPath path: String) -> String { FileName.base(of: path) }

  /// The maximum number of names examined.
  private static let maxNames = 200_000

  /// Reads a folder; may block on disk access.
  ///
  /// - Parameters:
  ///   - path: as returned by `Asset.path(ofBytes:)`.
  ///   - limit: the maximum number of entries.
  ///   - isWanted: called with each name except "." and "..".
  /// - Throws: `PlaybackError`, with a message to follow the folder's name.
  public static func read(_ path: String, limit: Int, where isWanted: (String) -> Bool) throws -> FolderListing {
    guard let folder = FileName.withBytes(path, { opendir($0) }) else { throw PlaybackError("cannot be listed", errno: errno) }
    defer { closedir(folder) }
    var listing = FolderListing(entries: [], isCut: false)
    for _ in 0..<maxNames {
      guard let entry = readdir(folder) else { return listing }
      let (name, isFolder) = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        tuple.withMemoryRebound(to: CChar.self, capacity: 256) { bytes in
          let name = FileName.text(UnsafeRawBufferPointer(start: bytes, count: strlen(bytes)))
          guard name != ".", name != "..", isWanted(name) else { return ("", false) }
          switch Int(entry.pointee.d_type) {
          case Int(DT_DIR): return (name, true)
          case Int(DT_LNK), Int(DT_UNKNOWN):
            var status = stat()
            return (name, fstatat(dirfd(folder), bytes, &status, 0) == 0 && status.st_mode & S_IFMT == S_IFDIR)
          default: return (name, false)
          }
        }
      }
      guard !name.isEmpty else { continue }
      guard listing.entries.count < limit else { break }
      listing.entries.append(Entry(name: name, isFolder: isFolder))
    }
    listing.isCut = true
    return listing
  }
}
