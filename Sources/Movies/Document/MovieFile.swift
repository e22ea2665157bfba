import Playback

/// Reads and writes movie files in all supported formats.
///
/// Calls block while a file is read or written, but never open the clips that it names.
public enum MovieFile {
  /// The formats of movie files.
  public enum Form: Hashable, Sendable, CaseIterable {
    /// Quadrille's own format, which can store everything in a document.
    case yaml
    /// Edit decision lists (CMX 3600).
    case edl
    /// OpenTimelineIO timelines, as JSON.
    case openTimelineIO

    /// The format of a file with the extension .yaml, .yml, .edl or .otio; nil for other names.
    public init?(path: String) {
      let name = FolderListing.name(ofPath: path).lowercased()
      switch name.utf8.lastIndex(of: UInt8(ascii: ".")).map({ String(decoding: name.utf8[$0...], as: UTF8.self) }) {
      case ".yaml", ".yml": self = .yaml
      case ".edl": self = .edl
      case ".otio": self = .openTimelineIO
      default: return nil
      }
    }
  }

  /// The result of reading a file.
  public struct Reading: Hashable, Sendable {
    /// The movie.
    public var document: MovieDocument
    /// Remarks on what could not be read exactly, in sentences without a full stop. May quote the file: any text.
    public var remarks: [String]
    /// The guess of an edit decision list's rate, if the list states none.
    var rateGuess: EDLRateGuess?
  }

  /// Returns true if a file is a movie: by its extension .edl or .otio, else by its first key. False if it cannot be read.
  static func isMovie(_ path: String) -> Bool {
    switch Form(path: path) {
    case .edl, .openTimelineIO: true
    case .yaml, nil: FileHeader.value(of: path)?.hasPrefix("movie") == true
    }
  }

  /// Returns true for the file extension of OpenTimelineIO's zip archives of a timeline and its media.
  static func isBundle(_ path: String) -> Bool { path.lowercased().hasSuffix(".otioz") }

  /// Reads a movie; files other than .edl and .otio are read as YAML.
  ///
  /// - Parameters:
  ///   - path: as `Asset.path(ofBytes:)` makes it.
  ///   - rate: the frame rate of an edit decision list; nil uses what the list states, or a guess. `MovieComposer.read` also
  ///     examines the clips.
  public static func read(path: String, rate: Ratio? = nil) throws(FileError) -> Reading {
    try read(contents(of: path), form: Form(path: path) ?? .yaml, name: path, rate: rate)
  }

  /// The contents of a file.
  static func contents(of path: String) throws(FileError) -> [UInt8] {
    if isBundle(path), FolderListing.Entry(path: path) != nil {
      throw FileError(
        file: path, line: nil,
        message: "is an OpenTimelineIO archive, which cannot be read; unpack it with unzip and open its content.otio")
    }
    let bytes: [UInt8]?
    do {
      bytes = try InputText.read(path, limit: MovieLimits.fileBytes)
    } catch {
      throw FileError(file: path, line: nil, message: (error as? PlaybackError)?.message ?? "cannot be read")
    }
    guard let bytes else { throw FileError(file: path, line: nil, message: "no such file") }
    return bytes
  }

  /// Reads a movie from bytes; errors call the file `name`.
  static func read(_ bytes: [UInt8], form: Form, name: String, rate: Ratio? = nil) throws(FileError) -> Reading {
    let bytes = InputText.plain(bytes)
    switch form {
    case .yaml: return Reading(document: try YAMLMovieReader.read(bytes, file: name), remarks: [])
    case .edl: return try EDLReader.read(bytes, file: name, rate: rate)
    case .openTimelineIO:
      let (document, remarks) = try OTIOReader.read(bytes, file: name)
      return Reading(document: document, remarks: remarks)
    }
  }

  /// Writes a movie in the format of the path's extension, or YAML for any other. Never overwrites a file that the movie names.
  ///
  /// - Returns: what the format cannot store, in sentences without a full stop.
  @discardableResult
  public static func write(_ document: MovieDocument, path: String) throws(FileError) -> [String] {
    try write(document, path: path, sparing: document.files.map { MovieClip(path: $0).path(fromMovieAt: path) })
  }

  /// - Parameter clips: files that must not be overwritten.
  @discardableResult
  package static func write(_ document: MovieDocument, path: String, sparing clips: [String]) throws(FileError) -> [String] {
    let (bytes, remarks) = try bytes(of: document, form: Form(path: path) ?? .yaml, name: path)
    do {
      try OutputFile(path, sparing: clips).write(bytes, sparing: clips)
    } catch {
      throw FileError(file: path, line: nil, message: (error as? PlaybackError)?.message ?? "cannot be written")
    }
    return remarks
  }

  static func bytes(of document: MovieDocument, form: Form, name: String) throws(FileError) -> ([UInt8], [String]) {
    switch form {
    case .yaml: (Array(YAMLMovieWriter.text(of: document).utf8), [])
    case .edl: try EDLWriter.write(document, file: name)
    case .openTimelineIO: try OTIOWriter.write(document, file: name)
    }
  }
}
