import Foundation
import PlainText

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
  /// Their number and a hash of them.
  fileprivate var hashKey: String {
    var hash = FNV1a()
    for byte in self { hash.combine(byte) }
    return "\(count)-\(hash.hexadecimal)"
  }
}
