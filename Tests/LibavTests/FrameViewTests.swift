import Foundation
import Libav
import Pixels
import TestSupport
import Testing

/// Single planes and fields of frames, against ffmpeg's filters.
@Suite(.timeLimit(.minutes(20))) struct FrameViewTests {
  /// Returns the first frame through ffmpeg's filters, reduced to 8 bits a sample.
  static func reference(_ path: String, _ filters: String, depth: Int, input: [String] = []) throws -> [UInt8] {
    let data = try MediaTool.run(
      "ffmpeg",
      ["-v", "error", "-nostdin"] + input + ["-i", "file:" + path, "-map", "0:v:0", "-frames:v", "1", "-vf", filters, "-f", "rawvideo", "-"])
    guard depth > 8 else { return Array(data) }
    return stride(from: 0, to: data.count, by: 2).map { UInt8((Int(data[$0]) | Int(data[$0 + 1]) << 8) >> (depth - 8)) }
  }

  private func grey(_ path: String, _ plane: FramePlane, _ size: PixelSize, fields: FrameFields = .weave) throws -> [UInt8] {
    var request = ScaleRequest(size: size)
    (request.plane, request.fields) = (plane, fields)
    return bytes(try ClipReader(path).image(0, request))
  }

  private func bytes(_ image: PixelImage) -> [UInt8] {
    image.withBytes { bytes in
      stride(from: 0, to: bytes.count, by: 3).map {
        #expect(bytes[$0] == bytes[$0 + 1] && bytes[$0] == bytes[$0 + 2])
        return bytes[$0]
      }
    }
  }

  private static let planes: [(FramePlane, String)] = [(.luma, "y"), (.cb, "u"), (.cr, "v")]

  @Test(arguments: [
    (SampleClip.h264BFrames, 8, 160, 90), (.fullRange, 8, 160, 90), (.h264TenBit422, 10, 160, 180), (.hevc10Bit, 10, 160, 90),
    (.h264FullChroma, 8, 320, 180), (.hdrPQ, 10, 160, 90), (.interlacedTopFirst, 8, 160, 90), (.oddSize, 8, 159, 120),
  ])
  func planesAreThoseOfFFmpeg(clip: SampleClip, depth: Int, width: Int, height: Int) throws {
    let path = try clip.path()
    let luma = clip == .oddSize ? PixelSize(width: 317, height: 239) : PixelSize(width: 320, height: 180)
    for (plane, name) in Self.planes {
      let size = plane == .luma ? luma : PixelSize(width: width, height: height)
      #expect(try grey(path, plane, size) == Self.reference(path, "extractplanes=\(name)", depth: depth), "\(plane)")
    }
    #expect(try grey(path, .alpha, PixelSize(width: 8, height: 8)).allSatisfy { $0 == 255 })
  }

  @Test(arguments: ["nv12", "yuyv422", "gray", "gray10be", "ya8", "yuva444p10le", "yuv420p16le"])
  func anyFormat(format: String) throws {
    let clip = try SampleMedia.clip(
      name: "planes.nut",
      arguments: [
        "-f", "lavfi", "-i", "gradients=s=64x48:c0=red@0.2:c1=blue:c2=white@0.7:c3=black:n=4:x0=0:y0=0:x1=63:y1=47:seed=7:d=0.04",
        "-frames:v", "1", "-pix_fmt", format, "-c:v", "rawvideo",
      ])
    let depth = format.contains("16") ? 16 : format.contains("10") ? 10 : 8
    // ffmpeg's filter takes planar formats only; conversions between them change no values.
    let planar = ["nv12": "yuv420p", "yuyv422": "yuv422p", "gray10be": "gray10le"][format] ?? format
    let size = PixelSize(width: 64, height: 48)
    #expect(try grey(clip, .luma, size) == Self.reference(clip, "format=\(planar),extractplanes=y", depth: depth))
    if format.hasPrefix("gray") || format == "ya8" {
      #expect(try grey(clip, .cb, size).allSatisfy { $0 == 128 } && grey(clip, .cr, size).allSatisfy { $0 == 128 })
    } else {
      let chroma = PixelSize(
        width: planar.contains("444") ? 64 : 32, height: planar.contains("420") ? 24 : 48)
      for (plane, name) in Self.planes.dropFirst() {
        #expect(try grey(clip, plane, chroma) == Self.reference(clip, "format=\(planar),extractplanes=\(name)", depth: depth))
      }
    }
    let alpha = try grey(clip, .alpha, size)
    if format == "ya8" {
      #expect(Set(alpha).count > 4)
    } else if format.hasPrefix("yuva") {
      #expect(try alpha == Self.reference(clip, "extractplanes=a", depth: depth) && Set(alpha).count > 4)
    } else {
      #expect(alpha.allSatisfy { $0 == 255 })
    }
  }

  @Test func colourFramesAreConvertedFirst() throws {
    let path = try SampleClip.losslessBGRA.path()
    let size = PixelSize(width: 320, height: 180)
    for (plane, name) in Self.planes {
      let expected = try Self.reference(
        path, "scale=out_range=full:out_color_matrix=bt709:flags=accurate_rnd+full_chroma_int+full_chroma_inp,format=yuv444p,extractplanes=\(name)",
        depth: 8)
      let difference = zip(try grey(path, plane, size), expected).map { abs(Int($0) - Int($1)) }
      #expect(difference.count == size.area && difference.max() ?? 99 <= 2, "\(plane)")
    }
    #expect(try grey(path, .alpha, size) == Self.reference(path, "extractplanes=a", depth: 8))
    #expect(try grey(SampleClip.gifTransparent.path(), .alpha, size).allSatisfy { $0 == 0 || $0 == 255 })
  }

  @Test func regionsAndOrientationsOfPlanes() throws {
    let path = try SampleClip.h264TenBit422.path()
    let whole = try grey(path, .cb, PixelSize(width: 160, height: 180))
    var part = ScaleRequest(size: PixelSize(width: 40, height: 90))
    (part.plane, part.region) = (.cb, FrameRegion(x: 0.25, y: 0.5, width: 0.25, height: 0.5))
    let expected = (90..<180).flatMap { y in whole[y * 160 + 40..<y * 160 + 80] }
    #expect(bytes(try ClipReader(path).image(0, part)) == expected)
    var turned = ScaleRequest(size: PixelSize(width: 180, height: 160), orientation: Orientation(quarterTurns: 1))
    turned.plane = .cb
    let found = bytes(try ClipReader(path).image(0, turned))
    var columns: [UInt8] = []
    for y in 0..<160 { for x in 0..<180 { columns.append(whole[(179 - x) * 160 + y]) } }
    #expect(found == columns)
  }

  @Test(arguments: [SampleClip.interlacedTopFirst, .h264BFrames, .hevc10Bit])
  func fieldsAreThoseOfFFmpeg(clip: SampleClip) throws {
    let path = try clip.path()
    let depth = clip == .hevc10Bit ? 10 : 8
    for (fields, name) in [(FrameFields.top, "top"), (.bottom, "bottom")] {
      for (plane, letter) in Self.planes {
        let size = plane == .luma ? PixelSize(width: 320, height: 90) : PixelSize(width: 160, height: 45)
        let expected = try Self.reference(path, "field=\(name),extractplanes=\(letter)", depth: depth)
        #expect(try grey(path, plane, size, fields: fields) == expected, "\(fields) \(plane)")
      }
      var request = ScaleRequest(size: PixelSize(width: 160, height: 45))
      request.fields = fields
      let expected = try #require(try SampleMedia.referenceFrames(path, size: request.size, filters: "field=\(name)", limit: 1).first)
      let difference = Difference(try ClipReader(path).image(0, request), expected)
      #expect(difference.mean < 1.5 && difference.most <= 24, "\(fields): \(difference)")
    }
  }

  private func firstField(of clip: SampleClip) throws -> Int {
    let reader = try ClipReader(clip.path())
    #expect(try reader.next())
    return reader.frame.fieldOrder == .bottomFirst ? 1 : 0
  }

  @Test func automaticAndWovenFields() throws {
    func image(_ clip: SampleClip, _ fields: FrameFields) throws -> PixelImage {
      var request = ScaleRequest(size: PixelSize(width: 160, height: 90))
      request.fields = fields
      return try ClipReader(clip.path()).image(0, request)
    }
    let interlaced = SampleClip.interlacedTopFirst
    let first = try firstField(of: interlaced)
    #expect(try image(interlaced, .automatic) == image(interlaced, first == 0 ? .top : .bottom))
    let woven = try #require(SampleMedia.referenceFrames(interlaced.path(), size: PixelSize(width: 160, height: 90), limit: 1).first)
    #expect(Difference(try image(interlaced, .weave), woven).mean < 1.5)
    #expect(Difference(try image(interlaced, .automatic), woven).mean > 0.2)
    #expect(try image(.h264BFrames, .automatic) == image(.h264BFrames, .weave))
  }

  @Test(arguments: [SampleClip.interlacedTopFirst, .h264BFrames, .hevc10Bit])
  func bobKeepsTheLinesOfAField(clip: SampleClip) throws {
    let path = try clip.path()
    for (plane, size) in [(FramePlane.luma, PixelSize(width: 320, height: 180)), (.cr, PixelSize(width: 160, height: 90))] {
      let woven = try grey(path, plane, size), bob = try grey(path, plane, size, fields: .bob)
      func line(_ values: [UInt8], _ y: Int) -> ArraySlice<UInt8> { values[y * size.width..<(y + 1) * size.width] }
      let first = try firstField(of: clip)
      var wrong: [Int] = []
      for y in 0..<size.height {
        let above = y % 2 == first ? y : y > 0 ? y - 1 : 1, below = y % 2 == first ? y : y + 1 < size.height ? y + 1 : y - 1
        let mean = zip(line(woven, above), line(woven, below)).map { UInt8((Int($0) + Int($1) + 1) / 2) }
        if Array(line(bob, y)) != mean { wrong.append(y) }
      }
      #expect(wrong == [])
    }
    // In colour, too, and only in the region.
    var request = ScaleRequest(size: PixelSize(width: 100, height: 50))
    (request.fields, request.region) = (.bob, FrameRegion(x: 0.1, y: 0.1, width: 0.5, height: 0.5))
    let bob = try ClipReader(path).image(0, request)
    request.fields = try firstField(of: clip) == 0 ? .top : .bottom
    #expect(Difference(bob, try ClipReader(path).image(0, request)).mean < 6)
  }

  @Test func bobOfFormatsWithoutWholeSamplesDoublesLines() throws {
    var request = ScaleRequest(size: PixelSize(width: 320, height: 180))
    request.fields = .weave
    let path = try SampleClip.paletted.path()
    let woven = try ClipReader(path).image(0, request)
    request.fields = .bob
    let bob = try ClipReader(path).image(0, request)
    #expect((0..<180).allSatisfy { y in (0..<320).allSatisfy { x in bob[x, y] == woven[x, y / 2 * 2] } })
  }
}
