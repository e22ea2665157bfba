import Playback

/// A transition between two pieces, which overlap for its duration.
public struct MovieTransition: Hashable, Sendable {
  /// The kinds of transitions.
  public enum Kind: Hashable, Sendable {
    /// The later piece appears through the earlier one.
    case dissolve
    /// The earlier piece fades into a colour, and the later one out of it.
    case fade(through: MovieColor)
    /// An edge moves over the frame and uncovers the later piece. `angle` is the direction of movement in degrees: 0 is right,
    /// 90 is down. `softness` is the edge's width as a fraction of its path, 0 to 1.
    case wipe(angle: Double, softness: Double)
    /// The later piece pushes the earlier one out of the frame. `angle` is the direction, as for a wipe.
    case push(angle: Double)
  }

  /// The kind.
  public var kind: Kind
  /// The duration of the overlap; above 0.
  public var length: MediaTime
  /// The position of the cut in other programs' files, since the start of the overlap; from 0 to the duration.
  public var cut: MediaTime
  /// Data from another program's file, kept for writing back.
  var foreign: JSONValue?

  /// Creates a transition from its properties.
  public init(_ kind: Kind, length: MediaTime, cut: MediaTime = .zero) {
    self.kind = kind
    self.length = length
    self.cut = cut
  }
}
