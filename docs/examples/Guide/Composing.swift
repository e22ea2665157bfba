import Playback

/// Makes a movie of two clips: seconds 1 to 3 of the first, then the first two seconds of the second, at half speed.
public func compose(_ first: Asset, _ second: Asset) throws -> Composition {
  // guide: composing
  func seconds(_ value: Int64) -> MediaTime { MediaTime(value: value, timescale: 1) }

  var movie = Composition()
  try movie.append(TimeRange(start: seconds(1), end: seconds(3)), of: first)
  // It begins a second before the former ends, in a track above it, and comes slowly into sight.
  let begin = movie.duration - seconds(1)
  try movie.insert(TimeRange(start: .zero, end: seconds(2)), of: second, at: begin, track: 1)
  movie.scale(TimeRange(start: begin, duration: seconds(2)), to: seconds(4), track: 1)
  movie.videoComposition.instructions = [
    VideoCompositionInstruction(
      timeRange: TimeRange(start: begin, duration: seconds(1)), transition: .crossDissolve, from: 0, to: 1)
  ]
  // end
  return movie
}
