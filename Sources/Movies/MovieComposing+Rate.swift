import Playback

/// What clips tell of the rate of a list that names them.
extension MovieComposing {
  /// Clips that are asked at the most.
  private static let maxAsked = 8
  /// Rates of which there is one that counts the same and is slower by a thousandth.
  private static let doubtful: Set<Int32> = [24, 30, 60]

  /// A whole rate, or the one slower by a thousandth, whichever the first clip has that has one of them, or twice as many frames.
  ///
  /// - Returns: nil where no clip says so.
  mutating func rate(near guess: Ratio) -> Ratio? {
    guard guess.denominator == 1, Self.doubtful.contains(guess.numerator) else { return nil }
    let slower = Ratio(guess.numerator * 1000, 1001)
    var asked: Set<String> = []
    for piece in document.pieces {
      guard case .clip(let clip) = piece.content else { continue }
      let path = clip.path(fromMovieAt: movie)
      guard asked.insert(path).inserted else { continue }
      guard asked.count <= Self.maxAsked else { break }
      guard let own = rate(of: path) else { continue }
      if own == guess || own == Ratio(guess.numerator * 2, 1) { return guess }
      if own == slower || own == Ratio(slower.numerator * 2, 1001) { return slower }
    }
    return nil
  }

  /// Nil where it cannot be found out.
  private mutating func rate(of path: String) -> Ratio? {
    guard (try? checkFile(path)) != nil, let track = try? clips.track(of: path, nil) else { return nil }
    return FrameRate.snapped(track.frameRate?.value ?? track.nominalFrameRate)
  }
}
