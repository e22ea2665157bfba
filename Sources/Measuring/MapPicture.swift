import Alignment
import Pixels

/// A picture of an alignment: candidate frames from left to right, reference frames from bottom to top.
public enum MapPicture {
  /// The longest side in pixels.
  private static let longestSide = 1000
  private static let margin = 8
  private static let ground: (UInt8, UInt8, UInt8) = (18, 20, 26)
  private static let field: (UInt8, UInt8, UInt8) = (32, 36, 46)
  private static let sure: (UInt8, UInt8, UInt8) = (122, 199, 122)
  private static let unsure: (UInt8, UInt8, UInt8) = (228, 170, 70)
  private static let lost: (UInt8, UInt8, UInt8) = (214, 88, 88)

  /// Draws a map: matched frames green, those that are not sure amber; frames without a partner red on the edges.
  public static func image(_ map: AlignmentMap) -> PixelImage {
    let columns = max(1, map.frames.count), rows = max(1, map.referenceCount)
    let scale = min(1, Double(longestSide) / Double(max(columns, rows)))
    // Short clips are drawn larger.
    let zoom = max(1, min(4, 400 / max(columns, rows)))
    let width = max(1, Int((Double(columns) * scale).rounded(.up))) * zoom
    let height = max(1, Int((Double(rows) * scale).rounded(.up))) * zoom
    let size = PixelSize(width: width + 2 * margin, height: height + 2 * margin)
    return PixelImage(size: size) { out in
      func put(_ x: Int, _ y: Int, _ color: (UInt8, UInt8, UInt8)) {
        guard x >= 0, y >= 0, x < size.width, y < size.height else { return }
        let at = 3 * (y * size.width + x)
        (out[at], out[at + 1], out[at + 2]) = color
      }
      func fill(_ rect: (x: Int, y: Int, width: Int, height: Int), _ color: (UInt8, UInt8, UInt8)) {
        for y in rect.y..<rect.y + rect.height { for x in rect.x..<rect.x + rect.width { put(x, y, color) } }
      }
      fill((0, 0, size.width, size.height), ground)
      fill((margin, margin, width, height), field)
      func column(_ frame: Int) -> Int { margin + Int(Double(frame) * scale) * zoom }
      func row(_ frame: Int) -> Int { margin + height - zoom - Int(Double(frame) * scale) * zoom }
      for (candidate, frame) in map.frames.enumerated() {
        let x = column(candidate)
        guard let reference = frame.reference else {
          fill((x, size.height - margin + 2, zoom, margin - 3), lost)
          continue
        }
        fill((x, row(reference), zoom, zoom), frame.isSure ? sure : unsure)
      }
      for (reference, candidates) in map.candidatesByReference().enumerated() where candidates.isEmpty {
        fill((1, row(reference), margin - 3, zoom), lost)
      }
    }
  }
}
