import PlainText
import Playback

/// The files that a movie names.
extension MovieComposing {
  /// The path of a named file, resolved against the movie's folder.
  ///
  /// A file that is not where an absolute path says, as in movies of other computers, is looked for beside the movie.
  mutating func path(of name: String) -> String {
    if let known = paths[name] { return known }
    let path = ClipName.found(name, fromMovieAt: movie)
    paths[name] = path
    return path
  }

  /// Reports that a file beside the movie is used for one that is not where the movie says.
  mutating func noteMoved(_ name: String, _ line: Int?, _ what: String) {
    let path = path(of: name)
    guard path != ClipName.path(name, fromMovieAt: movie) else { return }
    note(line, "\(what): \(name): no such file; using \(FolderListing.name(ofPath: path)) beside the movie")
  }
}

extension MovieClip {
  /// The path of the file, which is looked for beside the movie if it is not where an absolute path says. Looks at the disk.
  public func foundPath(fromMovieAt movie: String) -> String { ClipName.found(path, fromMovieAt: movie) }
}

extension ClipName {
  /// The path of a named file, or of the file of that name beside the movie if an absolute path leads nowhere.
  static func found(_ name: String, fromMovieAt movie: String) -> String {
    let path = path(name, fromMovieAt: movie)
    guard FolderListing.Entry(path: path) == nil, let base = baseOfAbsolute(name) else { return path }
    let beside = self.path(base, fromMovieAt: movie)
    return FolderListing.Entry(path: beside) == nil ? path : beside
  }

  /// The last part of an absolute path, also of a Windows path such as `C:\clips\a.mov`; nil for a relative one.
  private static func baseOfAbsolute(_ name: String) -> String? {
    let bytes = Asset.bytes(ofPath: name)
    let backslash = UInt8(ascii: "\\")
    let isWindows = bytes.dropFirst().first == UInt8(ascii: ":") && bytes.count > 2 && (bytes[2] == backslash || bytes[2] == FilePath.slash)
    guard bytes.first == FilePath.slash || isWindows || bytes.starts(with: [backslash, backslash]) else { return nil }
    let isForeign = isWindows || bytes.first == backslash
    let base = bytes.split { $0 == FilePath.slash || (isForeign && $0 == backslash) }.last ?? []
    return base.isEmpty || base.elementsEqual("..".utf8) ? nil : Asset.path(ofBytes: Array(base))
  }
}
