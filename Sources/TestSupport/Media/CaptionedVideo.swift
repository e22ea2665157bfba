import Foundation

/// Puts EIA-608 captions into the frames of video, as broadcasts carry them; there is no encoder for them.
public enum CaptionedVideo {
  /// The coding of the video.
  public enum Coding: String, CaseIterable, Sendable {
    case h264, hevc, m2v

    fileprivate var arguments: [String] {
      switch self {
      case .h264: ["libx264", "-preset", "ultrafast", "-bf", "0", "-g", "30"]
      case .hevc: ["libx265", "-preset", "ultrafast", "-x265-params", "bframes=0:log-level=none"]
      // With frames that are shown later than others that follow; their order is in the stream.
      case .m2v: ["mpeg2video", "-bf", "2"]
      }
    }
  }

  /// 30 frames a second for 6 s, with two captions, in a container.
  ///
  /// - Parameters:
  ///   - kind: of the captions: 0 for EIA-608, 3 for EIA-708.
  ///   - hasLaterOnes: whether each frame carries something of EIA-708 beside that.
  public static func clip(_ name: String, kind: UInt8 = 0, hasLaterOnes: Bool = false, coding: Coding = .h264) throws -> String {
    try clip(name, seconds: 6, pairs: twoCaptions(), kind: kind, hasLaterOnes: hasLaterOnes, coding: coding)
  }

  /// Two captions: "Hello there" from frame 40 to 70, and "Second one!" from 100 to 150.
  ///
  /// - Parameter delay: frames by which both are later.
  public static func twoCaptions(delay: Int = 0) -> [Int: (UInt8, UInt8)] {
    popOn("Hello there", at: delay + 40, until: delay + 70)
      .merging(popOn("Second one!", at: delay + 100, until: delay + 150)) { first, _ in first }
  }

  /// 30 frames a second with captions.
  ///
  /// - Parameters:
  ///   - pairs: two bytes for each frame that says something.
  ///   - hasFilling: whether all other frames carry filling, as in broadcasts; else nothing.
  public static func clip(
    _ name: String, seconds: Int, pairs: [Int: (UInt8, UInt8)], kind: UInt8 = 0, hasLaterOnes: Bool = false, hasFilling: Bool = true,
    coding: Coding = .h264
  ) throws -> String {
    let stream = try SampleMedia.clip(
      name: "plain.\(coding)",
      arguments: ["-f", "lavfi", "-i", "testsrc=s=64x36:r=30:d=\(seconds)", "-pix_fmt", "yuv420p", "-c:v"] + coding.arguments)
    let plain = Array(try Data(contentsOf: URL(fileURLWithPath: stream)))
    let said = pairs.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.0) \($0.value.1)" }.joined(separator: ",")
    let captioned = try SampleMedia.file(
      name: "captions.\(coding)", key: [stream, said, "\(kind)", "\(hasLaterOnes)", "\(hasFilling)"]
    ) { path in
      let filling: (UInt8, UInt8)? = hasFilling ? (0, 0) : nil
      let bytes = insert(into: plain, coding) { frame in
        (pairs[frame] ?? filling).map { userData($0, kind, hasLaterOnes) }
      }
      try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
    return try SampleMedia.clip(name: name, arguments: ["-fflags", "+genpts", "-r", "30", "-i", captioned, "-c", "copy"])
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

  /// Puts captions into a stream with start codes, in which each frame begins with its first slice.
  ///
  /// - Parameter captions: what a frame carries, by its number as it is shown; nil for nothing.
  private static func insert(into stream: [UInt8], _ coding: Coding, _ captions: (Int) -> [UInt8]?) -> [UInt8] {
    var result: [UInt8] = []
    // Frames so far, of which so many came before the present group; where the present one is shown in that.
    var count = 0, base = 0, place = 0
    for unit in units(stream) {
      let header: [UInt8]?
      switch coding {
      case .h264: header = [1, 5].contains(unit[0] & 0x1F) ? [6] : nil
      case .hevc: header = unit[0] >> 1 & 0x3F < 32 && unit[2] & 0x80 != 0 ? [39 << 1, 1] : nil
      case .m2v:
        if unit[0] == 0xB8 { base = count }
        if unit[0] == 0 { place = Int(unit[1]) << 2 | Int(unit[2] >> 6) }
        header = unit[0] == 1 ? [0xB2] : nil
      }
      if let header {
        if let data = captions(coding == .m2v ? base + place : count) {
          result += [0, 0, 0, 1] + header + (coding == .m2v ? Array(data.dropFirst(3)) : [4, UInt8(data.count)] + data + [0x80])
        }
        count += 1
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

  /// An SEI unit of H.264 with one pair of bytes.
  public static func message(_ pair: (UInt8, UInt8)) -> [UInt8] {
    let data = userData(pair, 0, false)
    return [6, 4, UInt8(data.count)] + data + [0x80]
  }

  /// User data with one pair, or another one of EIA-708 beside it.
  private static func userData(_ pair: (UInt8, UInt8), _ kind: UInt8, _ hasLaterOnes: Bool) -> [UInt8] {
    func odd(_ byte: UInt8) -> UInt8 { byte.nonzeroBitCount % 2 == 0 ? byte | 0x80 : byte }
    let triplets: [UInt8] = [0xFC | kind, odd(pair.0), odd(pair.1)] + (hasLaterOnes ? [0xFF, 0x02, 0x21] : [])
    return [0xB5, 0, 0x31, 0x47, 0x41, 0x39, 0x34, 3, hasLaterOnes ? 0x42 : 0x41, 0xFF] + triplets + [0xFF]
  }
}
