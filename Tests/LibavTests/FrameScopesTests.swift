import Foundation
import Pixels
import TestSupport
import Testing

@testable import Libav

/// Measurements of frames.
@Suite(.timeLimit(.minutes(20))) struct FrameScopesTests {
  /// One frame: the left half has one luma value, the right one another; chroma is the same all over.
  private func frame(_ left: Int, _ right: Int, cb: Int, cr: Int, depth: Int = 8) throws -> ClipReader {
    let format = depth > 8 ? "yuv420p\(depth)le" : "yuv420p"
    let luma = (0..<32 * 16).map { $0 % 32 < 16 ? left : right }
    let values = luma + [Int](repeating: cb, count: 128) + [Int](repeating: cr, count: 128)
    let bytes = values.flatMap { depth > 8 ? [UInt8($0 & 255), UInt8($0 >> 8)] : [UInt8($0)] }
    let reader = try ClipReader(RawClip.path(format, width: 32, height: 16, bytes: bytes))
    #expect(try reader.next())
    return reader
  }

  private func lit(_ image: PixelImage) -> Set<[Int]> {
    var result: Set<[Int]> = []
    for y in 0..<image.height { for x in 0..<image.width where image[x, y] != (0, 0, 0) { result.insert([x, y]) } }
    return result
  }

  @Test(arguments: [8, 10, 12]) func waveformIsByColumn(depth: Int) throws {
    let one = 1 << (depth - 8)
    let reader = try frame(64 * one, 192 * one, cb: 128 * one, cr: 128 * one, depth: depth)
    let size = PixelSize(width: 8, height: 16)
    func rows(_ region: FrameRegion = .whole, _ orientation: Orientation = .upright) throws -> Set<[Int]> {
      lit(try FrameScopes().image(.waveform, of: reader.frame, region: region, orientation: orientation, size: size))
    }
    let dark = 15 - 64 * 16 / 256, bright = 15 - 192 * 16 / 256
    #expect(try rows() == Set((0..<8).map { [$0, $0 < 4 ? dark : bright] }))
    #expect(try rows(FrameRegion(x: 0.5, y: 0, width: 0.5, height: 1)) == Set((0..<8).map { [$0, bright] }))
    // Turned, each displayed column has both; mirrored, the sides change.
    #expect(try rows(.whole, Orientation(quarterTurns: 1)) == Set((0..<8).flatMap { [[$0, dark], [$0, bright]] }))
    #expect(try rows(.whole, Orientation(isMirrored: true)) == Set((0..<8).map { [$0, $0 < 4 ? bright : dark] }))
    #expect(try rows(.whole, Orientation(quarterTurns: 2)) == Set((0..<8).map { [$0, $0 < 4 ? bright : dark] }))
  }

  @Test(arguments: [8, 10]) func vectorscopeShowsChroma(depth: Int) throws {
    let one = 1 << (depth - 8)
    let reader = try frame(64 * one, 192 * one, cb: 32 * one, cr: 200 * one, depth: depth)
    let image = try FrameScopes().image(.vectorscope, of: reader.frame, size: PixelSize(width: 32, height: 64))
    #expect(lit(image) == [[32 * 32 / 256, 63 - 200 * 64 / 256]])
    // Little blue and much red.
    let color = image[4, 13]
    #expect(color.red > 200 && color.blue < 100)
  }

  @Test func histogramCountsEveryValue() throws {
    let reader = try ClipReader(SampleClip.h264TenBit422.path())
    #expect(try reader.next())
    let source = try ScalerSource(whole: reader.frame.pointer)
    let data = try MediaTool.run(
      "ffmpeg",
      ["-v", "error", "-nostdin", "-i", "file:" + SampleClip.h264TenBit422.path(), "-frames:v", "1", "-vf", "extractplanes=y", "-f", "rawvideo", "-"])
    var expected = [UInt32](repeating: 0, count: 1024)
    for i in stride(from: 0, to: data.count, by: 2) { expected[Int(data[i]) | Int(data[i + 1]) << 8] += 1 }
    #expect(ScopeCounts.histogram(source, .luma) == expected)
  }

  @Test func histogramsAreDrawn() throws {
    let reader = try frame(64, 192, cb: 128, cr: 128)
    let size = PixelSize(width: 64, height: 10)
    let luma = try FrameScopes().image(.histogram, of: reader.frame, size: size)
    // Both values occur as often, so both bars are of full height.
    #expect(lit(luma) == Set((0..<10).flatMap { [[16, $0], [48, $0]] }))
    let color = try FrameScopes().image(.rgbHistogram, of: reader.frame, size: size)
    let columns = Set(lit(color).map { $0[0] })
    #expect(columns.count == 2 && columns.allSatisfy { color[$0, 9] == (255, 255, 255) })
    // Wider than there are values.
    let wide = try FrameScopes().image(.histogram, of: reader.frame, size: PixelSize(width: 512, height: 4))
    #expect(Set(lit(wide).map { $0[0] }) == [128, 129, 384, 385])
  }

  @Test(arguments: FrameScope.allCases) func anyFormatAndSize(scope: FrameScope) throws {
    let scopes = FrameScopes()
    for clip in [SampleClip.h264BFrames, .losslessBGRA, .paletted, .oddSize, .hdrPQ, .vp9Alpha, .jpeg] {
      let reader = try ClipReader(clip.path())
      #expect(try reader.next())
      for size in [PixelSize(width: 1, height: 1), PixelSize(width: 7, height: 300), PixelSize(width: 700, height: 3)] {
        let image = try scopes.image(scope, of: reader.frame, size: size)
        #expect(image.size == size && !lit(image).isEmpty, "\(clip)")
      }
    }
  }

  /// Only every nth line of a large frame is read, and the same is seen.
  @Test(arguments: FrameScope.allCases) func largeFramesAreThinned(scope: FrameScope) throws {
    let path = try SampleMedia.clip(
      name: "large.nut",
      arguments: [
        "-f", "lavfi", "-i", "gradients=s=1920x1080:c0=red:c1=blue:x0=0:y0=0:x1=1919:y1=0:seed=7:d=0.04", "-frames:v", "1", "-pix_fmt",
        "yuv420p", "-c:v", "rawvideo",
      ])
    let reader = try ClipReader(path)
    #expect(try reader.next())
    let size = PixelSize(width: 100, height: 60)
    let large = try FrameScopes().image(scope, of: reader.frame, size: size)
    let small = try FrameScopes().image(scope, of: reader.frame, region: FrameRegion(x: 0, y: 0, width: 1, height: 0.1), size: size)
    // A gradient from left to right is the same in each line.
    #expect(lit(large).symmetricDifference(lit(small)).count <= lit(large).count / 8)
  }
}
