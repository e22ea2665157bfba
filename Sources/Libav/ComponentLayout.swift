import CFFmpeg
import Pixels

/// The position of one component's values in a frame's memory.
struct ComponentLayout {
  var plane, step, offset, shift, depth: Int
  /// Binary logarithms of the pixels that a value covers in each direction.
  var shiftAcross = 0, shiftDown = 0
  var isBigEndian: Bool

  /// Nil if frames of the format lack the component.
  ///
  /// - Parameter plane: `.picture` counts as `.luma`, which is red in formats of RGB.
  init?(_ plane: FramePlane, of format: AVPixelFormat) {
    guard let format = av_pix_fmt_desc_get(format)?.pointee else { return nil }
    let components = [format.comp.0, format.comp.1, format.comp.2, format.comp.3].prefix(Int(format.nb_components))
    let index: Int
    switch plane {
    case .picture, .luma: index = 0
    case .cb: index = 1
    case .cr: index = 2
    case .alpha:
      guard format.flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0 else { return nil }
      index = components.count - 1
    }
    if plane == .cb || plane == .cr {
      guard components.count >= 3 else { return nil }
      (shiftAcross, shiftDown) = (Int(format.log2_chroma_w), Int(format.log2_chroma_h))
    }
    guard components.indices.contains(index) else { return nil }
    let found = components[index]
    (self.plane, step, offset) = (Int(found.plane), Int(found.step), Int(found.offset))
    (shift, depth) = (Int(found.shift), Int(found.depth))
    isBigEndian = format.flags & UInt64(AV_PIX_FMT_FLAG_BE) != 0
  }

  /// Returns true if values of the plane can be read without converting frames of the format.
  static func isReadable(_ format: AVPixelFormat, _ plane: FramePlane) -> Bool {
    guard let descriptor = av_pix_fmt_desc_get(format)?.pointee else { return false }
    let others = AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_FLOAT | AV_PIX_FMT_FLAG_HWACCEL
    return descriptor.flags & UInt64(others) == 0 && (plane == .alpha || descriptor.flags & UInt64(AV_PIX_FMT_FLAG_RGB) == 0)
  }

  /// True if values are found in a byte rather than in a word of two.
  var isNarrow: Bool { depth + shift <= 8 }

  /// True if values are words of two bytes in a row, in native byte order.
  var isPlainWord: Bool { !isNarrow && !isBigEndian && step == 2 && offset == 0 }

  /// Returns the number of values in a row or column of so many pixels.
  func count(across pixels: Int) -> Int { (pixels + (1 << shiftAcross) - 1) >> shiftAcross }
  func count(down pixels: Int) -> Int { (pixels + (1 << shiftDown) - 1) >> shiftDown }

  /// Calls `body` with each value of a row.
  @inline(__always)
  func forEach(in row: UnsafePointer<UInt8>, count: Int, _ body: (_ x: Int, _ value: Int) -> Void) {
    let mask = (1 << depth) - 1
    let row = UnsafeRawPointer(row + offset)
    if isNarrow {
      for x in 0..<count { body(x, Int(row.load(fromByteOffset: x &* step, as: UInt8.self)) >> shift & mask) }
    } else if isBigEndian {
      for x in 0..<count {
        body(x, Int(UInt16(bigEndian: row.loadUnaligned(fromByteOffset: x &* step, as: UInt16.self))) >> shift & mask)
      }
    } else {
      for x in 0..<count { body(x, Int(row.loadUnaligned(fromByteOffset: x &* step, as: UInt16.self)) >> shift & mask) }
    }
  }
}
