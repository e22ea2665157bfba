import Movies
import Playback

/// Resolves an argument to a list of clips. Reads folders and files, so it may block on disk access.
///
/// An entry that cannot be read is kept, with the reason it cannot be played.
public struct ClipListReader {
  /// Frames per second of image sequences.
  private let frameRate: Ratio
  /// Maximum number of clips in a list.
  private static let maxClips = 10_000
  /// Maximum size of a list file, in bytes.
  private static let longest = 1 << 22

  /// - Parameter frameRate: Frames per second of image sequences.
  public init(frameRate: Ratio = ImageSequence.defaultFrameRate) { self.frameRate = frameRate }

  /// The clips that an argument refers to: the clips of a folder, or those that match a pattern, in natural order; its image
  /// sequences if it has no clips; the entries of an M3U file; comma-separated names; or otherwise the file of that name, whether
  /// it exists or not.
  public func read(_ name: String) -> ClipList {
    if WebAddress.isAddress(name) { return ClipList([clip(name)]) }
    if let entry = FolderListing.Entry(path: name) { return ClipList(clips(name, entry), listedIn: Self.lists([name])) }
    if let matches = matches(name) { return ClipList(matches) }
    let parts = Self.parts(of: name)
    // With a comma at either end, it is a list of one.
    guard parts.count > 1 || parts.first.map({ FolderListing.Entry(path: $0) != nil }) ?? false else { return ClipList([clip(name)]) }
    return ClipList(
      parts.flatMap { part in FolderListing.Entry(path: part).map { clips(part, $0) } ?? matches(part) ?? [clip(part)] },
      listedIn: Self.lists(parts))
  }

  /// The clips listed in a file, whatever its name.
  public func queue(_ name: String) -> ClipList { ClipList(entries(name), listedIn: [name]) }

  private static func lists(_ names: [String]) -> [String] { names.filter(Playlist.isNamed) }

  /// The paths of the clips in an M3U file, the clips or image sequences that a pattern matches, the image sequences of a folder
  /// without clips, or else the name itself.
  public func listed(_ name: String) -> [String] {
    if Playlist.isNamed(name), InputText.isRegularFile(name) { return entries(name).map(\.location) }
    guard let entry = FolderListing.Entry(path: name) else { return matches(name)?.map(\.path) ?? [name] }
    let found = entry.isFolder ? clips(name, entry) : []
    return !found.isEmpty && found.allSatisfy { $0.sequence != nil } ? found.map(\.path) : [name]
  }

  private func entries(_ name: String) -> [ClipList.Clip] {
    clips(name) {
      guard let bytes = try InputText.read(name, limit: Self.longest) else { throw PlaybackError(.notFound, "no such file") }
      let entries = try Playlist.entries(in: bytes, folder: FolderListing.folder(ofPath: name), limit: Self.maxClips)
      guard !entries.isEmpty else { throw PlaybackError(.playlist, "contains no clips") }
      return entries.map { clip($0.path, title: $0.title) }
    }
  }

  private func clips(_ name: String, _ entry: FolderListing.Entry) -> [ClipList.Clip] {
    if entry.isFolder { return folder(name) }
    return Playlist.isNamed(name) ? entries(name) : [clip(name)]
  }

  private func folder(_ name: String) -> [ClipList.Clip] {
    clips(name) {
      let clips = try self.clips(in: name) { _ in true }
      guard clips.isEmpty else { return clips }
      let sequences = try ImageSequence.find(name, frameRate: frameRate)
      guard !sequences.isEmpty else { throw PlaybackError(.notAFile, "is a folder without clips or numbered images") }
      return sequences.map { ClipList.Clip($0) }
    }
  }

  /// The clips that match a pattern, or else the image sequences; nil if nothing does.
  private func matches(_ name: String) -> [ClipList.Clip]? {
    guard let pattern = NamePattern(name) else { return nil }
    let matches = clips(name) {
      if let listed = try? clips(in: pattern.folder, where: pattern.matches), !listed.isEmpty { return listed }
      return try ImageSequence.find(name, frameRate: frameRate).map { ClipList.Clip($0) }
    }
    return matches.isEmpty ? nil : matches
  }

  /// The clips of a folder, or of the current one if the name is empty.
  private func clips(in folder: String, where isWanted: (String) -> Bool) throws -> [ClipList.Clip] {
    let listing = try FolderListing.read(folder.isEmpty ? "." : folder, limit: Self.maxClips) {
      $0.first != "." && FileNames.isClip($0) && isWanted($0)
    }
    let folder = folder.isEmpty || folder.hasSuffix("/") ? folder : folder + "/"
    return FileNames.sorted(listing.entries.filter { !$0.isFolder }.map(\.name)).map { clip(folder + $0) }
  }

  private func clips(_ name: String, _ read: () throws -> [ClipList.Clip]) -> [ClipList.Clip] {
    do {
      return try read()
    } catch {
      let problem = (error as? PlaybackError) ?? PlaybackError(.system, "cannot be read")
      return [ClipList.Clip(path: name, problem: problem)]
    }
  }

  /// Listed names are taken as clips without reading the files, unless they stand for image sequences.
  func clip(_ path: String, title: String? = nil) -> ClipList.Clip {
    if FileNames.isClip(path) { return ClipList.Clip(path: path, title: title) }
    let kind = FileKind(path: path)
    guard kind == .clip else { return ClipList.Clip(path: path, title: title, kind: kind) }
    do {
      let sequence = try ImageSequence.named(path, frameRate: frameRate)
      return sequence.map { ClipList.Clip($0, title: title) } ?? ClipList.Clip(path: path, title: title)
    } catch {
      return ClipList.Clip(path: path, title: title, problem: (error as? PlaybackError) ?? PlaybackError(.system, "cannot be read"))
    }
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
