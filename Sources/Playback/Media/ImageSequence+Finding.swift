import Glibc
import Libav
import PlainText

extension ImageSequence {
  /// File extensions of images.
  private static let endings: Set<String> = [
    "avif", "bmp", "cin", "dpx", "exr", "hdr", "j2c", "j2k", "jp2", "jpeg", "jpg", "jxl", "pam", "pbm", "pcx", "pfm", "pgm", "png",
    "pnm", "ppm", "qoi", "sgi", "tga", "tif", "tiff", "webp",
  ]

  /// The maximum number of files in a sequence.
  private static let maxFiles = 200_000

  /// Returns true if a name has the extension of an image.
  package static func isImage(_ name: String) -> Bool { endings.contains(FileName.ending(of: name)) }

  /// Finds the image sequences that a name stands for, sorted by name; may block on disk access.
  ///
  /// The name is that of a folder, or a pattern for names in a folder: "shot_%04d.png", "shot_####.png" or "shot_*.png". If there
  /// is a file of exactly that name, it stands for no sequence. A sequence given by its number's place may have a single image;
  /// others have at least two.
  ///
  /// - Parameter frameRate: positive.
  /// - Returns: an empty array if there is no sequence.
  /// - Throws: `PlaybackError` if the folder cannot be listed or has too many files.
  public static func find(_ name: String, frameRate: Ratio = defaultFrameRate) throws -> [ImageSequence] {
    if let entry = FolderListing.Entry(path: name) {
      guard entry.isFolder else { return [] }
      return sequences(in: try names(in: name, where: isImage), of: name.hasSuffix("/") ? name : name + "/", frameRate)
    }
    guard let pattern = NamePattern(name) else { return [] }
    switch pattern.form {
    case .glob:
      return sequences(in: try names(in: pattern.folder) { isImage($0) && pattern.matches($0) }, of: pattern.folder, frameRate)
    case .numbered(let name):
      // In "shot.0001" the number takes the place of an extension.
      let names = try names(in: pattern.folder) {
        (isImage($0) || FileName.ending(of: $0).allSatisfy(\.isNumber)) && pattern.matches($0)
      }
      let numbers = names.compactMap { name.number(in: pattern.folder + $0) }.sorted()
      return SequenceFiles(name, numbers).map { [ImageSequence($0, frameRate: frameRate)] } ?? []
    }
  }

  /// Returns the one sequence that a name stands for; nil if it stands for none; may block on disk access.
  ///
  /// - Throws: `PlaybackError`, also if it stands for several, or is a pattern that no image matches.
  public static func named(_ name: String, frameRate: Ratio = defaultFrameRate) throws -> ImageSequence? {
    let found = try find(name, frameRate: frameRate)
    if let first = found.first, found.count > 1 {
      throw PlaybackError(.notAFile, "stands for \(found.count) image sequences; name one of them: \(FileName.base(of: first.pattern))")
    }
    if found.isEmpty, isImage(name), NamePattern(name) != nil, FolderListing.Entry(path: name) == nil { throw noMatch }
    return found.first
  }

  /// Returns the patterns of the sequences among names in a folder, each with the names of its images.
  package static func patterns(among names: [String]) -> [(pattern: String, names: [String])] {
    NumberedGroups(names.filter(isImage)).sequences.map { (NamePattern.text(of: $0.name), $0.numbers.map($0.name.name)) }
  }

  /// The error for a pattern of images without a match.
  package static let noMatch = PlaybackError(.notFound, "no such file, and no numbered images match")

  /// Returns the names of visible files in a folder, or in the current one if it has no name; none if there is no such folder.
  private static func names(in folder: String, where isWanted: (String) -> Bool) throws -> [String] {
    let folder = folder.isEmpty ? "." : folder
    guard FolderListing.Entry(path: folder)?.isFolder == true else { return [] }
    let listing = try FolderListing.read(folder, limit: maxFiles) { $0.first != "." && isWanted($0) }
    guard !listing.isCut else { throw PlaybackError(.tooLarge, "is in a folder of more than \(maxFiles) files") }
    return listing.entries.filter { !$0.isFolder }.map(\.name)
  }

  private static func sequences(in names: [String], of folder: String, _ frameRate: Ratio) -> [ImageSequence] {
    let groups = NumberedGroups(names).sequences.compactMap { group in
      let name = NumberedName(prefix: folder + group.name.prefix, width: group.name.width, suffix: group.name.suffix)
      return SequenceFiles(name, group.numbers).map { ImageSequence($0, frameRate: frameRate) }
    }
    return groups.sorted { $0.pattern.utf8.lexicographicallyPrecedes($1.pattern.utf8) }
  }
}

extension SequenceFiles {
  /// Examines the files of a sequence; nil if none of them is a regular file.
  fileprivate init?(_ name: NumberedName, _ numbers: [Int]) {
    var found: [Int] = []
    var byteCounts: [Int64] = []
    var hasher = FNV1a()
    for number in numbers {
      guard let status = FileName.status(of: name.name(number)), status.st_mode & S_IFMT == S_IFREG else { continue }
      found.append(number)
      byteCounts.append(Int64(status.st_size))
      for value in [
        Int64(number), Int64(truncatingIfNeeded: status.st_dev), Int64(truncatingIfNeeded: status.st_ino), Int64(status.st_size),
        Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec),
      ] {
        for shift in stride(from: 0, to: 64, by: 8) { hasher.combine(UInt8(truncatingIfNeeded: value >> Int64(shift))) }
      }
    }
    guard !found.isEmpty else { return nil }
    self.init(name, numbers: found, byteCounts: byteCounts, stamp: Int64(bitPattern: hasher.value))
  }
}
