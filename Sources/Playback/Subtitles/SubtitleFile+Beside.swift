import Libav

extension SubtitleFile {
  /// The maximum number of files listed in a folder.
  private static let maxFiles = 10_000

  /// Returns the subtitle files next to clips that belong to one of them, including the images of VobSub indexes.
  ///
  /// Lists each folder once, which may block on disk access; a folder that cannot be listed has none.
  package static func paths(besideClips clips: [String]) -> [String] {
    // By bytes: names that are equal in Swift may be different folders.
    Dictionary(grouping: clips) { Array(FileName.folder(of: $0).utf8) }.flatMap { bytes, clips in
      let folder = String(decoding: bytes, as: UTF8.self)
      let stems = Set(clips.map { SubtitleFileName.stem(ofClip: FileName.base(of: $0)) })
      let listing = try? FolderListing.read(folder.isEmpty ? "." : folder, limit: maxFiles) { name in
        isNamed(name) && SubtitleFileName.stems(of: name).contains { stems.contains($0) }
      }
      return (listing?.entries ?? []).filter { !$0.isFolder }.map { folder + $0.name }
    }
  }

  /// Returns the files that are read for a subtitle file: itself, and the images of a VobSub index.
  package static func parts(of path: String) -> [String] {
    FileName.ending(of: path) == "idx" ? [path, FileName.images(ofIndex: path)] : [path]
  }
}
