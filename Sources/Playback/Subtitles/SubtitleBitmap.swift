import Libav
import Pixels

/// An image of an image subtitle, stored compressed, since films have many that are mostly empty.
public struct SubtitleBitmap: Hashable, Sendable {
  /// The left edge, in pixels of `canvas`.
  public let x: Int
  /// The top edge, in pixels of `canvas`.
  public let y: Int
  /// The size in pixels of `canvas`; at least 1×1.
  public let size: PixelSize
  /// The size of the frame that the image was made for; if unspecified, empty, which means that of the coded frames.
  public let canvas: PixelSize
  /// Colours as red, green, blue and alpha, from the lowest byte up; not premultiplied.
  private let palette: [UInt32]
  /// Run-length encoded palette indices, row by row: a byte n below 128 is followed by n + 1 literal bytes; a higher one,
  /// by a byte that is repeated 257 − n times.
  private let packed: [UInt8]

  /// Creates an image from palette indices.
  ///
  /// - Parameters:
  ///   - indices: one per pixel, row by row; indices outside the palette are transparent.
  ///   - palette: colours as red, green, blue and alpha, from the lowest byte up.
  public init(x: Int, y: Int, size: PixelSize, canvas: PixelSize, indices: [UInt8], palette: [UInt32]) {
    precondition(size.width > 0 && size.height > 0 && indices.count == size.area, "a bitmap needs width × height indices")
    (self.x, self.y, self.size, self.canvas, self.palette) = (x, y, size, canvas, palette)
    packed = Self.packed(indices)
  }

  init(_ image: SubtitleImage) {
    self.init(
      x: image.x, y: image.y, size: image.size, canvas: image.canvas, indices: image.indices, palette: image.palette)
  }

  /// Memory use in bytes.
  var byteCount: Int { packed.count + 4 * palette.count }

  /// Returns the pixels row by row, as red, green, blue and alpha, from the lowest byte up.
  public func pixels() -> [UInt32] {
    var result: [UInt32] = []
    result.reserveCapacity(size.width * size.height)
    func color(_ index: UInt8) -> UInt32 { palette.indices.contains(Int(index)) ? palette[Int(index)] : 0 }
    var at = 0
    while at < packed.count {
      let count = Int(packed[at])
      if count < 128 {
        for index in packed[at + 1...at + 1 + count] { result.append(color(index)) }
        at += count + 2
      } else {
        result.append(contentsOf: repeatElement(color(packed[at + 1]), count: 257 - count))
        at += 2
      }
    }
    return result
  }

  private static func packed(_ indices: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var at = 0, literal = 0
    func flush(_ end: Int, _ result: inout [UInt8]) {
      var start = literal
      while start < end {
        let count = min(128, end - start)
        result.append(UInt8(count - 1))
        result += indices[start..<start + count]
        start += count
      }
    }
    while at < indices.count {
      var end = at + 1
      while end < indices.count, end - at < 129, indices[end] == indices[at] { end += 1 }
      if end - at >= 3 {
        flush(at, &result)
        result += [UInt8(257 - (end - at)), indices[at]]
        literal = end
      }
      at = end
    }
    flush(indices.count, &result)
    return result
  }
}
