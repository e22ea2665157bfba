import Playback

/// The frame rate of a list, determined by its clips.
extension MovieComposing {
  /// The maximum number of clips to examine.
  private static let maxAsked = 8

  /// Returns the rates of the clips of a list, each once, in the order of its pieces; at most eight clips are opened.
  mutating func clipRates() -> [Ratio] {
    var asked: Set<String> = []
    var rates: [Ratio] = []
    for piece in document.pieces {
      guard case .clip(let clip) = piece.content else { continue }
      let path = path(of: clip.path)
      guard asked.insert(path).inserted else { continue }
      guard asked.count <= Self.maxAsked else { break }
      if let own = rate(of: path), !rates.contains(own) { rates.append(own) }
    }
    return rates
  }

  /// The frame rate of a clip; nil if unknown, or if it is only an average of different frames.
  private mutating func rate(of path: String) -> Ratio? {
    guard (try? checkFile(path)) != nil, let track = try? clips.track(of: path, nil) else { return nil }
    let rate = FrameRate.snapped(track.frameRate?.value ?? track.nominalFrameRate)
    return rate.flatMap { [1, 1001].contains($0.denominator) ? $0 : nil }
  }
}
