/// The next piece of work for a player's lane, and the decision that it belongs to.
struct LaneWork {
  enum Kind {
    case nothing
    case move(SourceMove)
    case decode(DiscardLevel)
    /// Decode towards a target, skipping non-reference frames if the pool is overloaded.
    case decodeOnTheWay
    /// Render a frame that was decoded before.
    case render(Rendering)
  }

  var kind: Kind
  var ticket: Ticket

  /// A frame to render.
  struct Rendering {
    enum Role: Equatable {
      /// For the target of the search.
      case target
      /// For the next frame of the queue.
      case queue
      /// For the cache.
      case cache
      /// For a preview on the way to a target, and for the cache.
      case preview
      /// For the displayed frame, in other sizes.
      case display
    }

    var frame: any SourceFrame
    var role: Role
    var ticket: Ticket
  }

  /// The consequence of a result.
  enum Next {
    case none
    case render(Rendering)
    /// Nothing can be rendered, now or later.
    case fail(PlaybackError)
  }
}
