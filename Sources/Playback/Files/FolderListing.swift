import Glibc
import Libav

/// The names of what lies in a folder, as many as were asked for.
public struct FolderListing: Sendable {
  /// One name in the folder.
  public struct Entry: Hashable, Sendable {
    /// As `Asset.path(ofBytes:)` makes it.
    public var name: String
    /// Whether it is a folder, or a link to one.
    public var isFolder: Bool

    /// An entry with this name.
    public init(name: String, isFolder: Bool) {
      self.name = name
      self.isFolder = isFolder
    }

    /// What lies at a path; nil where nothing does that can be seen. May block for as long as a disk does.
    public init?(path: String) {
      guard let status = FileName.status(of: path) else { return nil }
      self.init(name: path, isFolder: status.st_mode & S_IFMT == S_IFDIR)
    }
  }

  /// What was found, in no order.
  public var entries: [Entry]
  /// Whether there may be more: the limit was reached, or 200,000 names were looked at.
  public var isCut: Bool

  /// A listing of these entries.
  public init(entries: [Entry], isCut: Bool) {
    self.entries = entries
    self.isCut = isCut
  }

  /// The folder of what lies at a path: the part up to its last slash and with it, empty where there is none.
  public static func folder(ofPath path: String) -> String { FileName.folder(of: path) }

  /// The name of what lies at a path: the part behind its last slash.
  public static func name(ofPath path: String) -> String { FileName.base(of: path) }

  /// Names that are looked at at the most.
  private static let maxNames = 200_000

  /// Reads a folder; may block for as long as a disk does.
  ///
  /// - Parameters:
  ///   - path: as `Asset.path(ofBytes:)` makes it.
  ///   - limit: entries at the most.
  ///   - isWanted: is given each name but "." and "..".
  /// - Throws: `PlaybackError`, in words that go behind the folder's name.
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
