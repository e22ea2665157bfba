import TestSupport
import Testing

/// An image that the program has saved.
enum SavedFrame {
  /// The number that its numbered frame shows; nil where it shows none.
  static func number(_ path: String, width: Int, height: Int) throws -> Int? {
    let size = try MediaTool.probe(path, entries: "stream=width,height")
    #expect(size == ["\(width),\(height)"])
    let bytes = try [UInt8](
      MediaTool.run("ffmpeg", ["-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]))
    try #require(bytes.count == width * height * 3)
    return FrameNumber.read(width: width, height: height) { x, y in
      let i = 3 * (y * width + x)
      return (bytes[i], bytes[i + 1], bytes[i + 2])
    }
  }
}
