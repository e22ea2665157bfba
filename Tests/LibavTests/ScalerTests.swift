import Foundation
import Libav
import Pixels
import TestSupport
import Testing

/// Frames against ffmpeg's own scaling.
@Suite(.timeLimit(.minutes(20))) struct ScalerTests {
  private static let clips: [SampleClip] = [
    .h264BFrames, .h264FullChroma, .h264TenBit422, .hevc10Bit, .paletted, .losslessBGRA, .png, .jpeg,
    .oddSize,
    .fullRange, .bt601, .mjpegAVI, .mpeg2ProgramStream, .av1,
  ]

  @Test(arguments: clips) func scalesAsFFmpegDoes(clip: SampleClip) throws {
    let path = try clip.path()
    for size in [
      PixelSize(width: 97, height: 61), PixelSize(width: 160, height: 90), PixelSize(width: 40, height: 20),
    ] {
      let reader = try ClipReader(path)
      let expected = try SampleMedia.referenceFrames(path, size: size, limit: 3)
      for image in expected {
        #expect(try reader.next())
        let difference = Difference(
          try reader.scaler.scale(reader.frame, to: ScaleRequest(size: size)), image)
        // Paletted frames are looked up first and scaled then. Where the size is odd, libswscale lays the last
        // sample of colour, half of which lies outside, over the frame's edge as if it were whole.
        let mean = clip == .oddSize ? 2 : 1.5, most = clip == .oddSize ? 80 : clip == .paletted ? 48 : 24
        #expect(
          difference.mean < mean && difference.most <= most,
          "\(clip) at \(size): \(difference)")
      }
    }
  }

  @Test(arguments: [
    "gray", "gray10le", "ya8", "monow", "monob", "rgb24", "bgr0", "rgb565le", "gbrp", "gbrp10le", "rgb48le",
    "nv12",
    "yuyv422", "uyvy422", "yuv410p", "yuv411p", "yuv440p", "yuvj420p", "yuvj444p", "p010le", "yuv420p16le",
    "xyz12le",
  ])
  func anyPixelFormat(format: String) throws {
    // A frame of slow ramps in exactly this format, made and read back by ffmpeg.
    let clip = try SampleMedia.clip(
      name: "any.nut",
      arguments: [
        "-f", "lavfi", "-i",
        "gradients=s=64x48:c0=red:c1=blue:c2=white:c3=black:n=4:x0=0:y0=0:x1=63:y1=47:seed=7:d=0.04",
        "-frames:v", "1", "-pix_fmt", format, "-c:v", "rawvideo",
      ])
    for size in [PixelSize(width: 21, height: 16), PixelSize(width: 64, height: 48)] {
      let expected = try #require(try SampleMedia.referenceFrames(clip, size: size, limit: 1).first)
      let image = try ClipReader(clip).image(0, ScaleRequest(size: size))
      let difference = Difference(image, expected)
      // Subsampled chroma is filtered in more than one right way.
      #expect(difference.mean < 4 && difference.most <= 40, "\(format) at \(size): \(difference)")
    }
  }

  /// Where planar frames are averaged without libswscale.
  @Test(arguments: [
    "gray", "gray10le", "gray10be", "rgb24", "bgra", "rgb565le", "gbrp", "gbrp12le", "nv12", "yuv420p", "yuv422p",
    "yuv444p", "yuv410p", "yuv440p", "p010le", "nv21", "yuv420p10le", "yuv422p12le", "yuv420p16le",
    "yuvj420p", "x2rgb10le", "xyz12le",
  ])
  func muchSmaller(format: String) throws {
    let clip = try SampleMedia.clip(
      name: "much-smaller.nut",
      arguments: [
        "-f", "lavfi", "-i", "mandelbrot=s=160x128:start_scale=2:rate=1", "-frames:v", "1", "-pix_fmt", format, "-c:v",
        "rawvideo",
      ])
    for size in [PixelSize(width: 33, height: 13), PixelSize(width: 20, height: 32), PixelSize(width: 160, height: 1)] {
      let expected = try #require(try SampleMedia.referenceFrames(clip, size: size, limit: 1).first)
      let difference = Difference(try ClipReader(clip).image(0, ScaleRequest(size: size)), expected)
      #expect(difference.mean < 3 && difference.most <= 40, "\(format) at \(size): \(difference)")
    }
  }

  @Test(arguments: [(1, 1), (1, 50), (50, 1), (3, 5), (640, 360), (333, 7), (320, 180)])
  func anySize(width: Int, height: Int) throws {
    for clip in [SampleClip.h264BFrames, .oddSize, .losslessBGRA, .hdrPQ, .paletted] {
      let size = PixelSize(width: width, height: height)
      let image = try ClipReader(try clip.path()).image(0, ScaleRequest(size: size))
      #expect(image.size == size)
      if width >= 160 && height >= 90 { #expect(FrameNumber.read(image) == 0, "\(clip)") }
    }
  }

  @Test(arguments: [
    ("bt709", "bt709", "tv"), ("bt709", "bt709", "pc"), ("bt601", "smpte170m", "tv"),
    ("bt601", "smpte170m", "pc"),
    ("bt601", "bt470bg", "tv"), ("smpte240m", "smpte240m", "tv"), ("bt2020", "bt2020nc", "tv"),
    ("fcc", "fcc", "tv"),
  ])
  func coloursFollowTheTags(matrix: String, tag: String, range: String) throws {
    for (x, y) in [(640, 360), (1280, 720)] {
      try card(x, y, matrix, range, ["-colorspace", tag, "-color_range", range])
    }
  }

  @Test(arguments: [(640, 360, "bt601"), (1280, 720, "bt709"), (720, 576, "bt601"), (704, 600, "bt709")])
  func withoutTagsTheSizeTells(width: Int, height: Int, matrix: String) throws {
    try card(width, height, matrix, "tv", [])
  }

  /// A card of pure colours, coded with one matrix and range and tagged as said, must look the same each time.
  private func card(_ width: Int, _ height: Int, _ matrix: String, _ range: String, _ tags: [String]) throws {
    let colours = ["red", "lime", "blue", "white", "black", "gray"]
    let expected: [[Int]] = [
      [255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255], [0, 0, 0], [128, 128, 128],
    ]
    let inputs = colours.flatMap {
      ["-f", "lavfi", "-i", "color=\($0):s=\(width / 2)x\(height):d=0.04:r=25,format=gbrp"]
    }
    for pair in 0..<3 {
      let clip = try SampleMedia.clip(
        name: "card.mkv",
        arguments: inputs + [
          "-filter_complex",
          "[\(2 * pair)][\(2 * pair + 1)]hstack,scale=out_color_matrix=\(matrix):out_range=\(range),format=yuv444p",
          "-frames:v", "1", "-c:v", "ffv1",
        ] + tags)
      let image = try ClipReader(clip).image(0, ScaleRequest(size: PixelSize(width: 40, height: 20)))
      for (side, x) in [(0, 5), (1, 34)] {
        let (r, g, b) = image[x, 10]
        let found = [Int(r), Int(g), Int(b)]
        let wanted = expected[2 * pair + side]
        #expect(zip(found, wanted).allSatisfy { abs($0 - $1) <= 4 }, "\(colours[2 * pair + side]): \(found)")
      }
    }
  }

  @Test func interlacedFramesDoNotComb() throws {
    let path = try SampleClip.interlacedTopFirst.path()
    let size = PixelSize(width: 160, height: 90)
    let reader = try ClipReader(path)
    // Which field is the first is the stream's to say; it is one of them and not both.
    let top = try SampleMedia.referenceFrames(path, size: size, filters: "field=top", limit: 10)
    let bottom = try SampleMedia.referenceFrames(path, size: size, filters: "field=bottom", limit: 10)
    for number in 0..<10 {
      #expect(try reader.next() && reader.frame.isInterlaced)
      let found = try reader.scaler.scale(reader.frame, to: ScaleRequest(size: size))
      #expect(min(Difference(found, top[number]).mean, Difference(found, bottom[number]).mean) < 1.5)
      // At full height neighbouring rows do not alternate, as they do in the woven frame.
      let whole = try reader.scaler.scale(reader.frame, to: ScaleRequest(size: reader.frame.size))
      #expect(combing(whole) < 2)
    }
  }

  /// Six lines with three rows of chroma: the second field has three lines and one row of them.
  @Test func aFieldTakesNoMoreChromaThanItHas() throws {
    let luma = [UInt8](repeating: 120, count: 48)
    let clip = try RawClip.path(
      "yuv420p", width: 8, height: 6,
      bytes: luma + [UInt8](repeating: 128, count: 12) + [UInt8](repeating: 210, count: 12),
      arguments: ["-vf", "setfield=bff", "-allow_raw_vfw", "1", "-field_order", "bb"], container: "mkv")
    let reader = try ClipReader(clip)
    let image = try reader.image(0, ScaleRequest(size: PixelSize(width: 8, height: 6)))
    #expect(reader.frame.isInterlaced)
    let (red, green, blue) = image[0, 0]
    for y in 0..<6 {
      for x in 0..<8 { #expect(image[x, y] == (red, green, blue), "\(x), \(y)") }
    }
  }

  /// A crop that begins where the frame ends takes its last pixels, and colours that are the frame's.
  @Test(arguments: ["yuv420p", "yuv422p", "yuv410p", "nv12"], [(1.0, 0.0), (0, 1), (1, 1), (0.99, 0.99)])
  func aCropAtTheEndStaysInside(format: String, at place: (x: Double, y: Double)) throws {
    let clip = try SampleMedia.clip(
      name: "red.nut",
      arguments: [
        "-f", "lavfi", "-i", "color=red:s=64x64:r=1", "-frames:v", "1", "-pix_fmt", format, "-c:v", "rawvideo",
      ])
    let reader = try ClipReader(clip)
    var request = ScaleRequest(size: PixelSize(width: 2, height: 2))
    let (red, green, blue) = try reader.image(0, request)[0, 0]
    request.region = FrameRegion(x: place.x, y: place.y, width: 0.5, height: 0.5)
    let image = try reader.scaler.scale(reader.frame, to: request)
    for y in 0..<2 {
      for x in 0..<2 { #expect(image[x, y] == (red, green, blue), "\(x), \(y): \(image[x, y])") }
    }
  }

  /// Mean of how much each pixel leaves both its vertical neighbours to the same side.
  private func combing(_ image: PixelImage) -> Double {
    var sum = 0.0
    for y in 1..<(image.height - 1) {
      for x in 0..<image.width {
        let above = Double(image[x, y - 1].green)
        let here = Double(image[x, y].green)
        let below = Double(image[x, y + 1].green)
        if (here - above) * (here - below) > 0 { sum += min(abs(here - above), abs(here - below)) }
      }
    }
    return sum / Double(image.size.area)
  }

  @Test(arguments: [(60, 60), (160, 20), (33, 71), (20, 90)]) func fillEqualsCropping(width: Int, height: Int)
    throws
  {
    for clip in [SampleClip.h264BFrames, .h264FullChroma, .h264TenBit422, .paletted, .losslessBGRA, .oddSize]
    {
      let path = try clip.path()
      let reader = try ClipReader(path)
      let source = reader.stream.size
      let geometry = FrameGeometry(
        aspect: Double(source.width) / Double(source.height), box: PixelSize(width: width, height: height),
        pixelAspect: 1, gravity: .resizeAspectFill)
      // Chroma makes it begin on even pixels.
      func even(_ value: Double) -> Int { Int(value.rounded()) / 2 * 2 }
      let x = even(geometry.visible.x * Double(source.width))
      let y = even(geometry.visible.y * Double(source.height))
      let w = Int((geometry.visible.width * Double(source.width)).rounded())
      let h = Int((geometry.visible.height * Double(source.height)).rounded())
      let expected = try #require(
        try SampleMedia.referenceFrames(
          path, size: geometry.imageSize, filters: "crop=\(w):\(h):\(x):\(y):exact=1", limit: 1
        ).first)
      let image = try reader.image(0, ScaleRequest(geometry: geometry, orientation: .upright))
      #expect(Difference(image, expected).mean < 3, "\(clip): \(Difference(image, expected))")
    }
  }
}
