import Playback

/// The way from one piece into the next, which overlap by its length.
public struct MovieTransition: Hashable, Sendable {
  /// What happens on the way.
  public enum Kind: Hashable, Sendable {
    /// The later piece appears through the former one.
    case dissolve
    /// The former piece goes into a colour, the later one comes out of it.
    case fade(through: MovieColor)
    /// An edge moves over the frame and uncovers the later piece. `angle` says where it moves to, in degrees: 0 to the right, 90
    /// down. `softness` is the edge's width as a part of its way, 0 to 1.
    case wipe(angle: Double, softness: Double)
    /// The later piece pushes the former one out of the frame. `angle` says where to, as in a wipe.
    case push(angle: Double)
  }

  /// What happens.
  public var kind: Kind
  /// How long the two pieces overlap; above 0.
  public var length: MediaTime
  /// How long after the overlap's beginning lies the cut that other programs' files tell of; from 0 to the length.
  public var cut: MediaTime
  /// What another program's file said of it; it is written back.
  var foreign: JSONValue?

  /// A transition as its properties say.
  public init(_ kind: Kind, length: MediaTime, cut: MediaTime = .zero) {
    self.kind = kind
    self.length = length
    self.cut = cut
  }
}
