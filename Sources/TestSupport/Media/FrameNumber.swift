import Pixels

/// A frame's number, written into it as a row of black and white squares.
///
/// The squares take the top eighth of the frame, 16 across its width: white, black, twelve bits of the
/// number with the highest first, a square that makes the number of white ones even, and white. They survive
/// scaling, lossy codecs and a change of colour range, so a test can tell which frame it sees.
public enum FrameNumber {
  public static let limit = 4096
  private static let squares = 16
  private static let bits = 12

  /// Filters for ffmpeg that write the number of each frame that passes, counted from 0.
  public static let filter: String = {
    func box(_ square: Int, _ width: Int, _ color: String, _ condition: String? = nil) -> String {
      let enable = condition.map { ":enable='\($0)'" } ?? ""
      return "drawbox=x=iw*\(square)/16:y=0:w=iw*\(width)/16:h=ih/8:color=\(color):t=fill\(enable)"
    }
    let values = (0..<bits).map { "floor(n/\(1 << (bits - 1 - $0)))" }
    let shown = values.enumerated().map { box(2 + $0.offset, 1, "white", "mod(\($0.element),2)") }
    let parity = box(14, 1, "white", "mod(\(values.joined(separator: "+")),2)")
    return ([box(0, squares, "black"), box(0, 1, "white"), box(15, 1, "white")] + shown + [parity])
      .joined(separator: ",")
  }()

  /// Reads the number from an image of any size at least 16 wide and 8 high that shows the whole frame.
  public static func read(_ image: PixelImage) -> Int? {
    read(width: image.width, height: image.height) { image[$0, $1] }
  }

  /// Reads the number from the pixels of a whole frame; nil when no number can be told for sure.
  public static func read(
    width: Int, height: Int, pixel: (_ x: Int, _ y: Int) -> (red: UInt8, green: UInt8, blue: UInt8)
  ) -> Int? {
    guard width >= squares, height >= 8 else { return nil }
    func luma(_ square: Int) -> Double {
      // The middle half of the square: its edges are blurred.
      func middle(_ from: Double, _ length: Double) -> ClosedRange<Int> {
        let first = Int((from + length / 4).rounded(.up))
        let last = Int((from + length * 3 / 4).rounded(.down)) - 1
        return first <= last ? first...last : Int(from + length / 2)...Int(from + length / 2)
      }
      let side = Double(width) / Double(squares)
      var sum = 0.0
      var count = 0.0
      for y in middle(0, Double(height) / 8) {
        for x in middle(Double(square) * side, side) {
          let (red, green, blue) = pixel(x, y)
          sum += 0.2126 * Double(red) + 0.7152 * Double(green) + 0.0722 * Double(blue)
          count += 1
        }
      }
      return sum / count
    }
    let white = min(luma(0), luma(15))
    let black = luma(1)
    guard white - black > 60 else { return nil }
    var number = 0
    var ones = 0
    for square in 2..<(2 + bits + 1) {
      let level = (luma(square) - black) / (white - black)
      guard level < 0.35 || level > 0.65 else { return nil }
      let bit = level > 0.5 ? 1 : 0
      ones += bit
      if square < 2 + bits { number = number << 1 | bit }
    }
    return ones.isMultiple(of: 2) ? number : nil
  }
}
