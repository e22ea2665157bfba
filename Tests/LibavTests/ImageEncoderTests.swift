import Foundation
import Libav
import Pixels
import TestSupport
import Testing

@Suite("Image encoder", .timeLimit(.minutes(20)))
struct ImageEncoderTests {
  /// An image with every kind of detail: gradients, noise, hard edges.
  private static func image(_ width: Int, _ height: Int) -> PixelImage {
    var state: UInt32 = 7
    return PixelImage(size: PixelSize(width: width, height: height)) { out in
      for y in 0..<height {
        for x in 0..<width {
          state = state &* 1_664_525 &+ 1_013_904_223
          let i = 3 * (y * width + x)
          out[i] = UInt8(x * 255 / max(1, width - 1))
          out[i + 1] = UInt8(y * 255 / max(1, height - 1))
          out[i + 2] = x > width / 2 ? UInt8(state >> 24) : (x / 8 + y / 8) % 2 == 0 ? 255 : 0
        }
      }
    }
  }

  private static func decoded(_ bytes: [UInt8], name: String, size: PixelSize) throws -> PixelImage {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString)-\(name)")
      .path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let reader = try ClipReader(path)
    return try reader.image(0, ScaleRequest(size: size))
  }

  @Test("a PNG decodes to the very same pixels", arguments: [(320, 180), (1, 1), (17, 3), (641, 479)])
  func png(width: Int, height: Int) throws {
    let image = Self.image(width, height)
    let bytes = try ImageEncoder.encode(image, as: .png)
    #expect(Array(bytes.prefix(4)) == [0x89, 0x50, 0x4E, 0x47])
    #expect(try Self.decoded(bytes, name: "a.png", size: image.size) == image)
  }

  @Test("a JPEG decodes to nearly the same pixels")
  func jpeg() throws {
    let image = PixelImage(size: PixelSize(width: 321, height: 183)) { out in
      for i in 0..<out.count / 3 {
        (out[3 * i], out[3 * i + 1], out[3 * i + 2]) = (
          UInt8(i % 321 * 255 / 320), UInt8(i / 321 * 255 / 182), 40
        )
      }
    }
    let bytes = try ImageEncoder.encode(image, as: .jpeg)
    #expect(Array(bytes.prefix(2)) == [0xFF, 0xD8])
    let difference = Difference(image, try Self.decoded(bytes, name: "a.jpg", size: image.size))
    #expect(difference.mean < 2 && difference.most < 24)
  }

  @Test("ffmpeg decodes a PNG to the very same pixels")
  func foreign() throws {
    let image = Self.image(64, 48)
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).png").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(ImageEncoder.encode(image, as: .png)).write(to: URL(fileURLWithPath: path))
    let data = try MediaTool.run(
      "ffmpeg", ["-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"])
    #expect(image.withBytes { Array($0) } == Array(data))
  }
}
