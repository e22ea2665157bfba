import Playback

/// The frame rate of a list, determined by its clips.
extension MovieComposing {
  /// The maximum number of clips to examine.
  private static let maxAsked = 8
  /// Rates that have an NTSC variant: slower by a factor of 1000/1001, with the same frame numbers.
  private static let doubtful: Set<Int32> = [24, 30, 60]

  /// Returns the whole rate or its NTSC variant, whichever the first clip has that has either, or twice either.
  ///
  /// - Returns: nil if no clip decides.
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

  /// The frame rate of a clip; nil if unknown.
  private mutating func rate(of path: String) -> Ratio? {
    guard (try? checkFile(path)) != nil, let track = try? clips.track(of: path, nil) else { return nil }
    return FrameRate.snapped(track.frameRate?.value ?? track.nominalFrameRate)
  }
}
