import Foundation
import Libav
import Pixels
import TestSupport
import Testing

/// Single pixels of frames, against ffmpeg's planes and the scaler's colours.
@Suite(.timeLimit(.minutes(20))) struct ProbeTests {
  private static let width = 64, height = 48

  private func clip(_ format: String) throws -> String {
    try SampleMedia.clip(
      name: "probe.nut",
      arguments: [
        "-f", "lavfi", "-i", "testsrc2=s=64x48:r=1:d=1,format=rgba,geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='255-3*X'", "-frames:v", "1",
        "-pix_fmt", format, "-c:v", "rawvideo",
      ])
  }

  /// The values of a plane by pixel.
  private func plane(_ path: String, _ name: String, planar: String, depth: Int) throws -> [Int] {
    let data = Array(try MediaTool.run(
      "ffmpeg",
      ["-v", "error", "-nostdin", "-i", "file:" + path, "-frames:v", "1", "-vf", "format=\(planar),extractplanes=\(name)", "-f", "rawvideo", "-"]))
    return depth > 8 ? stride(from: 0, to: data.count, by: 2).map { Int(data[$0]) | Int(data[$0 + 1]) << 8 } : data.map(Int.init)
  }

  private static let positions = [(0, 0), (63, 47), (1, 1), (10, 33), (31, 16), (62, 5)]

  private func probe(_ frame: DecodedFrame, _ x: Int, _ y: Int) throws -> ProbedPixel {
    try #require(try frame.probe(
      x: (Double(x) + 0.5) / Double(frame.size.width), y: (Double(y) + 0.5) / Double(frame.size.height), orientation: .upright))
  }

  @Test(arguments: [
    ("yuv420p", "yuv420p", 8, 1, 1), ("yuv422p10le", "yuv422p10le", 10, 1, 0), ("nv12", "yuv420p", 8, 1, 1), 
    ("yuyv422", "yuv422p", 8, 1, 0), ("yuva444p", "yuva444p", 8, 0, 0), ("yuv410p", "yuv410p", 8, 2, 2), ("yuv444p16be", "yuv444p16le", 16, 0, 0),
  ])
  func codeValuesOfYCbCr(format: String, planar: String, depth: Int, across: Int, down: Int) throws {
    let path = try clip(format)
    let planes = try ["y", "u", "v"].map { try plane(path, $0, planar: planar, depth: depth) }
    let reader = try ClipReader(path)
    #expect(try reader.next())
    let image = try reader.scaler.scale(reader.frame, to: request)
    for (x, y) in Self.positions {
      let pixel = try probe(reader.frame, x, y)
      let chroma = (y >> down) * (Self.width >> across) + x >> across
      #expect(pixel.code == .yCbCr(y: planes[0][y * Self.width + x], cb: planes[1][chroma], cr: planes[2][chroma]))
      #expect(pixel.x == x && pixel.y == y && pixel.bitDepth == depth)
      #expect(pixel.alpha == (format == "yuva444p" ? 255 - 3 * x : nil))
      #expect((pixel.red, pixel.green, pixel.blue) == image[x, y], "\(x) \(y)")
    }
  }

  private var request: ScaleRequest {
    var request = ScaleRequest(size: PixelSize(width: Self.width, height: Self.height))
    request.keepsOpacity = true
    return request
  }

  @Test(arguments: [("rgb24", "gbrp", 8), ("bgra", "gbrap", 8), ("gbrp10le", "gbrp10le", 10), ("rgb48be", "gbrp16le", 16), ("pal8", "gbrap", 8)])
  func codeValuesOfRGB(format: String, planar: String, depth: Int) throws {
    let path = try clip(format)
    let planes = try ["r", "g", "b"].map { try plane(path, $0, planar: planar, depth: depth) }
    let reader = try ClipReader(path)
    #expect(try reader.next())
    let image = try reader.scaler.scale(reader.frame, to: request)
    for (x, y) in Self.positions {
      let pixel = try probe(reader.frame, x, y)
      let i = y * Self.width + x
      guard case .rgb(let red, let green, let blue) = pixel.code else { return #expect(Bool(false)) }
      // libswscale may be one off where it converts a palette.
      let differences = zip([red, green, blue], planes.map { $0[i] }).map { abs($0 - $1) }
      #expect(differences.allSatisfy { $0 <= (format == "pal8" ? 1 : 0) } && pixel.bitDepth == depth)
      if format == "bgra" { #expect(pixel.alpha == 255 - 3 * x) }
      #expect((pixel.red, pixel.green, pixel.blue) == image[x, y])
    }
  }

  @Test func greyHasNoChroma() throws {
    let reader = try ClipReader(clip("gray10le"))
    #expect(try reader.next())
    let pixel = try probe(reader.frame, 3, 4)
    guard case .yCbCr(let y, nil, nil) = pixel.code else { return #expect(Bool(false)) }
    #expect(abs((y >> 2) - Int(pixel.red)) <= 1 && pixel.alpha == nil)
    let clear = try ClipReader(clip("ya8"))
    #expect(try clear.next())
    #expect(try probe(clear.frame, 10, 33).alpha == 225)
  }

  /// A line belongs to one field, and so does its chroma.
  @Test func linesOfInterlacedFrames() throws {
    let path = try SampleClip.interlacedTopFirst.path()
    let reader = try ClipReader(path)
    #expect(try reader.next())
    let chroma = try plane(path, "u", planar: "yuv420p", depth: 8)
    for (x, y) in [(5, 0), (5, 1), (100, 2), (100, 3), (33, 90), (33, 91), (319, 179)] {
      let pixel = try probe(reader.frame, x, y)
      guard case .yCbCr(_, let cb?, _) = pixel.code else { return #expect(Bool(false)) }
      #expect(cb == chroma[(y / 4 * 2 + y % 2) * 160 + x / 2], "\(x) \(y)")
      var request = ScaleRequest(size: PixelSize(width: 320, height: 90))
      request.fields = y % 2 == 0 ? .top : .bottom
      #expect((pixel.red, pixel.green, pixel.blue) == (try reader.scaler.scale(reader.frame, to: request))[x, y / 2])
    }
  }

  @Test func highDynamicRangeIsToneMapped() throws {
    let reader = try ClipReader(SampleClip.hdrPQ.path())
    #expect(try reader.next())
    let image = try reader.scaler.scale(reader.frame, to: ScaleRequest(size: PixelSize(width: 320, height: 180)))
    for (x, y) in [(0, 0), (160, 90), (319, 179), (77, 120)] {
      let pixel = try probe(reader.frame, x, y)
      #expect((pixel.red, pixel.green, pixel.blue) == image[x, y] && pixel.bitDepth == 10)
    }
  }

  @Test(arguments: 0..<4, [false, true]) func orientation(turns: Int, isMirrored: Bool) throws {
    let reader = try ClipReader(clip("yuv420p"))
    #expect(try reader.next())
    let orientation = Orientation(quarterTurns: turns, isMirrored: isMirrored)
    let size = orientation.swapsSides ? PixelSize(width: 48, height: 64) : PixelSize(width: 64, height: 48)
    for (x, y) in [(0, 0), (20, 30), (size.width - 1, 0)] {
      let pixel = try #require(try reader.frame.probe(
        x: (Double(x) + 0.5) / Double(size.width), y: (Double(y) + 0.5) / Double(size.height), orientation: orientation))
      let place = orientation.sourcePixel(x: x, y: y, displayed: size)
      #expect((pixel.x, pixel.y) == place)
    }
    for (x, y) in [(-0.01, 0), (0, 1), (1, 0.5), (Double.nan, 0), (.infinity, 0)] {
      #expect(try reader.frame.probe(x: x, y: y, orientation: orientation) == nil)
    }
  }

  /// Film grain is left out on request, with the frames as ffmpeg then decodes them.
  @Test func filmGrainCanBeLeftOut() throws {
    let path = try SampleMedia.clip(
      name: "grain.mp4",
      arguments: [
        "-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=0.2", "-c:v", "libaom-av1", "-cpu-used", "8", "-usage", "realtime", "-b:v", "300k",
        "-aom-params", "film-grain-test=1", "-pix_fmt", "yuv420p",
      ])
    func hashes(_ features: Decoder.Features) throws -> [String] {
      let reader = try ClipReader(path, features: features)
      guard reader.decoder.name == "libdav1d" else { return [] }
      var hashes: [String] = []
      while try reader.next() { hashes.append(try reader.frame.md5()) }
      return hashes
    }
    let plain = try hashes([]), without = try hashes(.omitsFilmGrain)
    if plain.isEmpty { return }
    #expect(plain == (try MediaTool.frameHashes(["-i", "file:" + path])))
    #expect(without == (try MediaTool.frameHashes(["-export_side_data", "film_grain", "-i", "file:" + path])))
    #expect(plain != without && plain.count == 5)
  }

  @Test func quantizersAreReportedOnRequest() throws {
    for (clip, range) in [(SampleClip.h264BFrames, 5.0...51), (.mpeg2ProgramStream, 1...62), (.mpeg4PackedBFrames, 1...31), (.av1, nil)] {
      let reader = try ClipReader(clip.path(), features: .quantizers)
      #expect(try reader.next())
      #expect(range.map { $0.contains(reader.frame.meanQuantizer ?? -1) } ?? (reader.frame.meanQuantizer == nil), "\(clip)")
      let plain = try ClipReader(clip.path())
      #expect(try plain.next() && plain.frame.meanQuantizer == nil)
    }
  }
}
