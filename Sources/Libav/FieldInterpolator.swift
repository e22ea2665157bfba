import CFFmpeg
import Pixels

/// Replaces the lines of one field by lines interpolated between those of the other ("bob").
struct FieldInterpolator: ~Copyable {
  private var memory = AlignedBuffer()

  /// Returns a copy of a frame with both fields in it, in which only one field is left; valid until the next call.
  ///
  /// Lines are the means of those above and below, or copies of the one above in formats whose samples are not whole bytes or
  /// words.
  ///
  /// - Parameter parity: 0 to keep the top field, 1 for the bottom one.
  /// - Throws: `AVError` if memory runs out.
  mutating func interpolate(_ source: ScalerSource, keeping parity: Int) throws -> ScalerSource {
    guard let descriptor = av_pix_fmt_desc_get(source.format)?.pointee else { return source }
    let width = Int32(source.size.width)
    func bytes(_ plane: Int) -> Int { max(0, Int(av_image_get_linesize(source.format, width, Int32(plane)))) }
    let planes = (0..<4).filter { source.hasPixels($0, descriptor) && bytes($0) > 0 }
    func rows(_ plane: Int) -> Int {
      let shift = plane == 1 || plane == 2 ? Int(descriptor.log2_chroma_h) : 0
      return (source.size.height + (1 << shift) - 1) >> shift
    }
    let stride = try memory.reserve(rowBytes: planes.map(bytes).max() ?? 0, rows: planes.map(rows).reduce(0, +))
    let sampleBytes = Self.sampleBytes(descriptor)
    var result = source
    var to = memory.base
    for plane in planes {
      guard let from = source.planes[plane] else { continue }
      let (count, height, fromStride) = (bytes(plane), rows(plane), Int(source.strides[plane]))
      result.planes[plane] = UnsafePointer(to)
      result.strides[plane] = Int32(stride)
      for row in 0..<height {
        let isKept = row % 2 == parity || height == 1
        let above = from + (isKept ? row : row > 0 ? row - 1 : row + 1) * fromStride
        let below = from + (isKept ? row : row + 1 < height ? row + 1 : row - 1) * fromStride
        if isKept || sampleBytes == 0 {
          to.update(from: above, count: count)
        } else if sampleBytes == 1 {
          for i in 0..<count { to[i] = UInt8((UInt16(above[i]) + UInt16(below[i]) + 1) / 2) }
        } else {
          let (a, b) = (UnsafeRawPointer(above), UnsafeRawPointer(below))
          for i in Swift.stride(from: 0, to: count - 1, by: 2) {
            let sum = UInt32(a.loadUnaligned(fromByteOffset: i, as: UInt16.self))
              + UInt32(b.loadUnaligned(fromByteOffset: i, as: UInt16.self))
            UnsafeMutableRawPointer(to).storeBytes(of: UInt16((sum + 1) / 2), toByteOffset: i, as: UInt16.self)
          }
        }
        to += stride
      }
    }
    return result
  }

  /// Returns 1 or 2 if all samples are whole bytes or native words; else 0.
  private static func sampleBytes(_ format: AVPixFmtDescriptor) -> Int {
    let others = AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_BE | AV_PIX_FMT_FLAG_FLOAT
    guard format.flags & UInt64(others) == 0 else { return 0 }
    let components = [format.comp.0, format.comp.1, format.comp.2, format.comp.3].prefix(Int(format.nb_components))
    if components.allSatisfy({ $0.depth == 8 && $0.shift == 0 }) { return 1 }
    return components.allSatisfy { $0.depth > 8 && $0.depth + $0.shift <= 16 && $0.step % 2 == 0 && $0.offset % 2 == 0 } ? 2 : 0
  }
}
