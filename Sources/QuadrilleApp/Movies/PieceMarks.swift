import Playback
import Terminal

/// The frames of a clip at which a piece of it begins and ends: a value without a player.
struct PieceMarks: Equatable, Sendable {
  enum End: Equatable, Sendable {
    /// The piece begins with a frame.
    case start
    /// A frame is the piece's last one.
    case end
  }

  /// What came of marking a frame.
  enum Outcome: Equatable, Sendable {
    case set
    /// The other mark lay on the wrong side, and is gone.
    case clearedOther
    /// The frame was marked already, and is not any more.
    case taken
  }

  /// The piece's first frame; nil where it begins with the clip.
  private(set) var first: FrameTiming?
  /// The piece's last frame; nil where it ends with the clip.
  private(set) var last: FrameTiming?

  /// Where the piece begins; nil is with the clip.
  var start: MediaTime? { first?.pts }
  /// Where the piece ends, behind its last frame; nil is with the clip.
  var end: MediaTime? { last?.end }
  var isEmpty: Bool { first == nil && last == nil }

  /// Marks a frame, or takes the mark away that is on it.
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

  /// Takes in what has been found out since about how long the last frame is shown.
  mutating func refine(_ timing: (MediaTime) -> FrameTiming?) {
    guard let known = last, !known.endIsExact, let found = timing(known.pts), found.pts == known.pts else { return }
    last = found
  }

  /// The marks and how long the piece is, in words.
  ///
  /// - Parameter clip: how long the clip is; indefinite where that is not known.
  func words(clip: MediaTime) -> TerminalText {
    let length = (end ?? clip) - (start ?? .zero)
    let long: TerminalText = length.isNumeric && length > .zero ? ", \(length.clockText(fractionDigits: 3)) long" : ""
    switch (first?.clockText(), end?.clockText(fractionDigits: 3)) {
    case (nil, nil): return "no in or out point: the piece is the whole clip"
    case (let start?, nil): return "in \(start), to the end of the clip\(long)"
    case (nil, let end?): return "out \(end), from the start of the clip\(long)"
    case (let start?, let end?): return "in \(start), out \(end)\(long)"
    }
  }
}
