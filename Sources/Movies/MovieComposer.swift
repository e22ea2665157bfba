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
    try compose(document, movie, ClipFacts(makeAsset))
  }

  private func compose(_ document: MovieDocument, _ movie: String, _ clips: ClipFacts) throws(FileError) -> Result {
    var work = MovieComposing(document, movie, clips)
    work.addPieces()
    work.addOverlays()
    work.addMarks()
    guard work.composition.duration > .zero else {
      throw work.problems.first ?? FileError(file: movie, line: nil, message: "no pieces; expected at least one under \"pieces:\"")
    }
    return Result(composition: work.composition, problems: work.problems)
  }

  /// Reads a file and puts its movie together, with what neither could take over.
  ///
  /// - Throws: `FileError`.
  public func compose(path: String) throws(FileError) -> Result {
    var clips = ClipFacts(makeAsset)
    let reading = try read(path, &clips)
    var result = try compose(reading.document, path, clips)
    result.problems = reading.remarks.map { FileError(file: path, line: nil, message: $0) } + result.problems
    return result
  }

  /// Reads a file as `MovieFile` does, but for the rate of an edit decision list that does not say it: 24 may be 24000/1001, and
  /// the like. Of these its clips say which it is.
  ///
  /// - Throws: `FileError`.
  public func read(path: String) throws(FileError) -> MovieFile.Reading {
    var clips = ClipFacts(makeAsset)
    return try read(path, &clips)
  }

  private func read(_ path: String, _ clips: inout ClipFacts) throws(FileError) -> MovieFile.Reading {
    let bytes = try MovieFile.contents(of: path)
    let form = MovieFile.Form(path: path) ?? .yaml
    let reading = try MovieFile.read(bytes, form: form, name: path)
    guard let guess = reading.guessedRate else { return reading }
    var asking = MovieComposing(reading.document, path, clips)
    let stated = asking.rate(near: guess)
    clips = asking.clips
    guard let stated, stated != guess else { return reading }
    var again = try MovieFile.read(bytes, form: form, name: path, rate: stated)
    again.remarks.insert(
      "the list does not state its frame rate; assuming \(TimeText.text(stated)) fps, the rate of its clips", at: 0)
    return again
  }
}

extension PlaybackError {
  /// An error of a library's call, in words.
  init(ofAny error: any Error) { self = (error as? PlaybackError) ?? PlaybackError(.system, "\(error)") }
}
