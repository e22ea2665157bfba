import Libav
import Pixels
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct FrameTurnerTests {
  static let orientations = (0..<8).map { Orientation(quarterTurns: $0, isMirrored: $0 >= 4) }

  /// A frame of random colours, smooth enough to survive changes of chroma.
  private func frame(_ pixelFormat: String, _ size: PixelSize, seed: UInt64 = 5) throws -> DecodedFrame {
    var random = SeededGenerator(seed: seed)
    let corners = (0..<12).map { _ in Double.random(in: 30...220, using: &random) }
    let image = PixelImage(size: size) { out in
      for i in 0..<3 * size.area {
        let x = Double(i / 3 % size.width) / Double(size.width), y = Double(i / 3 / size.width) / Double(size.height)
        let c = corners[(i % 3 * 4)...].prefix(4).map { $0 }
        out[i] = UInt8((c[0] * (1 - x) + c[1] * x) * (1 - y) + (c[2] * (1 - x) + c[3] * x) * y)
      }
    }
    let format = VideoFormat(size: size, pixelFormat: pixelFormat, sampleAspectRatio: Ratio(4, 3))
    return try FrameConverter(format: format).convert(image)
  }

  /// The samples of a plane, row by row.
  private func values(_ plane: FrameSamples) -> [Int] {
    (0..<plane.height).flatMap { y in
      (0..<plane.width).map { x in
        let row = plane.bytes + y * plane.stride
        return plane.depth > 8
          ? Int(row.load(fromByteOffset: 2 * x, as: UInt16.self)) : Int(row.load(fromByteOffset: x, as: UInt8.self))
      }
    }
  }

  @Test(arguments: ["yuv420p", "yuv420p10le", "yuv444p", "gray", "gray12le"], orientations)
  func samplesChangePlaces(pixelFormat: String, orientation: Orientation) throws {
    // Both sides are odd, so that chroma is rounded up.
    let frame = try frame(pixelFormat, PixelSize(width: 37, height: 21))
    let turned = try FrameTurner(orientation).turn(frame)
    #expect((turned === frame) == (orientation == .upright))
    #expect(turned.size == (orientation.swapsSides ? PixelSize(width: 21, height: 37) : frame.size))
    #expect(turned.sampleAspectRatio == (orientation.swapsSides ? Ratio(3, 4) : Ratio(4, 3)))
    let from = try #require(frame.planarSamples), to = try #require(turned.planarSamples)
    #expect(from.count == to.count && turned.format.pixelFormat == pixelFormat)
    for (before, after) in zip(from, to) {
      let old = values(before), new = values(after)
      let displayed = PixelSize(width: after.width, height: after.height)
      let expected = (0..<displayed.area).map { i in
        let place = orientation.sourcePixel(x: i % displayed.width, y: i / displayed.width, displayed: displayed)
        return old[place.y * before.width + place.x]
      }
      #expect(new == expected)
    }
  }

  /// Chroma that is halved across only cannot lie in the turned frame as it is.
  @Test(arguments: [("yuv422p", "yuv444p"), ("yuv422p10le", "yuv444p10le"), ("yuyv422", "yuv444p")], orientations)
  func otherFormatsBecomePlain(formats: (String, String), orientation: Orientation) throws {
    let frame = try frame(formats.0, PixelSize(width: 48, height: 32))
    let turned = try FrameTurner(orientation).turn(frame)
    let keeps = orientation == .upright || formats.0 != "yuyv422" && !orientation.swapsSides
    #expect(turned.format.pixelFormat == (keeps ? formats.0 : formats.1))
    try expectEqualPictures(frame, turned, orientation)
  }

  @Test(arguments: ["rgb24", "rgba", "gbrp", "nv12", "gbrap", "rgb565le", "yuva420p", "monow", "yuvj420p", "rgb48be"])
  func anyFormatIsTurned(pixelFormat: String) throws {
    let frame = try frame(pixelFormat, PixelSize(width: 48, height: 32))
    let orientation = Orientation(quarterTurns: 3, isMirrored: true)
    try expectEqualPictures(frame, try FrameTurner(orientation).turn(frame), orientation)
  }

  /// Expects that a turned frame shows what the first one shows in an orientation.
  private func expectEqualPictures(_ frame: DecodedFrame, _ turned: DecodedFrame, _ orientation: Orientation) throws {
    let expected = try Scaler().scale(frame, to: ScaleRequest(size: turned.size, orientation: orientation))
    let shown = try Scaler().scale(turned, to: ScaleRequest(size: turned.size))
    let difference = Difference(shown, expected)
    #expect(difference.mean < 1.5, "\(difference)")
  }
}
