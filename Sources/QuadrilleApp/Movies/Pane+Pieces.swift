import Movies
import Playback
import Terminal

/// Taking pieces of the clip that a pane plays.
extension Pane {
  /// Returns whether an action on the pane's piece is possible now.
  func readiness(for action: PieceRequest.Action) -> PieceRequest.Readiness {
    if error != nil { return .never("\(title) cannot be played") }
    if clips.story != nil { return .never("cannot take a piece of a storyboard") }
    if asset.isComposition { return .never("cannot take a piece of a movie") }
    guard clip.facts != nil else { return .waits }
    if videoTrack == nil { return .never("cannot take a piece: this clip has no video") }
    if path == "-" { return .never("cannot take a piece of the standard input: a movie needs files") }
    if !canBeReadAgain { return .never("cannot take a piece: this clip can be read only once") }
    return action == .add || showsFrameGoneTo ? .ready : .waits
  }

  /// True if the displayed frame is the one last sought, not one shown in the meantime.
  private var showsFrameGoneTo: Bool {
    guard showsClip, let frame = display.frame, !frame.isApproximate, !player.isSeeking else { return false }
    // The screen may not have the frame yet. During playback, the displayed frame is the intended one.
    return player.rate != 0 || player.displayedTiming?.pts == frame.timing.pts
  }

  /// Marks the displayed frame, which must exist, as the first or last of the piece. Returns a message.
  func mark(_ end: PieceMarks.End) -> TerminalText? {
    guard var timing = displayedTiming else { return nil }
    // The frame index has the exact end of the frame.
    if !timing.endIsExact, let known = player.timing(at: timing.pts), known.pts == timing.pts { timing = known }
    let outcome = session.marks.mark(end, timing)
    let words = session.marks.words(clip: length)
    return switch outcome {
    case .set: words
    case .clearedOther:
      end == .start
        ? "\(words); the out point was before it and has been cleared"
        : "\(words); the in point was after it and has been cleared"
    case .taken: "\(end == .start ? "in" : "out") point cleared: \(words)"
    }
  }

  /// The piece between the marks; the whole clip if there are none.
  func markedPiece() -> MoviePiece {
    session.marks.refine(player.timing(at:))
    let marks = session.marks
    let end = marks.end.map { MovieClip.End.position(player.position(at: $0)) } ?? .clipEnd
    let stretch = MovieClip(
      path: path, start: marks.start.map { player.position(at: $0) }, motion: .plays(speed: Ratio(1, 1), until: end))
    return MoviePiece(.clip(stretch), videoTrack: chosenTrackNumber)
  }

  /// The number of a video track that the user chose, counted from 1; nil for the preferred track.
  private var chosenTrackNumber: Int? {
    guard let facts = clip.facts, let videoTrack, videoTrack != facts.preferredVideoTrack else { return nil }
    return facts.videoTracks.firstIndex(of: videoTrack).map { $0 + 1 }
  }
}
