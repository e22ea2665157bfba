import Terminal

/// An action on the piece of a pane's clip, performed when the clip and frame are ready.
struct PieceRequest {
  enum Action: Equatable {
    /// Marks the displayed frame.
    case mark(PieceMarks.End)
    /// Adds the piece to the movie.
    case add
  }

  /// The readiness of the pane for the action.
  enum Readiness: Equatable {
    case ready
    /// The clip or the frame sought is not there yet.
    case waits
    /// The reason it is impossible.
    case never(TerminalText)
  }

  /// Maximum number of pending requests; a held key adds no more.
  static let most = 16

  let pane: Pane
  let action: Action
}
