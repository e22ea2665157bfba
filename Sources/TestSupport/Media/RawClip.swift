import Foundation

/// A file of raw frames with a header that says what they are: exact content in any pixel format.
public enum RawClip {
  /// One frame of these bytes; libav's name of the format, tight planes in a row.
  public static func path(
    _ format: String, width: Int, height: Int, bytes: [UInt8], arguments: [String] = [], container: String = "nut"
  ) throws -> String {
    let raw = try SampleMedia.file(name: "raw.bin", key: [bytes.hashKey]) { path in
      try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
    return try SampleMedia.clip(
      name: "raw.\(container)",
      arguments: [
        "-f", "rawvideo", "-pix_fmt", format, "-s", "\(width)x\(height)", "-i", raw, "-c:v", "rawvideo",
      ]
        + arguments)
  }
}

extension [UInt8] {
  /// FNV-1a of the bytes and their number.
  fileprivate var hashKey: String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in self { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return "\(count)-\(hash)"
  }
}
