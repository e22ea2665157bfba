/// The orientation of a decoded frame for display: first mirrored left to right, then rotated clockwise.
public struct Orientation: Hashable, Sendable {
  /// Clockwise quarter turns, 0…3.
  public var quarterTurns: Int
  /// True if the frame is mirrored left to right before it is rotated.
  public var isMirrored: Bool

  /// Creates an orientation.
  ///
  /// - Parameter quarterTurns: clockwise quarter turns; any number, reduced modulo 4.
  public init(quarterTurns: Int = 0, isMirrored: Bool = false) {
    self.quarterTurns = ((quarterTurns % 4) + 4) % 4
    self.isMirrored = isMirrored
  }

  /// No mirroring and no rotation.
  public static let upright = Orientation()

  /// True if width and height are swapped.
  public var swapsSides: Bool { quarterTurns % 2 == 1 }

  /// Returns where displayed pixel (x, y), inside the frame, lies in the decoded frame, given the frame's displayed size.
  public func sourcePixel(x: Int, y: Int, displayed: PixelSize) -> (x: Int, y: Int) {
    let w = displayed.width, h = displayed.height
    func mirrored(_ place: Int, in length: Int) -> Int { length.saturatingSubtract(1).saturatingSubtract(place) }
    // The width of the unturned frame is needed to undo the mirroring.
    let (sx, sy, sourceWidth): (Int, Int, Int) =
      switch quarterTurns {
      case 1: (y, mirrored(x, in: w), h)
      case 2: (mirrored(x, in: w), mirrored(y, in: h), w)
      case 3: (mirrored(y, in: h), x, h)
      default: (x, y, w)
      }
    return (isMirrored ? mirrored(sx, in: sourceWidth) : sx, sy)
  }

  /// Returns the part of the decoded frame that a region of the displayed frame shows.
  package func sourceRegion(of region: FrameRegion) -> FrameRegion {
    var (x, y, width, height) = (region.x, region.y, region.width, region.height)
    switch quarterTurns {
    case 1: (x, y, width, height) = (y, 1 - x - width, height, width)
    case 2: (x, y) = (1 - x - width, 1 - y - height)
    case 3: (x, y, width, height) = (1 - y - height, x, height, width)
    default: break
    }
    return FrameRegion(x: isMirrored ? 1 - x - width : x, y: y, width: width, height: height)
  }

  /// Returns the orientation in which a frame is to be turned so that it shows the same as in this one if it is displayed in
  /// another.
  package func relative(to other: Orientation) -> Orientation {
    let turns = quarterTurns - other.quarterTurns
    return Orientation(quarterTurns: other.isMirrored ? -turns : turns, isMirrored: isMirrored != other.isMirrored)
  }
}
