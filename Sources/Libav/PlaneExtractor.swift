import CFFmpeg
import Pixels

/// Takes single planes out of frames as 8-bit grey.
struct PlaneExtractor: ~Copyable {
  private var memory = AlignedBuffer()

  /// Returns the part of a plane that a request shows, valid until the next call; nil if the frame has no such plane.
  ///
  /// - Parameters:
  ///   - source: a whole frame in a format that `ComponentLayout` can read.
  ///   - field: 0 for the lines of the top field, 1 for those of the bottom one; nil for all.
  /// - Throws: `AVError` if memory runs out.
  mutating func extract(_ source: ScalerSource, request: ScaleRequest, field: Int?) throws -> ScalerSource? {
    guard let layout = ComponentLayout(request.plane, of: source.format), let start = source.planes[layout.plane]
    else { return nil }
    var size = PixelSize(
      width: layout.count(across: source.size.width), height: layout.count(down: source.size.height))
    var (bytes, stride) = (start, Int(source.strides[layout.plane]))
    if let field, size.height > field {
      bytes += field * stride
      stride *= 2
      size.height = (size.height + 1 - field) / 2
    }
    // Interpolated lines stay where they are in each plane.
    let crop = request.sourceCrop(of: size, alignment: request.fields == .bob ? 2 : 1)
    bytes += crop.y * stride + crop.x * layout.step
    if layout.depth == 8, layout.shift == 0, layout.step == 1 {
      return ScalerSource(grey: bytes + layout.offset, stride: stride, size: crop.size)
    }
    let ownStride = try memory.reserve(rowBytes: crop.width, rows: crop.height)
    let (up, down) = (max(0, 8 - layout.depth), max(0, layout.depth - 8))
    for y in 0..<crop.height {
      let to = memory.base + y * ownStride
      if layout.isPlainWord, down > 0 {
        // A simple loop, for the optimiser.
        let from = UnsafeRawPointer(bytes + y * stride + layout.offset).assumingMemoryBound(to: UInt16.self)
        let shift = UInt16(down + layout.shift)
        for x in 0..<crop.width { to[x] = UInt8(truncatingIfNeeded: from[x] &>> shift) }
        continue
      }
      layout.forEach(in: bytes + y * stride, count: crop.width) { x, value in
        to[x] = UInt8(truncatingIfNeeded: (value << up) >> down)
      }
    }
    return ScalerSource(grey: memory.base, stride: ownStride, size: crop.size)
  }
}
