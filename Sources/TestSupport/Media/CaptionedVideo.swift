import Foundation

/// Puts EIA-608 captions into the frames of H.264 video, as broadcasts carry them; there is no encoder for them.
public enum CaptionedVideo {
  /// 30 frames a second for 6 s, with two captions, in a container.
  ///
  /// - Parameters:
  ///   - kind: of the captions: 0 for EIA-608, 3 for EIA-708.
  ///   - hasLaterOnes: whether each frame carries something of EIA-708 beside that.
  public static func clip(_ name: String, kind: UInt8 = 0, hasLaterOnes: Bool = false) throws -> String {
    let stream = try SampleMedia.clip(
      name: "plain.h264",
      arguments: [
        "-f", "lavfi", "-i", "testsrc=s=64x36:r=30:d=6", "-c:v", "libx264", "-preset", "ultrafast", "-bf", "0", "-pix_fmt", "yuv420p",
      ])
    let plain = Array(try Data(contentsOf: URL(fileURLWithPath: stream)))
    let pairs = popOn("Hello there", at: 40, until: 70).merging(popOn("Second one!", at: 100, until: 150)) { first, _ in first }
    let bytes = insert(pairs, into: plain, kind: kind, hasLaterOnes: hasLaterOnes)
    let captioned = try SampleMedia.file(name: "captions-\(kind).h264", key: [stream, "\(bytes.count)", "\(kind)"]) {
      try Data(bytes).write(to: URL(fileURLWithPath: $0))
    }
    return try SampleMedia.clip(name: name, arguments: ["-r", "30", "-i", captioned, "-c", "copy"])
  }

  /// A caption that pops on and goes again: for each frame the two bytes that it carries.
  ///
  /// - Parameters:
  ///   - text: up to 32 characters of the basic set, in one row at the bottom.
  ///   - frame: at which it appears; its text is sent before, two characters a frame.
  ///   - end: frame at which it goes.
  public static func popOn(_ text: String, at frame: Int, until end: Int) -> [Int: (UInt8, UInt8)] {
    var pairs: [(UInt8, UInt8)] = [(0x14, 0x20), (0x14, 0x2E), (0x14, 0x70)]
    let bytes = Array(text.utf8) + (text.utf8.count % 2 == 1 ? [0] : [])
    for i in stride(from: 0, to: bytes.count, by: 2) { pairs.append((bytes[i], bytes[i + 1])) }
    var result: [Int: (UInt8, UInt8)] = [:]
    for (i, pair) in pairs.enumerated() { result[frame - pairs.count + i] = pair }
    result[frame] = (0x14, 0x2F)
    result[end] = (0x14, 0x2C)
    return result
  }

  /// Puts captions into a stream of H.264 with start codes, in which frames are shown in the order in which they stand.
  ///
  /// - Parameter pairs: by frame; other frames carry filling, as broadcasts do.
  private static func insert(
    _ pairs: [Int: (UInt8, UInt8)], into stream: [UInt8], kind: UInt8, hasLaterOnes: Bool
  ) -> [UInt8] {
    var result: [UInt8] = []
    var frame = 0
    for unit in units(stream) {
      if [1, 5].contains(unit[0] & 0x1F) {
        result += [0, 0, 0, 1] + message(pairs[frame] ?? (0, 0), kind, hasLaterOnes)
        frame += 1
      }
      result += [0, 0, 0, 1] + unit
    }
    return result
  }

  private static func units(_ stream: [UInt8]) -> [ArraySlice<UInt8>] {
    var starts: [(code: Int, unit: Int)] = []
    var i = 0
    while i + 3 < stream.count {
      if stream[i] == 0, stream[i + 1] == 0, stream[i + 2] == 1 {
        starts.append((i > 0 && stream[i - 1] == 0 ? i - 1 : i, i + 3))
        i += 3
      } else {
        i += 1
      }
    }
    return starts.enumerated().map { n, start in stream[start.unit..<(n + 1 < starts.count ? starts[n + 1].code : stream.count)] }
      .map { ArraySlice(Array($0)) }
  }

  /// An SEI unit with one pair, or another one of EIA-708 beside it.
  private static func message(_ pair: (UInt8, UInt8), _ kind: UInt8, _ hasLaterOnes: Bool) -> [UInt8] {
    func odd(_ byte: UInt8) -> UInt8 { byte.nonzeroBitCount % 2 == 0 ? byte | 0x80 : byte }
    let triplets: [UInt8] = [0xFC | kind, odd(pair.0), odd(pair.1)] + (hasLaterOnes ? [0xFF, 0x02, 0x21] : [])
    let data: [UInt8] = [0xB5, 0, 0x31, 0x47, 0x41, 0x39, 0x34, 3, hasLaterOnes ? 0x42 : 0x41, 0xFF] + triplets + [0xFF]
    return [6, 4, UInt8(data.count)] + data + [0x80]
  }
}
