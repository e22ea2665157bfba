/// How a decoded frame is to be turned for display: first mirrored left to right, then rotated clockwise.
public struct Orientation: Hashable, Sendable {
  /// Quarter turns clockwise, 0…3.
  public var quarterTurns: Int
  /// Whether left and right change places, before the turns.
  public var isMirrored: Bool

  /// An orientation.
  ///
  /// - Parameter quarterTurns: clockwise; any number, of which whole turns are taken off.
  public init(quarterTurns: Int = 0, isMirrored: Bool = false) {
    self.quarterTurns = ((quarterTurns % 4) + 4) % 4
    self.isMirrored = isMirrored
  }

  /// Neither mirrored nor turned.
  public static let upright = Orientation()

  /// Whether width and height change places.
  public var swapsSides: Bool { quarterTurns % 2 == 1 }

  /// Where the displayed pixel (x, y) of a frame of `displayed` size comes from before turning.
  public func sourcePixel(x: Int, y: Int, displayed: PixelSize) -> (x: Int, y: Int) {
    let w = displayed.width, h = displayed.height
    // The width of the unturned frame is needed to undo the mirroring.
    let (sx, sy, sourceWidth): (Int, Int, Int) =
      switch quarterTurns {
      case 1: (y, w - 1 - x, h)
      case 2: (w - 1 - x, h - 1 - y, w)
      case 3: (h - 1 - y, x, h)
      default: (x, y, w)
      }
    return (isMirrored ? sourceWidth - 1 - sx : sx, sy)
  }
}
