import Movies
import Playback

/// Finds out which clips a name stands for. Reads folders and files, and so may block for as long as a disk does.
///
/// What cannot be read stands for itself, with the reason for which it cannot be played.
public enum ClipListReader {
  /// Clips of a list at the most.
  private static let maxClips = 10_000
  /// Bytes of a file that lists clips at the most.
  private static let longest = 1 << 22

  /// The clips that a name stands for: those of a folder, in natural order; those that an M3U file lists; several names
  /// with commas between them; else the one of that name, be it there or not.
  public static func read(_ name: String) -> ClipList {
    if let entry = FolderListing.Entry(path: name) { return ClipList(clips(name, entry)) }
    let parts = parts(of: name)
    // With a comma at an end it is a list of one.
    guard parts.count > 1 || parts.first.map({ FolderListing.Entry(path: $0) != nil }) ?? false else { return ClipList([clip(name)]) }
    return ClipList(parts.flatMap { part in FolderListing.Entry(path: part).map { clips(part, $0) } ?? [clip(part)] })
  }

  /// The clips that a file lists, whatever it is called.
  public static func queue(_ name: String) -> ClipList { ClipList(listed(name)) }

  private static func listed(_ name: String) -> [ClipList.Clip] {
    clips(name) {
      guard let bytes = try InputText.read(name, limit: longest) else { throw PlaybackError(.notFound, "no such file") }
      let entries = try Playlist.entries(in: bytes, folder: FolderListing.folder(ofPath: name), limit: maxClips)
      guard !entries.isEmpty else { throw PlaybackError(.playlist, "contains no clips") }
      return entries.map { clip($0.path, title: $0.title) }
    }
  }

  private static func clips(_ name: String, _ entry: FolderListing.Entry) -> [ClipList.Clip] {
    if entry.isFolder { return folder(name) }
    return Playlist.isNamed(name) ? listed(name) : [clip(name)]
  }

  private static func folder(_ name: String) -> [ClipList.Clip] {
    clips(name) {
      let listing = try FolderListing.read(name, limit: maxClips) { $0.first != "." && FileNames.isClip($0) }
      let folder = name.hasSuffix("/") ? name : name + "/"
      let names = FileNames.sorted(listing.entries.filter { !$0.isFolder }.map(\.name))
      guard !names.isEmpty else { throw PlaybackError(.notAFile, "is a folder without clips") }
      return names.map { clip(folder + $0) }
    }
  }

  private static func clips(_ name: String, _ read: () throws -> [ClipList.Clip]) -> [ClipList.Clip] {
    do {
      return try read()
    } catch {
      let problem = (error as? PlaybackError) ?? PlaybackError(.system, "cannot be read")
      return [ClipList.Clip(path: name, problem: problem)]
    }
  }

  /// Names of clips are believed: nothing is read of what they name.
  private static func clip(_ path: String, title: String? = nil) -> ClipList.Clip {
    ClipList.Clip(path: path, title: title, kind: FileNames.isClip(path) ? .clip : FileKind(path: path))
  }

  /// The names between commas; a name that has commas and is there stays whole.
  private static func parts(of name: String) -> [String] {
    let pieces = name.split(separator: ",", omittingEmptySubsequences: false)
    var parts: [String] = []
    var at = 0
    while at < pieces.count {
      let joined = (at + 1..<max(at + 1, pieces.count)).reversed().lazy
        .map { (end: $0, name: pieces[at...$0].joined(separator: ",")) }
        .first { FolderListing.Entry(path: $0.name) != nil }
      parts.append(joined?.name ?? String(pieces[at]))
      at = (joined?.end ?? at) + 1
    }
    return parts.filter { !$0.isEmpty }
  }
}
