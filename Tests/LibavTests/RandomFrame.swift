import CFFmpeg
import Foundation
import Pixels
import TestSupport
import Testing

@testable import Libav

/// Frames made of chance or of files, to be compared.
enum RandomFrame {
  /// A frame in which each sample has the bits that its format gives it.
  static func make(_ name: String, _ size: PixelSize, _ dice: inout SeededGenerator) throws -> DecodedFrame {
    let format = av_get_pix_fmt(name)
    let descriptor = try #require(av_pix_fmt_desc_get(format), "\(name)").pointee
    let frame = try DecodedFrame()
    frame.pointer.pointee.format = format.rawValue
    frame.pointer.pointee.width = Int32(size.width)
    frame.pointer.pointee.height = Int32(size.height)
    try AVError.check(av_frame_get_buffer(frame.pointer, 0), "making a frame")
    let isDeep = (9..<16).contains(descriptor.comp.0.depth)
    let isBigEndian = descriptor.flags & UInt64(AV_PIX_FMT_FLAG_BE) != 0
    for plane in 0..<4 {
      guard let buffer = av_frame_get_plane_buffer(frame.pointer, Int32(plane))?.pointee else { continue }
      let words = UnsafeMutableRawBufferPointer(start: buffer.data, count: buffer.size / 2 * 2).bindMemory(to: UInt16.self)
      for i in words.indices {
        var word = UInt16.random(in: 0...UInt16.max, using: &dice)
        if isDeep { word = word & (1 << UInt16(descriptor.comp.0.depth) - 1) << UInt16(descriptor.comp.0.shift) }
        words[i] = isBigEndian ? word.bigEndian : word.littleEndian
      }
    }
    return frame
  }

  /// The samples of a component, row by row, as they are in memory.
  static func samples(_ frame: DecodedFrame, _ component: Int) throws -> [[Int]] {
    let descriptor = try #require(av_pix_fmt_desc_get(AVPixelFormat(rawValue: frame.pointer.pointee.format))).pointee
    let part = [descriptor.comp.0, descriptor.comp.1, descriptor.comp.2][component]
    let source = try ScalerSource(whole: frame.pointer)
    let isChroma = component > 0 && descriptor.flags & UInt64(AV_PIX_FMT_FLAG_RGB) == 0
    func count(_ pixels: Int, _ shift: UInt8) -> Int { isChroma ? (pixels + (1 << Int(shift)) - 1) >> Int(shift) : pixels }
    let plane = try #require(source.planes[Int(part.plane)]) + Int(part.offset)
    return (0..<count(source.size.height, descriptor.log2_chroma_h)).map { y in
      (0..<count(source.size.width, descriptor.log2_chroma_w)).map { x in
        let at = plane + y * Int(source.strides[Int(part.plane)]) + x * Int(part.step)
        return part.depth + part.shift > 8 ? Int(at[0]) | Int(at[1]) << 8 : Int(at[0])
      }
    }
  }

  /// The first frame of a picture that ffmpeg makes and filters. The file keeps the pixel format, range and matrix.
  static func picture(
    _ filters: String, _ format: String, colours: [String] = [],
    source: String = "gradients=s=96x64:c0=red:c1=blue:c2=white:c3=black:n=4:x0=0:y0=0:x1=95:y1=63:seed=7"
  ) throws -> FramePixels {
    let clip = try SampleMedia.clip(
      name: "compared.mkv",
      arguments: [
        "-f", "lavfi", "-i", source, "-frames:v", "1", "-vf", filters + ",format=" + format, "-pix_fmt", format, "-c:v", "ffv1",
        "-strict", "experimental",
      ] + colours)
    return try pixels(clip)
  }

  static func pixels(_ path: String) throws -> FramePixels {
    let reader = try ClipReader(path)
    guard try reader.next() else { throw ClipReader.NoVideo() }
    return try FramePixels(sharing: reader.frame)
  }
}
