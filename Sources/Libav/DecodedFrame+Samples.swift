import CFFmpeg

/// The samples of one component of a frame, in memory that the frame owns.
public struct FrameSamples {
  /// The first sample of the first row.
  public let bytes: UnsafeRawPointer
  /// The distance between rows in bytes; negative if rows run upwards in memory.
  public let stride: Int
  public let width: Int
  public let height: Int
  /// Bits of a sample, 8…16; those of more than 8 take two bytes, in native order.
  public let depth: Int

  /// All memory of the rows, from its lowest address.
  public var memory: UnsafeRawBufferPointer {
    let row = width * (depth > 8 ? 2 : 1)
    let start = stride < 0 ? bytes + stride * (height - 1) : bytes
    return UnsafeRawBufferPointer(start: start, count: Swift.abs(stride) * (height - 1) + row)
  }
}

extension DecodedFrame {
  /// The planes of luma and chroma, or of luma only; nil if the format mixes components in a plane, or is not luma and chroma of
  /// whole samples. Valid until the frame changes.
  public var planarSamples: [FrameSamples]? {
    let frame = pointer.pointee
    let format = AVPixelFormat(rawValue: frame.format)
    guard let descriptor = av_pix_fmt_desc_get(format)?.pointee, !isEmpty else { return nil }
    let excluded = UInt64(AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_HWACCEL)
    let isBigEndian = descriptor.flags & UInt64(AV_PIX_FMT_FLAG_BE) != 0
    let components = [descriptor.comp.0, descriptor.comp.1, descriptor.comp.2].prefix(descriptor.nb_components >= 3 ? 3 : 1)
    let depth = Int(components[0].depth)
    guard descriptor.flags & excluded == 0, (8...16).contains(depth), depth == 8 || !isBigEndian else { return nil }
    let planes = [frame.data.0, frame.data.1, frame.data.2]
    let strides = [frame.linesize.0, frame.linesize.1, frame.linesize.2]
    var samples: [FrameSamples] = []
    for (index, component) in components.enumerated() {
      guard Int(component.plane) == index, component.offset == 0, component.shift == 0, Int(component.depth) == depth,
        Int(component.step) == (depth > 8 ? 2 : 1), let bytes = planes[index]
      else { return nil }
      func reduced(_ length: Int32, _ shift: UInt8) -> Int { index == 0 ? Int(length) : -(-Int(length) >> Int(shift)) }
      samples.append(
        FrameSamples(
          bytes: UnsafeRawPointer(bytes), stride: Int(strides[index]), width: reduced(frame.width, descriptor.log2_chroma_w),
          height: reduced(frame.height, descriptor.log2_chroma_h), depth: depth))
    }
    return samples
  }

  /// True if black is 0 and white the greatest value.
  public var isFullRange: Bool {
    ScalerSource.isFullRange(AVPixelFormat(rawValue: pointer.pointee.format), pointer.pointee.color_range)
  }
}
