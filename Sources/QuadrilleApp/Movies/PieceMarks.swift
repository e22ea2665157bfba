import Playback
import Terminal

/// The in and out points of a piece: a value without a player.
struct PieceMarks: Equatable, Sendable {
  enum End: Equatable, Sendable {
    /// The in point: the piece's first frame.
    case start
    /// The out point: the piece's last frame.
    case end
  }

  /// The result of marking a frame.
  enum Outcome: Equatable, Sendable {
    case set
    /// The other mark was on the wrong side and has been cleared.
    case clearedOther
    /// The frame was already marked, so its mark has been cleared.
    case taken
  }

  /// The piece's first frame; nil for the clip's first.
  private(set) var first: FrameTiming?
  /// The piece's last frame; nil for the clip's last.
  private(set) var last: FrameTiming?

  /// Start time of the piece; nil for the start of the clip.
  var start: MediaTime? { first?.pts }
  /// End time of the piece, after its last frame; nil for the end of the clip.
  var end: MediaTime? { last?.end }
  var isEmpty: Bool { first == nil && last == nil }

  /// Marks a frame, or clears the mark if it is on that frame.
  mutating func mark(_ end: End, _ frame: FrameTiming) -> Outcome {
    let former = end == .start ? first : last
    let isMarked = former?.pts == frame.pts
    switch end {
    case .start: first = isMarked ? nil : frame
    case .end: last = isMarked ? nil : frame
    }
    if isMarked { return .taken }
    guard let first, let last, first.pts > last.pts else { return .set }
    if end == .start { self.last = nil } else { self.first = nil }
    return .clearedOther
  }

  /// Updates the end of the last frame when its exact duration becomes known.
  mutating func refine(_ timing: (MediaTime) -> FrameTiming?) {
    guard let known = last, !known.endIsExact, let found = timing(known.pts), found.pts == known.pts else { return }
    last = found
  }

  /// A description of the marks and the length of the piece.
  ///
  /// - Parameter clip: Length of the clip; indefinite if unknown.
  func words(clip: MediaTime) -> TerminalText {
    let length = (end ?? clip) - (start ?? .zero)
    let long: TerminalText = length.isNumeric && length > .zero ? ", \(length.placeText) long" : ""
    switch (first?.clockText(), end?.placeText) {
    case (nil, nil): return "no in or out point: the piece is the whole clip"
    case (let start?, nil): return "in \(start), to the end of the clip\(long)"
    case (nil, let end?): return "out \(end), from the start of the clip\(long)"
    case (let start?, let end?): return "in \(start), out \(end)\(long)"
    }
  }
}
