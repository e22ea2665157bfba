/// Pixels as they were drawn last, at their places on a grid: what holds an image still where only its grain moves.
///
/// Where there are few colours, a pixel that moves by a step may get another one, which is many steps away: grain that is hardly
/// seen in 24 bits becomes a flicker. So a pixel that is near to the one that was drawn in its place is drawn as that. What is
/// compared is what was drawn, not what came last: nothing drifts.
///
/// Not to be used from two threads at a time.
public struct PixelMemory: Sendable {
  /// 0x00RRGGBB each, or `unknown`.
  private var pixels: [UInt32]
  private let width: Int

  private static let unknown: UInt32 = .max

  /// How far a pixel may be from what it is drawn as: squared differences, summed over red, green and blue. It is 38 dB, which is
  /// nearer than what few colours are to what is meant.
  static let tolerance: Int32 = 32

  /// - Parameters:
  ///   - columns, rows: of the grid.
  ///   - blitter: what draws.
  public init(columns: Int, rows: Int, blitter: Blitter) {
    width = columns * blitter.blockWidth
    pixels = Array(repeating: Self.unknown, count: max(0, width * rows * blitter.blockHeight))
  }

  /// Draws a run of pixels of one row as they were drawn before, where they are near, and remembers the others.
  ///
  /// - Parameter holds: whether any is; else all are remembered as they are.
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
