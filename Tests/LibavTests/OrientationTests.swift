import Libav
import Pixels
import TestSupport
import Testing

/// Turned and mirrored frames.
@Suite(.timeLimit(.minutes(20))) struct OrientationTests {
  @Test(arguments: [SampleClip.rotated90, .rotated180, .rotated270]) func turnsAsFFmpegDoes(clip: SampleClip)
    throws
  {
    let path = try clip.path()
    let reader = try ClipReader(path)
    let size =
      reader.stream.orientation.swapsSides
      ? PixelSize(width: 54, height: 96) : PixelSize(width: 96, height: 54)
    let expected = try #require(try SampleMedia.referenceFrames(path, size: size, limit: 1).first)
    let image = try reader.image(0, ScaleRequest(size: size, orientation: reader.stream.orientation))
    // ffmpeg turns before it scales, with chroma halved the other way: alike, but not the same.
    let difference = Difference(image, expected)
    #expect(difference.mean < 6, "\(difference)")
    let other = Orientation(quarterTurns: reader.stream.orientation.quarterTurns + 2)
    let wrong = try reader.scaler.scale(reader.frame, to: ScaleRequest(size: size, orientation: other))
    #expect(Difference(wrong, expected).mean > 30)
  }

  static let matrices = [
    DisplayMatrix(a: 1, b: 0, c: 0, d: 1), DisplayMatrix(a: 0, b: 1, c: -1, d: 0), DisplayMatrix(a: -1, b: 0, c: 0, d: -1),
    DisplayMatrix(a: 0, b: -1, c: 1, d: 0), DisplayMatrix(a: -1, b: 0, c: 0, d: 1), DisplayMatrix(a: 1, b: 0, c: 0, d: -1),
    DisplayMatrix(a: 0, b: 1, c: 1, d: 0), DisplayMatrix(a: 0, b: -1, c: -1, d: 0),
  ]

  @Test(arguments: matrices) func allEightMatrices(matrix: DisplayMatrix) throws {
    let path = try matrix.clip(of: SampleClip.h264BFrames.path(), size: PixelSize(width: 320, height: 180))
    let plain = try ClipReader(try SampleClip.h264BFrames.path())
      .image(0, ScaleRequest(size: PixelSize(width: 96, height: 54)))
    let reader = try ClipReader(path)
    let swaps = matrix.a == 0
    #expect(reader.stream.orientation.swapsSides == swaps)
    let size = swaps ? PixelSize(width: 54, height: 96) : plain.size
    let image = try reader.image(0, ScaleRequest(size: size, orientation: reader.stream.orientation))
    let m = (a: Int(matrix.a), b: Int(matrix.b), c: Int(matrix.c), d: Int(matrix.d))
    // Where each pixel of the plain frame is to be seen, moved so that the frame begins at 0.
    var wrong = 0
    for y in 0..<plain.height {
      for x in 0..<plain.width {
        let x2 = m.a * x + m.c * y + (m.a + m.c < 0 ? size.width - 1 : 0)
        let y2 = m.b * x + m.d * y + (m.b + m.d < 0 ? size.height - 1 : 0)
        if image[x2, y2] != plain[x, y] { wrong += 1 }
      }
    }
    #expect(wrong == 0)
  }

  @Test(arguments: 0..<8) func croppingATurnedFrame(index: Int) throws {
    // Cropping and turning must be the same as turning and cropping.
    let orientation = Orientation(quarterTurns: index % 4, isMirrored: index >= 4)
    let path = try SampleClip.losslessBGRA.path()
    let full =
      orientation.swapsSides ? PixelSize(width: 180, height: 320) : PixelSize(width: 320, height: 180)
    let whole = try ClipReader(path).image(5, ScaleRequest(size: full, orientation: orientation))
    var request = ScaleRequest(
      size: PixelSize(width: full.width / 2, height: full.height / 2), orientation: orientation)
    request.region = FrameRegion(x: 0.1, y: 0.4, width: 0.5, height: 0.5)
    let part = try ClipReader(path).image(5, request)
    let left = full.width / 10
    let top = full.height * 2 / 5
    // Nothing is scaled, so every pixel is there as it was.
    var wrong = 0
    for y in 0..<part.height {
      for x in 0..<part.width where part[x, y] != whole[left + x, top + y] { wrong += 1 }
    }
    #expect(wrong == 0)
  }
}
