import Libav
import Pixels

/// A part of an image subtitle, kept packed: subtitles of a film are many, and mostly empty.
public struct SubtitleBitmap: Hashable, Sendable {
  /// The left upper corner in pixels of `canvas`.
  public let x: Int
  /// Likewise.
  public let y: Int
  /// In pixels of `canvas`; at least 1×1.
  public let size: PixelSize
  /// The size of the frame that it was made for; empty where that is not told: then it is that of the coded frames.
  public let canvas: PixelSize
  /// Red, green, blue and alpha, in this order from the lowest byte on; colours are not multiplied with alpha.
  private let palette: [UInt32]
  /// Indexes into `palette`, row by row: a byte below 128 is followed by one more than so many, one above by one that is
  /// repeated 257 less so many times.
  private let packed: [UInt8]

  /// A bitmap of a palette's colours.
  ///
  /// - Parameters:
  ///   - indices: for each pixel, row by row, as many as `size` has; what the palette lacks is transparent.
  ///   - palette: red, green, blue and alpha, in this order from the lowest byte on.
  public init(x: Int, y: Int, size: PixelSize, canvas: PixelSize, indices: [UInt8], palette: [UInt32]) {
    precondition(size.width > 0 && size.height > 0 && indices.count == size.width * size.height, "a bitmap needs width × height indices")
    (self.x, self.y, self.size, self.canvas, self.palette) = (x, y, size, canvas, palette)
    packed = Self.packed(indices)
  }

  init(_ image: SubtitleImage) {
    self.init(
      x: image.x, y: image.y, size: image.size, canvas: image.canvas, indices: image.indices, palette: image.palette)
  }

  /// Bytes of memory that it takes.
  var byteCount: Int { packed.count + 4 * palette.count }

  /// Its pixels, row by row: red, green, blue and alpha, in this order from the lowest byte on.
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
