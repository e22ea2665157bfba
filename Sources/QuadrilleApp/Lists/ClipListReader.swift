import Movies
import Playback

/// Resolves an argument to a list of clips. Reads folders and files, so it may block on disk access.
///
/// An entry that cannot be read is kept, with the reason it cannot be played.
public enum ClipListReader {
  /// Maximum number of clips in a list.
  private static let maxClips = 10_000
  /// Maximum size of a list file, in bytes.
  private static let longest = 1 << 22

  /// The clips that an argument refers to: the clips of a folder in natural order, the entries of an M3U file, comma-separated
  /// names, or otherwise the file of that name, whether it exists or not.
  public static func read(_ name: String) -> ClipList {
    if let entry = FolderListing.Entry(path: name) { return ClipList(clips(name, entry), listedIn: lists([name])) }
    let parts = parts(of: name)
    // With a comma at either end, it is a list of one.
    guard parts.count > 1 || parts.first.map({ FolderListing.Entry(path: $0) != nil }) ?? false else { return ClipList([clip(name)]) }
    return ClipList(
      parts.flatMap { part in FolderListing.Entry(path: part).map { clips(part, $0) } ?? [clip(part)] }, listedIn: lists(parts))
  }

  /// The clips listed in a file, whatever its name.
  public static func queue(_ name: String) -> ClipList { ClipList(entries(name), listedIn: [name]) }

  private static func lists(_ names: [String]) -> [String] { names.filter(Playlist.isNamed) }

  /// The paths of the clips in an M3U file, or the name of any other file, or of one that cannot be read.
  public static func listed(_ name: String) -> [String] {
    Playlist.isNamed(name) && InputText.isRegularFile(name) ? entries(name).map(\.path) : [name]
  }

  private static func entries(_ name: String) -> [ClipList.Clip] {
    clips(name) {
      guard let bytes = try InputText.read(name, limit: longest) else { throw PlaybackError(.notFound, "no such file") }
      let entries = try Playlist.entries(in: bytes, folder: FolderListing.folder(ofPath: name), limit: maxClips)
      guard !entries.isEmpty else { throw PlaybackError(.playlist, "contains no clips") }
      return entries.map { clip($0.path, title: $0.title) }
    }
  }

  private static func clips(_ name: String, _ entry: FolderListing.Entry) -> [ClipList.Clip] {
    if entry.isFolder { return folder(name) }
    return Playlist.isNamed(name) ? entries(name) : [clip(name)]
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

  /// Listed names are taken as clips without reading the files.
  static func clip(_ path: String, title: String? = nil) -> ClipList.Clip {
    ClipList.Clip(path: path, title: title, kind: FileNames.isClip(path) ? .clip : FileKind(path: path))
  }

  /// The comma-separated names; an existing name with commas stays whole.
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
