import Libav
import Pixels
import TestSupport
import Testing

/// Frames that are made to be coded.
@Suite(.timeLimit(.minutes(20))) struct FrameConverterTests {
  private static let size = PixelSize(width: 32, height: 16)

  private func image(_ value: UInt8) -> PixelImage {
    PixelImage(size: Self.size) { $0.update(repeating: value) }
  }

  /// Writers and readers take an unspecified range of values in the same way.
  @Test(arguments: ["gray", "gray10le", "yuv420p", "rgb24"], ["", "tv", "pc"])
  func blackAndWhiteStay(format: String, range: String) throws {
    let converter = FrameConverter(format: VideoFormat(size: Self.size, pixelFormat: format, colorRange: range))
    for value: UInt8 in [0, 255] {
      let frame = try converter.convert(image(value))
      #expect(converter.isInFormat(frame))
      let read = try Scaler().scale(frame, to: ScaleRequest(size: Self.size))
      #expect(read.withBytes { $0.allSatisfy { abs(Int($0) - Int(value)) <= 1 } })
    }
  }

  @Test(arguments: ["gray", "yuv420p", "rgb24"]) func barsAreBlack(format: String) throws {
    let format = VideoFormat(size: Self.size, pixelFormat: format)
    let white = try FrameConverter(format: format).convert(image(255))
    let frame = try FrameConverter(format: format).convert(white, fitting: PixelSize(width: 16, height: 16))
    let read = try Scaler().scale(frame, to: ScaleRequest(size: Self.size))
    let row = read.withBytes { bytes in (0..<32).map { bytes[3 * (8 * 32 + $0)] } }
    #expect(row == (0..<32).map { (8..<24).contains($0) ? 255 : 0 })
  }
}
