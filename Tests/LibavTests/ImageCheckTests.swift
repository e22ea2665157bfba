import CFFmpeg
import Foundation
import TestSupport
import Testing

@testable import Libav

/// Whole images pass, and parts of them do not.
@Suite(.timeLimit(.minutes(20))) struct ImageCheckTests {
  private static let formats: [(ending: String, codec: AVCodecID, options: [String])] = [
    ("png", AV_CODEC_ID_PNG, []), ("jpg", AV_CODEC_ID_MJPEG, []), ("webp", AV_CODEC_ID_WEBP, []), ("bmp", AV_CODEC_ID_BMP, []),
    ("dpx", AV_CODEC_ID_DPX, []), ("exr", AV_CODEC_ID_EXR, ["-compression", "zip16"]), ("tiff", AV_CODEC_ID_TIFF, []),
  ]

  private func image(_ ending: String, _ options: [String]) throws -> [UInt8] {
    let path = try SampleMedia.clip(
      name: "image.\(ending)", arguments: ["-f", "lavfi", "-i", "testsrc2=size=96x64", "-frames:v", "1"] + options)
    return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  private func isComplete(_ bytes: some Collection<UInt8>, _ codec: AVCodecID) -> Bool {
    Array(bytes).withUnsafeBufferPointer { ImageCheck($0).isComplete(as: codec) }
  }

  @Test(arguments: formats.indices) func partsAreRecognised(index: Int) throws {
    let (ending, codec, options) = Self.formats[index]
    let bytes = try image(ending, options)
    #expect(isComplete(bytes, codec))
    #expect(isComplete(bytes + [0, 0, 0], codec), "bytes after the end do no harm")
    for count in [0, 1, 7, 20, bytes.count / 4, bytes.count / 2] { #expect(!isComplete(bytes.prefix(count), codec), "\(count) bytes") }
    // Space that is allocated and not written.
    #expect(!isComplete([UInt8](repeating: 0, count: bytes.count), codec))
  }

  @Test(arguments: ["png", "jpg", "exr"]) func anEndOfZerosIsNoEnd(ending: String) throws {
    let (_, codec, options) = try #require(Self.formats.first { $0.ending == ending })
    let bytes = try image(ending, options)
    #expect(!isComplete(bytes.prefix(bytes.count / 2) + [UInt8](repeating: 0, count: bytes.count - bytes.count / 2), codec))
  }

  @Test func damageInsidePNGIsFound() throws {
    var bytes = try image("png", [])
    bytes[bytes.count / 2] ^= 1
    #expect(!isComplete(bytes, AV_CODEC_ID_PNG))
  }

  @Test func anythingIsSafe() {
    var random = SeededGenerator(seed: 7)
    let signatures: [[UInt8]] = [
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], [0xFF, 0xD8], Array("RIFF".utf8), Array("BM".utf8), Array("SDPX".utf8),
      [0x76, 0x2F, 0x31, 0x01, 2, 0, 0, 0], Array("II*\0".utf8),
    ]
    for (signature, format) in zip(signatures, Self.formats) {
      for _ in 0..<200 {
        let count = Int.random(in: 0..<200, using: &random)
        _ = isComplete(signature + (0..<count).map { _ in .random(in: 0...255, using: &random) }, format.codec)
      }
    }
  }
}
