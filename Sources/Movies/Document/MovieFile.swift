import Playback

/// Files of movies made of pieces, in each form that is understood.
///
/// Calls block while a file is read or written, but never open the clips that it names.
public enum MovieFile {
  /// The forms of such files.
  public enum Form: Hashable, Sendable, CaseIterable {
    /// The program's own, which says all that a document can.
    case yaml
    /// Edit decision lists (CMX 3600).
    case edl
    /// Timelines of OpenTimelineIO, as JSON.
    case openTimelineIO

    /// The form that a file's name ends with: .yaml, .yml, .edl or .otio.
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

  /// What a file says.
  public struct Reading: Hashable, Sendable {
    /// The movie.
    public var document: MovieDocument
    /// What could not be taken over, in sentences without a full stop. They may quote the file: any text.
    public var remarks: [String]
    /// The rate of an edit decision list of which nothing but the numbers of its frames tells it.
    var guessedRate: Ratio?
  }

  /// Whether a file is a movie: by its name where that ends with .edl or .otio, else by how it begins. False for what cannot
  /// be read.
  static func isMovie(_ path: String) -> Bool {
    switch Form(path: path) {
    case .edl, .openTimelineIO: true
    case .yaml, nil: FileHeader.value(of: path)?.hasPrefix("movie") == true
    }
  }

  /// Reads a movie; what is neither .edl nor .otio by its name is read as YAML.
  ///
  /// - Parameters:
  ///   - path: as `Asset.path(ofBytes:)` makes it.
  ///   - rate: frames a second of an edit decision list; nil takes what the list says or lets guess. `MovieComposer.read` asks
  ///     its clips, too.
  public static func read(path: String, rate: Ratio? = nil) throws(FileError) -> Reading {
    try read(contents(of: path), form: Form(path: path) ?? .yaml, name: path, rate: rate)
  }

  /// All that a file has.
  static func contents(of path: String) throws(FileError) -> [UInt8] {
    let bytes: [UInt8]?
    do {
      bytes = try InputText.read(path, limit: MovieLimits.fileBytes)
    } catch {
      throw FileError(file: path, line: nil, message: (error as? PlaybackError)?.message ?? "cannot be read")
    }
    guard let bytes else { throw FileError(file: path, line: nil, message: "no such file") }
    return bytes
  }

  /// Reads a movie of bytes; `name` stands in errors.
  static func read(_ bytes: [UInt8], form: Form, name: String, rate: Ratio? = nil) throws(FileError) -> Reading {
    switch form {
    case .yaml: return Reading(document: try YAMLMovieReader.read(bytes, file: name), remarks: [])
    case .edl: return try EDLReader.read(bytes, file: name, rate: rate)
    case .openTimelineIO:
      let (document, remarks) = try OTIOReader.read(bytes, file: name)
      return Reading(document: document, remarks: remarks)
    }
  }

  /// Writes a movie in the form that the path ends with, YAML for any other.
  ///
  /// - Parameter clips: names of files that must not be written, as for `OutputFile`.
  /// - Returns: what the form has no place for, in sentences without a full stop.
  @discardableResult
  public static func write(_ document: MovieDocument, path: String, sparing clips: [String] = []) throws(FileError) -> [String] {
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
