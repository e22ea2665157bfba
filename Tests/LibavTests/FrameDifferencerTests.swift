import CFFmpeg
import Foundation
import Pixels
import TestSupport
import Testing

@testable import Libav

/// Differences of frames against ffmpeg's.
@Suite(.timeLimit(.minutes(20))) struct FrameDifferencerTests {
  private static let size = PixelSize(width: 96, height: 64)

  private func most(_ difference: FrameDifference) -> Int {
    difference.image.withBytes { Int($0.max() ?? 0) }
  }

  private func difference(
    _ a: FramePixels, _ b: FramePixels, size: PixelSize = size, _ change: (inout DifferenceRequest) -> Void = { _ in }
  ) throws -> FrameDifference {
    var request = DifferenceRequest(size: size)
    request.planes = .all
    change(&request)
    return try FrameDifferencer().difference(of: a, from: b, request)
  }

  @Test(arguments: ["yuv420p", "yuv444p", "gray", "yuv420p10le", "yuv444p10le", "gray10le", "yuvj420p", "yuv422p12le"])
  func brightnessAgainstBlend(format: String) throws {
    let files = try ["mandelbrot=s=96x64:start_scale=2:rate=1", "testsrc2=s=96x64:rate=1"].map { source in
      try SampleMedia.clip(
        name: "blend.nut",
        arguments: [
          "-f", "lavfi", "-i", source, "-frames:v", "1", "-vf", "format=" + format, "-pix_fmt", format, "-c:v", "rawvideo",
        ])
    }
    let plane = format.hasPrefix("gray") ? "" : ",extractplanes=y"
    let data = try MediaTool.run(
      "ffmpeg",
      ["-v", "error", "-nostdin"] + files.flatMap { ["-i", "file:" + $0] }
        + ["-lavfi", "blend=all_mode=difference" + plane, "-f", "rawvideo", "-"])
    let depth = try RandomFrame.pixels(files[0]).bitDepth
    let expected = depth == 8 ? data.map { Int($0) }
      : stride(from: 0, to: data.count, by: 2).map { Int(data[$0]) | Int(data[$0 + 1]) << 8 }
    try #require(expected.count == Self.size.area)
    // Every bit counts if it is amplified.
    for gain in [1, 1 << (depth - 8)] {
      let result = try difference(RandomFrame.pixels(files[0]), RandomFrame.pixels(files[1])) {
        $0.planes = .luma
        $0.gain = gain
      }
      #expect(result.conversions == [])
      let found = result.image.withBytes { bytes in stride(from: 0, to: bytes.count, by: 3).map { Int(bytes[$0]) } }
      let unit = Double(gain) / Double(1 << (depth - 8))
      #expect(found == expected.map { Int(min(255, (Double($0) * unit).rounded())) }, "gain \(gain)")
    }
  }

  private static let scale = "scale=flags=accurate_rnd+full_chroma_int+full_chroma_inp+bicubic"

  private func coded(_ format: String, range: String, matrix: String) throws -> FramePixels {
    let tag = matrix == "bt601" ? "smpte170m" : "bt709"
    return try RandomFrame.picture(
      Self.scale + ":out_range=\(range):out_color_matrix=\(matrix),format=\(format),"
        + "setparams=range=\(range):colorspace=\(tag)",
      // From version 7 on, ffmpeg converts frames to what the encoder is asked for, whatever the filters say.
      format, colours: ["-color_range", range, "-colorspace", tag])
  }

  @Test(arguments: ["yuv420p", "yuv444p", "yuv420p10le", "yuv444p12le"])
  func rangesAndMatrices(format: String) throws {
    let plain = try coded(format, range: "tv", matrix: "bt601"), full = try coded(format, range: "pc", matrix: "bt601")
    let other = try coded(format, range: "tv", matrix: "bt709"), both = try coded(format, range: "pc", matrix: "bt709")
    let pairs: [(FramePixels, FramePixels, ComparisonConversions)] = [
      (plain, full, .range), (full, plain, .range), (plain, other, .matrix), (other, plain, .matrix), (full, both, .matrix),
      (both, plain, [.range, .matrix]), (plain, plain, []),
    ]
    for (a, b, conversions) in pairs {
      let result = try difference(a, b)
      #expect(result.conversions == conversions)
      // What the files themselves were rounded by; with other matrices, also by other ways to enlarge chroma.
      let gain = 1 << (a.bitDepth - 8)
      let allowed = conversions.isEmpty ? 0 : gain == 1 ? 1 : 3
      let found = try most(difference(a, b) { $0.gain = gain })
      #expect(found <= allowed, "\(a.formatText), \(b.formatText): \(found)")
    }
  }

  /// Formats that arrange the same samples in different ways.
  @Test(arguments: [
    ("yuv420p", "nv12"), ("yuv420p", "nv21"), ("yuv420p10le", "yuv420p10be"), ("yuv422p", "yuyv422"),
    ("yuv422p", "uyvy422"), ("gbrp", "rgb24"), ("gbrp", "bgra"), ("yuv420p16le", "yuv420p16be"), ("gray10le", "gray10be"),
    ("rgb48le", "rgb48be"), ("yuv420p", "yuva420p"),
  ])
  func arrangementsAreEqual(a: String, b: String) throws {
    let files = try [a, b].map { format in
      try SampleMedia.clip(
        name: "arranged.nut",
        arguments: [
          "-f", "lavfi", "-i", "mandelbrot=s=96x64:start_scale=2:rate=1", "-frames:v", "1", "-vf", "format=\(a),format=\(format)",
          "-pix_fmt", format, "-c:v", "rawvideo",
        ])
    }
    let (first, second) = try (RandomFrame.pixels(files[0]), RandomFrame.pixels(files[1]))
    for (x, y) in [(first, second), (second, first), (second, second)] {
      let result = try difference(x, y) { $0.gain = 64 }
      #expect(most(result) == 0 && result.conversions == [])
    }
  }

  /// Few files can have samples in the high bits.
  @Test func highBitsAreEqual() throws {
    var dice = SeededGenerator(seed: 8)
    let size = PixelSize(width: 5, height: 3)
    let high = try RandomFrame.make("p010le", size, &dice), low = try RandomFrame.make("yuv420p10le", size, &dice)
    for component in 0..<3 {
      let samples = try RandomFrame.samples(high, component)
      let source = try ScalerSource(whole: low.pointer)
      for (y, row) in samples.enumerated() {
        for (x, sample) in row.enumerated() {
          let plane = try #require(source.planes[component])
          let at = UnsafeMutablePointer(mutating: plane) + y * Int(source.strides[component]) + 2 * x
          (at[0], at[1]) = (UInt8(sample >> 6 & 255), UInt8(sample >> 14))
        }
      }
    }
    for (a, b) in [(high, low), (low, high)] {
      let result = try difference(FramePixels(sharing: a), FramePixels(sharing: b), size: size) { $0.gain = 64 }
      #expect(most(result) == 0 && result.conversions == [])
    }
  }

  @Test func kindsAndDepths() throws {
    let rgb = try RandomFrame.picture(Self.scale, "bgr0"), yuv = try coded("yuv444p", range: "tv", matrix: "bt601")
    for (a, b) in [(rgb, yuv), (yuv, rgb)] {
      let result = try difference(a, b)
      #expect(result.conversions == .format && most(result) <= 2)
    }
    let deep = try coded("yuv444p10le", range: "tv", matrix: "bt601")
    for (a, b) in [(deep, yuv), (yuv, deep)] {
      let result = try difference(a, b) { $0.gain = 4 }
      // 8 bits are half a step of theirs away.
      #expect(result.conversions == .format && (1...3).contains(most(result)))
    }
    // Other chroma does not count if brightness alone is compared.
    let subsampled = try coded("yuv420p", range: "tv", matrix: "bt601")
    #expect(try difference(yuv, subsampled) { $0.planes = .luma }.conversions == [])
    #expect(try difference(yuv, subsampled).conversions == .format)
  }

  @Test func otherSize() throws {
    let large = try coded("yuv420p", range: "tv", matrix: "bt601")
    let small = try RandomFrame.picture(
      "scale=48:32:out_range=tv:out_color_matrix=bt601,setparams=range=tv:colorspace=smpte170m", "yuv420p")
    for (a, b) in [(large, small), (small, large)] {
      let result = try difference(a, b) { $0.reduction = .mean }
      #expect(result.conversions == .scaled && most(result) <= 8)
    }
  }

  @Test func highDynamicRange() throws {
    let reader = try ClipReader(try SampleClip.hdrPQ.path())
    try #require(try reader.next())
    let first = try FramePixels(sharing: reader.frame)
    let image = try reader.scaler.scale(reader.frame, to: ScaleRequest(size: first.size))
    try #require(try reader.next())
    let second = try FramePixels(sharing: reader.frame)
    #expect(first.isHDR && first.bitDepth == 10 && first.formatText == "yuv420p10le, BT.2020, limited range, PQ")
    #expect(try most(difference(first, first)) == 0)
    let own = try difference(first, second)
    #expect(own.conversions == [] && most(own) > 0)
    // As the scaler shows it, but for the way that chroma is enlarged.
    for (a, b) in try [(first, FramePixels(image)), (FramePixels(image), first)] {
      let mapped = try difference(a, b, size: PixelSize(width: 1, height: 1)) { $0.reduction = .mean }
      #expect(mapped.conversions == .toneMapped && most(mapped) <= 4, "\(most(mapped))")
    }
    let hlg = try RandomFrame.pixels(try SampleClip.hdrHLG.path())
    #expect(try difference(first, hlg).conversions == .toneMapped)
  }

  @Test func colors() throws {
    func image(_ red: UInt8, _ green: UInt8, _ blue: UInt8) throws -> FramePixels {
      try FramePixels(PixelImage(size: PixelSize(width: 1, height: 1)) { ($0[0], $0[1], $0[2]) = (red, green, blue) })
    }
    let a = try image(100, 50, 7), b = try image(90, 60, 7)
    func pixel(_ style: DifferenceRequest.Style, _ planes: DifferenceRequest.Planes, gain: Int) throws -> [UInt8] {
      try difference(a, b, size: PixelSize(width: 1, height: 1)) { ($0.style, $0.planes, $0.gain) = (style, planes, gain) }
        .image.withBytes { Array($0) }
    }
    #expect(try pixel(.absolute, .all, gain: 2) == [20, 20, 0])
    #expect(try pixel(.signed, .all, gain: 2) == [138, 118, 128])
    // Red counts 0.2126, green 0.7152.
    #expect(try pixel(.absolute, .luma, gain: 2) == [10, 10, 10])
    #expect(try pixel(.signed, .luma, gain: 64) == [0, 0, 0])
    let heat = HeatScale.color(of: 40)
    #expect(try pixel(.heat, .all, gain: 4) == [heat.red, heat.green, heat.blue])
    #expect(try pixel(.absolute, .all, gain: 1000) == [255, 255, 0] && pixel(.absolute, .all, gain: -3) == [10, 10, 0])
  }

  @Test func heatGrowsLighter() {
    func light(_ amount: UInt8) -> Double {
      func linear(_ value: UInt8) -> Double { pow(Double(value) / 255, 2.2) }
      let color = HeatScale.color(of: amount)
      return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue)
    }
    // Between blue and magenta, brightness first stays.
    for amount in UInt8(0)..<255 { #expect(light(amount + 1) >= light(amount) - 0.002) }
    for amount in stride(from: UInt8(0), to: 240, by: 16) { #expect(light(amount + 15) > light(amount)) }
    #expect(HeatScale.color(of: 0) == (0, 0, 0) && HeatScale.color(of: 255) == (255, 255, 255))
  }
}
