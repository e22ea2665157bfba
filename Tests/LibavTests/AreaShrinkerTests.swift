import CFFmpeg
import Foundation
import Pixels
import TestSupport
import Testing

@testable import Libav

/// Averages of random frames against plain sums; the planes end with their last sample, so that the address
/// sanitizer sees a byte too many.
@Suite(.timeLimit(.minutes(20))) struct AreaShrinkerTests {
  private static let formats = [
    "gray", "gray9le", "gray10le", "gray12le", "gray16le", "yuv410p", "yuv411p", "yuv420p", "yuv422p",
    "yuv440p",
    "yuv444p", "yuvj420p", "yuvj411p", "nv12", "nv21", "nv16", "nv24", "nv42", "p010le", "p016le", "p210le",
    "p410le",
    "yuv420p9le", "yuv420p10le", "yuv422p10le", "yuv440p12le", "yuv444p12le", "yuv420p14le", "yuv420p16le",
    "yuv444p16le",
  ]

  /// A frame in memory of its own, without room behind the samples.
  private final class Planes {
    let frame: DecodedFrame
    private var memory: [UnsafeMutablePointer<UInt8>] = []

    init(
      _ format: AVPixelFormat, _ size: PixelSize, isUpsideDown: Bool, padding: Int,
      dice: inout SeededGenerator
    ) throws {
      frame = try DecodedFrame()
      let descriptor = try #require(av_pix_fmt_desc_get(format))
      let pointer = frame.pointer
      pointer.pointee.format = format.rawValue
      pointer.pointee.width = Int32(size.width)
      pointer.pointee.height = Int32(size.height)
      let isFilled = Int.random(in: 0..<4, using: &dice) == 0
      for plane in 0..<Int(av_pix_fmt_count_planes(format)) {
        let line = Int(av_image_get_linesize(format, Int32(size.width), Int32(plane)))
        let shift = plane == 0 ? 0 : Int(descriptor.pointee.log2_chroma_h)
        let rows = (size.height + (1 << shift) - 1) >> shift
        let stride = line + padding
        let count = (rows - 1) * stride + line
        let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: count)
        memory.append(bytes)
        for i in 0..<count { bytes[i] = isFilled ? 255 : UInt8.random(in: 0...255, using: &dice) }
        let first = isUpsideDown ? bytes + (rows - 1) * stride : bytes
        let signed = Int32(isUpsideDown ? -stride : stride)
        withUnsafeMutablePointer(to: &pointer.pointee.data) {
          UnsafeMutableRawPointer($0).assumingMemoryBound(to: UnsafeMutablePointer<UInt8>?.self)[plane] =
            first
        }
        withUnsafeMutablePointer(to: &pointer.pointee.linesize) {
          UnsafeMutableRawPointer($0).assumingMemoryBound(to: Int32.self)[plane] = signed
        }
      }
    }

    deinit { for bytes in memory { bytes.deallocate() } }
  }

  /// The average of what lies in a part, each sample weighed by its share.
  private func average(
    _ sample: (Int, Int) -> Int, _ x: (from: Double, to: Double), _ y: (from: Double, to: Double),
    _ columns: Int,
    _ rows: Int
  ) -> Double {
    var sum = 0.0
    var area = 0.0
    for row in Int(y.from)...min(rows - 1, Int(y.to)) {
      let height = min(y.to, Double(row + 1)) - max(y.from, Double(row))
      if height <= 0 { continue }
      for column in Int(x.from)...min(columns - 1, Int(x.to)) {
        let width = min(x.to, Double(column + 1)) - max(x.from, Double(column))
        if width <= 0 { continue }
        sum += Double(sample(column, row)) * width * height
        area += width * height
      }
    }
    return sum / area
  }

  @Test(arguments: formats) func randomFrames(format name: String) throws {
    let format = av_get_pix_fmt(name)
    let descriptor = try #require(av_pix_fmt_desc_get(format)).pointee
    var dice = SeededGenerator(seed: UInt64(name.utf8.reduce(7) { $0 * 31 + Int($1) }))
    var shrinker = AreaShrinker()
    for round in 0..<120 {
      func side() -> Int {
        switch Int.random(in: 0..<12, using: &dice) {
        case 0: Int.random(in: 2000...3000, using: &dice)
        case 1...4: Int.random(in: 2...9, using: &dice)
        default: Int.random(in: 2...130, using: &dice)
        }
      }
      var size = PixelSize(width: side(), height: side())
      if size.width > 500, size.height > 500 {
        size.height %= 60
        size.height += 2
      }
      let planes = try Planes(
        format, size, isUpsideDown: Bool.random(using: &dice),
        padding: 2 * Int.random(in: 0...3, using: &dice), dice: &dice)
      if Int.random(in: 0..<4, using: &dice) == 0 {
        planes.frame.pointer.pointee.interlaced_frame = 1
        planes.frame.pointer.pointee.top_field_first = Bool.random(using: &dice) ? 1 : 0
      }
      var request = ScaleRequest(size: PixelSize(width: 1, height: 1))
      if Int.random(in: 0..<3, using: &dice) == 0 {
        let (x, y) = (Double.random(in: 0..<1, using: &dice), Double.random(in: 0..<1, using: &dice))
        request.region = FrameRegion(
          x: x, y: y, width: Double.random(in: 0...(1 - x), using: &dice),
          height: Double.random(in: 0...(1 - y), using: &dice))
      }
      let source = try ScalerSource(planes.frame.pointer, request: request)
      guard source.size.width >= 2, source.size.height >= 2 else { continue }
      let target = PixelSize(
        width: Bool.random(using: &dice)
          ? source.size.width / 2 : Int.random(in: 1...source.size.width / 2, using: &dice),
        height: Bool.random(using: &dice) ? 1 : Int.random(in: 1...source.size.height / 2, using: &dice))
      let shrunk = try shrinker.shrink(source, to: target)
      let small = try #require(shrunk, "\(name) \(source.size) to \(target)")
      let components = [descriptor.comp.0, descriptor.comp.1, descriptor.comp.2]
      let outputs = [small.luma, small.chroma?.u, small.chroma?.v]
      for c in 0..<Int(descriptor.nb_components) {
        let component = components[c]
        let (across, down) = c == 0 ? (0, 0) : (Int(descriptor.log2_chroma_w), Int(descriptor.log2_chroma_h))
        let columns = (source.size.width + (1 << across) - 1) >> across
        let rows = (source.size.height + (1 << down) - 1) >> down
        let output = try #require(outputs[c])
        let base = try #require(source.planes[Int(component.plane)])
        func sample(_ x: Int, _ y: Int) -> Int {
          let at =
            base + y * Int(source.strides[Int(component.plane)]) + x * Int(component.step)
            + Int(component.offset)
          return small.bits > 8 ? Int(at[0]) | Int(at[1]) << 8 : Int(at[0])
        }
        let wide = Double(source.size.width) / Double(1 << across) / Double(target.width)
        let high = Double(source.size.height) / Double(1 << down) / Double(target.height)
        for _ in 0..<12 {
          let x = Int.random(in: 0..<target.width, using: &dice)
          let y = Int.random(in: 0..<target.height, using: &dice)
          let expected = average(
            sample, (Double(x) * wide, Double(x + 1) * wide), (Double(y) * high, Double(y + 1) * high),
            columns, rows)
          // Samples may have more bits than they should.
          let value = min(65535, expected * Double(1 << (16 - small.bits)))
          let found = Double(output[y * target.width + x])
          #expect(
            abs(found - value) <= 1,
            "\(name) round \(round): \(source.size) to \(target), part \(c) at \(x), \(y): \(found), not \(value)"
          )
        }
      }
      // The whole way, too.
      var bytes = [UInt8](repeating: 0, count: target.area * 4)
      bytes.withUnsafeMutableBufferPointer {
        small.convert(into: $0.baseAddress ?? small.bytes, stride: target.width * 4)
      }
    }
  }

  @Test func enormousRatios() throws {
    for (name, width, height) in [
      ("yuv420p", 16384, 3), ("yuv420p", 3, 16384), ("nv12", 5, 16383), ("gray16le", 2, 198),
      ("p010le", 3, 199),
      ("yuv420p16le", 16383, 199), ("yuv444p", 16384, 700),
    ] {
      var dice = SeededGenerator(seed: 3)
      let planes = try Planes(
        av_get_pix_fmt(name), PixelSize(width: width, height: height), isUpsideDown: false, padding: 0,
        dice: &dice)
      let source = try ScalerSource(
        planes.frame.pointer, request: ScaleRequest(size: PixelSize(width: 1, height: 1)))
      var shrinker = AreaShrinker()
      for targetHeight in [1, 2] where height >= 2 * targetHeight {
        let shrunk = try shrinker.shrink(source, to: PixelSize(width: 1, height: targetHeight))
        let small = try #require(shrunk)
        let base = try #require(source.planes[0])
        let bytes = small.bits > 8 ? 2 : 1
        func sample(_ x: Int, _ y: Int) -> Int {
          let at = base + y * Int(source.strides[0]) + x * bytes
          return bytes == 2 ? Int(at[0]) | Int(at[1]) << 8 : Int(at[0])
        }
        let high = Double(height) / Double(targetHeight)
        for y in 0..<targetHeight {
          let expected = average(
            sample, (0, Double(width)), (Double(y) * high, Double(y + 1) * high), width, height)
          let value = min(65535, expected * Double(1 << (16 - small.bits)))
          let found = Double(small.luma[y])
          // Sixteen thousand numbers of 24 bits are added up one after another.
          #expect(abs(found - value) <= 3, "\(name) \(width)×\(height): \(found), not \(value)")
        }
      }
    }
  }
}

extension AreaShrinker.Planes {
  fileprivate var bytes: UnsafeMutablePointer<UInt8> {
    UnsafeMutableRawPointer(luma).assumingMemoryBound(to: UInt8.self)
  }
}
