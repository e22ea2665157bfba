import Movies
import Playback
import Terminal

/// Pieces that are taken of what a pane plays.
extension Pane {
  /// Whether something can be done about its piece now.
  func readiness(for action: PieceRequest.Action) -> PieceRequest.Readiness {
    if error != nil { return .never("\(title) cannot be played") }
    if clips.story != nil { return .never("cannot take a piece of a storyboard") }
    if asset.isComposition { return .never("cannot take a piece of a movie") }
    guard clip.facts != nil else { return .waits }
    if videoTrack == nil { return .never("cannot take a piece: this clip has no video") }
    if !canBeReadAgain { return .never("cannot take a piece: this clip can be read only once") }
    return action == .add || showsFrameGoneTo ? .ready : .waits
  }

  /// Whether the frame on display is not one that is only seen until the one comes that was gone to.
  private var showsFrameGoneTo: Bool {
    guard showsClip, let frame = display.frame, !frame.isApproximate, !player.isSeeking else { return false }
    // The screen may not have taken it yet. While it plays, what is seen is what is meant.
    return player.rate != 0 || player.displayedTiming?.pts == frame.timing.pts
  }

  /// Marks the frame on display, which is there, as the piece's first or last. Returns what there is to say.
  func mark(_ end: PieceMarks.End) -> TerminalText? {
    guard var timing = displayedTiming else { return nil }
    // The index knows how long it is shown.
    if !timing.endIsExact, let known = player.timing(at: timing.pts), known.pts == timing.pts { timing = known }
    let outcome = session.marks.mark(end, timing)
    let words = session.marks.words(clip: length)
    return switch outcome {
    case .set: words
    case .clearedOther: "\(words) (\(end == .start ? "out" : "in") point cleared: wrong side)"
    case .taken: "\(end == .start ? "in" : "out") point cleared: \(words)"
    }
  }

  /// The piece between the marks; the whole clip where nothing is marked.
  func markedPiece() -> MoviePiece {
    session.marks.refine(player.timing(at:))
    let marks = session.marks
    let end = marks.end.map { MovieClip.End.position(.time($0)) } ?? .clipEnd
    let stretch = MovieClip(
      path: path, start: marks.start.map { .time($0) }, motion: .plays(speed: Ratio(1, 1), until: end))
    return MoviePiece(.clip(stretch), videoTrack: chosenTrackNumber)
  }

  /// The number among the clip's video tracks of one that somebody has chosen, from 1.
  private var chosenTrackNumber: Int? {
    guard let facts = clip.facts, let videoTrack, videoTrack != facts.preferredVideoTrack else { return nil }
    return facts.videoTracks.firstIndex(of: videoTrack).map { $0 + 1 }
  }
}
