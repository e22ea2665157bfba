import Foundation
import Libav
import TestSupport
import Testing

/// The hashes of decoded frames.
@Suite(.timeLimit(.minutes(20))) struct FrameHashTests {
  /// Formats of all kinds of planes, of a size that no subsampling divides.
  @Test(arguments: [
    "yuv420p", "yuv410p", "yuv440p", "yuva420p", "nv12", "gbrp10le", "gray16le", "uyvy422", "rgb555le", "monob", "pal8",
  ])
  func equalsFramemd5(format: String) throws {
    try check("frames.nut", ["-pix_fmt", format, "-c:v", "rawvideo"])
  }

  /// AVI keeps the rows of RGB from the bottom: strides are negative.
  @Test func rowsFromTheBottom() throws { try check("frames.avi", ["-pix_fmt", "bgr24", "-c:v", "rawvideo"]) }

  @Test func palettesTellFramesApart() throws {
    let indices = [UInt8](repeating: 1, count: 16 * 16)
    let hashes = try [0x10, 0x20].map { blue in
      let path = try RawClip.path(
        "pal8", width: 16, height: 16, bytes: indices + (0..<256).flatMap { _ in [UInt8(blue), 0, 0, 255] })
      let reader = try ClipReader(path)
      try #require(try reader.next())
      return reader.frame.quickHash()
    }
    #expect(hashes[0] != hashes[1])
  }

  private func check(_ name: String, _ arguments: [String]) throws {
    let path = try SampleMedia.clip(
      name: name, arguments: ["-f", "lavfi", "-i", "testsrc=size=33x17:rate=5", "-frames:v", "3"] + arguments)
    let reader = try ClipReader(path)
    var found: [String] = []
    while try reader.next() { found.append(try reader.frame.md5()) }
    #expect(found.count == 3)
    #expect(try MediaTool.frameHashes(["-i", path]) == found)
  }
}
