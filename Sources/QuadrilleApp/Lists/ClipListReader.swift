import Playback

/// Finds out which clips a name stands for. Reads folders and files, and so may block for as long as a disk does.
public enum ClipListReader {
  /// Clips of a list at the most.
  static let maxClips = 10_000
  /// Bytes of a file that lists clips at the most.
  private static let longest = 1 << 22

  /// The clips that a name stands for: those of a folder, in natural order; those that an M3U file lists; several names
  /// with commas between them; else the one of that name, be it there or not.
  ///
  /// - Throws: `PlaybackError`, in words that go behind the name.
  public static func read(_ name: String) throws -> ClipList {
    if let entry = FolderListing.Entry(path: name) { return try list(name, entry) }
    let parts = parts(of: name)
    guard parts.count > 1 else { return ClipList(name) }
    return ClipList(
      try parts.flatMap { part -> [ClipList.Clip] in
        guard let entry = FolderListing.Entry(path: part) else { return [ClipList.Clip(path: part)] }
        do {
          return try list(part, entry).clips
        } catch let error as PlaybackError {
          throw PlaybackError(error.reason, "\(part): \(error.message)")
        }
      })
  }

  private static func list(_ name: String, _ entry: FolderListing.Entry) throws -> ClipList {
    if entry.isFolder { return try folder(name) }
    return Playlist.isNamed(name) ? try queue(name) : ClipList(name)
  }

  /// The clips that a file lists, whatever it is called.
  ///
  /// - Throws: `PlaybackError`, in words that go behind the name.
  public static func queue(_ name: String) throws -> ClipList {
    guard let bytes = try InputText.read(name, limit: longest) else { throw PlaybackError(.notFound, "no such file") }
    let clips = try Playlist.clips(in: bytes, folder: FolderListing.folder(ofPath: name), limit: maxClips)
    guard !clips.isEmpty else { throw PlaybackError(.nothingDecodable, "lists no clips") }
    return ClipList(clips)
  }

  private static func folder(_ name: String) throws -> ClipList {
    let listing = try FolderListing.read(name, limit: maxClips) { $0.first != "." && FileNames.isClip($0) }
    let folder = name.hasSuffix("/") ? name : name + "/"
    let names = FileNames.sorted(listing.entries.filter { !$0.isFolder }.map(\.name))
    // Opening it tells that it is no clip, beside others that are.
    guard !names.isEmpty else { return ClipList(name) }
    return ClipList(names.map { ClipList.Clip(path: folder + $0) })
  }

  /// The names between commas; a name that has commas and is there stays whole.
  private static func parts(of name: String) -> [String] {
    let pieces = name.split(separator: ",", omittingEmptySubsequences: false)
    var parts: [String] = []
    var at = 0
    while at < pieces.count {
      let joined = (at + 1..<pieces.count).reversed().lazy
        .map { (end: $0, name: pieces[at...$0].joined(separator: ",")) }
        .first { FolderListing.Entry(path: $0.name) != nil }
      parts.append(joined?.name ?? String(pieces[at]))
      at = (joined?.end ?? at) + 1
    }
    return parts.filter { !$0.isEmpty }
  }
}
