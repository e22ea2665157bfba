import Playback

/// Puts a movie together from what its document says: opens the clips of which more has to be known than their names.
///
/// Its calls block until that is done. What cannot be had keeps its place, and the rest is as it is meant to be.
public struct MovieComposer: Sendable {
  private let makeAsset: @Sendable (_ path: String) -> Asset

  /// A movie put together, and what of it could not be had.
  public struct Result: Sendable {
    /// What can be played.
    public var composition: Composition
    /// What could not be done as the document says; each names the line.
    public var problems: [FileError]
  }

  /// - Parameter makeAsset: called once for each path, on the thread of the caller.
  public init(makeAsset: @escaping @Sendable (_ path: String) -> Asset = { Asset(path: $0) }) { self.makeAsset = makeAsset }

  /// Puts a movie together.
  ///
  /// - Parameters:
  ///   - movie: the path of its file, in whose folder relative names begin; it stands in problems, too.
  /// - Throws: `FileError` where nothing is left that could be played.
  public func compose(_ document: MovieDocument, movieAt movie: String) throws(FileError) -> Result {
    var work = MovieComposing(document, movie, makeAsset)
    work.addPieces()
    work.addOverlays()
    work.addMarks()
    guard work.composition.duration > .zero else {
      throw work.problems.first ?? FileError(file: movie, line: nil, message: "has no pieces: expected \"pieces:\" with at least one")
    }
    return Result(composition: work.composition, problems: work.problems)
  }

  /// Reads a file and puts its movie together, with what neither could take over.
  ///
  /// - Throws: `FileError`.
  public func compose(path: String) throws(FileError) -> Result {
    let reading = try MovieFile.read(path: path)
    var result = try compose(reading.document, movieAt: path)
    result.problems = reading.remarks.map { FileError(file: path, line: nil, message: $0) } + result.problems
    return result
  }
}

extension PlaybackError {
  /// An error of a library's call, in words.
  init(ofAny error: any Error) { self = (error as? PlaybackError) ?? PlaybackError(.system, "\(error)") }
}
