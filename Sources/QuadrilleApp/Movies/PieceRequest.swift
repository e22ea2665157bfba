import Terminal

/// What is to be done about the piece of a pane's clip, as soon as what it is about is there.
struct PieceRequest {
  enum Action: Equatable {
    /// Marks the frame on display.
    case mark(PieceMarks.End)
    /// Adds the piece to the movie.
    case add
  }

  /// Whether it can be done.
  enum Readiness: Equatable {
    case ready
    /// The clip, or the frame that was gone to, is on its way.
    case waits
    /// Why it never can.
    case never(TerminalText)
  }

  /// Requests that may wait; a key that is held down makes no more.
  static let most = 16

  let pane: Pane
  let action: Action
}
