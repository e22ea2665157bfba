import Movies
import Playback

/// The conversion of a movie file to another format, chosen by the extension of the output.
///
/// Blocks while files are read and written. Clips are opened only for facts that a format needs and the movie leaves open.
public struct MovieConversion: Sendable {
  /// Parts that could not be converted exactly, in sentences without a full stop. May quote any text of the files.
  public struct Warnings: Sendable {
    /// Parts of the input that could not be read.
    public var reading: [String]
    /// Parts that the format of the output cannot express.
    public var writing: [String]
  }

  private let input: String
  private let output: String
  private let rate: Ratio?

  /// - Parameters:
  ///   - input, output: Paths, as `Asset.path(ofBytes:)` makes them.
  ///   - rate: The rate by which an edit decision list counts, or of any other movie; nil for the one that the movie states or
  ///     its clips have.
  public init(from input: String, to output: String, rate: Ratio? = nil) {
    (self.input, self.output, self.rate) = (input, output, rate)
  }

  /// Reads the input and writes the output, whose relative paths lead to the same clips from its own folder.
  ///
  /// - Throws: `FileError`; then no file is changed.
  public func run(makeAsset: @escaping @Sendable (String) -> Asset = { .named($0) }) throws(FileError) -> Warnings {
    guard MovieFile.Form(path: output) != nil else {
      throw FileError(file: output, line: nil, message: "is not a name for a movie; expected one that ends with .yaml, .yml, .edl or .otio")
    }
    guard FolderListing.Entry(path: input) != nil else { throw FileError(file: input, line: nil, message: "no such file") }
    guard FileKind(path: input) == .movie else {
      throw FileError(file: input, line: nil, message: "is not a movie; expected a YAML, EDL or OTIO file")
    }
    var reading =
      if let rate {
        try MovieFile.read(path: input, rate: rate)
      } else {
        try MovieComposer(makeAsset: makeAsset).read(path: input)
      }
    if let rate { reading.document.output.rate = rate }
    let folder = FilePath.currentFolder
    let movie = reading.document.rooted(movieAt: FilePath.absolute(input, in: folder), folder: folder)
    let remarks = try movie.write(to: output, folder: folder, sparing: InputFiles([input]).paths, makeAsset: makeAsset)
    return Warnings(reading: reading.remarks, writing: remarks)
  }
}

extension MovieDocument {
  /// Writes a movie with absolute paths, naming clips as seen from the file's folder, and returns what the format cannot
  /// express. Opens clips for the facts that the format needs.
  ///
  /// - Parameter folder: The current folder.
  func write(
    to path: String, folder: String, sparing clips: [String], makeAsset: @escaping @Sendable (String) -> Asset
  ) throws(FileError) -> [String] {
    let file = FilePath.absolute(path, in: folder)
    var measures = MovieMeasures(makeAsset: makeAsset)
    let said = measures.said(in: self, for: MovieFile.Form(path: path) ?? .yaml)
    return try MovieFile.write(said.renamed { MoviePaths.name(of: $0, inMovieAt: file) }, path: path, sparing: clips)
  }
}
