/// The pixels drawn last at each position of a grid, used to steady an image in which only grain moves.
///
/// With few colours, a pixel that changes by one step may map to a colour many steps away, so grain that is hardly visible
/// in 24 bits becomes flicker. A pixel close to the one last drawn in its place is therefore drawn as that one. Pixels are
/// compared with what was drawn, not with the previous frame, so nothing drifts.
///
/// Not thread-safe.
public struct PixelMemory: Sendable {
  /// Pixels as 0x00RRGGBB, or `unknown`.
  private var pixels: [UInt32]
  private let width: Int

  private static let unknown: UInt32 = .max

  /// The maximum distance of a pixel from the one drawn for it: squared differences, summed over red, green and blue. It is
  /// 38 dB, which is closer than few colours come to the target.
  /// nearer than what few colours are to what is meant.
  static let tolerance: Int32 = 32

  /// - Parameters:
  ///   - columns, rows: the grid's size.
  ///   - blitter: the blitter that draws.
  public init(columns: Int, rows: Int, blitter: Blitter) {
    width = columns * blitter.blockWidth
    pixels = Array(repeating: Self.unknown, count: max(0, width * rows * blitter.blockHeight))
  }

  /// Replaces the pixels of a run with the ones drawn before, if they are close, and remembers the others.
  ///
  /// - Parameter holds: whether to replace any; if false, all are remembered as they are.
  mutating func apply(to run: UnsafeMutablePointer<UInt32>, count: Int, x: Int, y: Int, holds: Bool) {
    let start = y * width + x
    guard x >= 0, count > 0, x + count <= width, start >= 0, start + count <= pixels.count else { return }
    pixels.withUnsafeMutableBufferPointer { pixels in
      for n in 0..<count {
        let (new, old) = (run[n], pixels[start + n])
        if holds, old != Self.unknown, ColorDistance.squares(new, old) <= Self.tolerance {
          run[n] = old
        } else {
          pixels[start + n] = new
        }
      }
    }
  }
}
