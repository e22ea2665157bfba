import Playback

/// Composes a movie from its document, opening clips when facts about them are needed.
///
/// Calls block until that is done. Missing media keeps its place; the rest is unaffected.
public struct MovieComposer: Sendable {
  private let makeAsset: @Sendable (_ path: String) -> Asset

  /// A composed movie and the problems found.
  public struct Result: Sendable {
    /// The playable composition.
    public var composition: Composition
    /// The problems found, each with its line.
    public var problems: [FileError]
  }

  /// - Parameter makeAsset: called once for each path, on the caller's thread.
  public init(makeAsset: @escaping @Sendable (_ path: String) -> Asset = { .named($0) }) { self.makeAsset = makeAsset }

  /// Composes a movie.
  ///
  /// - Parameters:
  ///   - movie: the path of the movie file, which relative paths are resolved against and problems name.
  /// - Throws: `FileError` if nothing is left to play.
  public func compose(_ document: MovieDocument, movieAt movie: String) throws(FileError) -> Result {
    try compose(document, movie, ClipFacts(makeAsset))
  }

  private func compose(_ document: MovieDocument, _ movie: String, _ clips: ClipFacts) throws(FileError) -> Result {
    var work = MovieComposing(document, movie, clips)
    work.addPieces()
    work.addOverlays()
    work.addSounds()
    work.addMarks()
    guard work.composition.duration > .zero else {
      throw work.problems.first ?? FileError(file: movie, line: nil, message: "no pieces; expected at least one under \"pieces:\"")
    }
    return Result(composition: work.composition, problems: work.problems)
  }

  /// Reads a movie file and composes it; problems include the remarks of reading.
  ///
  /// - Throws: `FileError`.
  public func compose(path: String) throws(FileError) -> Result {
    var clips = ClipFacts(makeAsset)
    let reading = try read(path, &clips)
    var result = try compose(reading.document, path, clips)
    result.problems = reading.remarks.map { FileError(file: path, remark: $0) } + result.problems
    return result
  }

  /// Reads a file as `MovieFile` does, but lets the clips decide an edit decision list's unstated rate.
  ///
  /// - Throws: `FileError`.
  public func read(path: String) throws(FileError) -> MovieFile.Reading {
    var clips = ClipFacts(makeAsset)
    return try read(path, &clips)
  }

  private func read(_ path: String, _ clips: inout ClipFacts) throws(FileError) -> MovieFile.Reading {
    let bytes = try MovieFile.contents(of: path)
    let form = MovieFile.Form(path: path) ?? .yaml
    var reading = try MovieFile.read(bytes, form: form, name: path)
    guard let guess = reading.rateGuess else { return reading }
    var asking = MovieComposing(reading.document, path, clips)
    let rates = asking.clipRates()
    clips = asking.clips
    let rate = guess.rate(agreedBy: rates) ?? guess.rate(nearestTo: rates) ?? guess.rate
    let remark = guess.remark(assuming: rate, clips: rates)
    if rate == guess.rate {
      let plain = guess.remark(assuming: rate, clips: [])
      reading.remarks = reading.remarks.map { $0 == plain ? remark : $0 }
    } else {
      reading = try MovieFile.read(bytes, form: form, name: path, rate: rate)
      reading.remarks.insert(remark, at: 0)
    }
    return reading
  }
}

extension PlaybackError {
  /// Wraps any error of a library call.
  init(ofAny error: any Error) { self = (error as? PlaybackError) ?? PlaybackError(.system, "\(error)") }
}
