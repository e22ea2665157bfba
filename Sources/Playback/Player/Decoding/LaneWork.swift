/// The next piece of work for a player's lane, and the decision that it belongs to.
struct LaneWork {
  enum Kind {
    case nothing
    case move(SourceMove)
    case decode(DiscardLevel)
    /// On the way to a target, without what nothing is built on where the pool is crowded.
    case decodeOnTheWay
    /// Makes images of a frame that was decoded before.
    case render(Rendering)
  }

  var kind: Kind
  var ticket: Ticket

  /// A frame that images are to be made of.
  struct Rendering {
    enum Role: Equatable {
      /// The target of the approach.
      case target
      /// The next of the queue.
      case queue
      /// For the cache.
      case cache
      /// To be shown on the way to another, and for the cache.
      case preview
      /// The displayed one, for other sizes.
      case display
    }

    var frame: any SourceFrame
    var role: Role
    var ticket: Ticket
  }

  /// What follows from a result.
  enum Next {
    case none
    case render(Rendering)
    /// There is nothing to render and never will be.
    case fail(PlaybackError)
  }
}
