/// The line of a WebVTT segment that tells which timestamp of the video belongs to one of its times (RFC 8216, 3.5).
struct WebVTTTimestampMap: Hashable {
  /// A time of the file, and the timestamp of the video at that time.
  let local, stamp: MediaTime

  /// The number of lines in which the map may be.
  private static let maxLines = 64

  /// Reads the map of a file; nil if it has none.
  init?(_ bytes: [UInt8]) {
    var count = 0
    for line in TextLines(bytes) {
      count += 1
      // The header ends with an empty line.
      if count > Self.maxLines || (count > 1 && TextLines.trimmed(line).isEmpty) { return nil }
      let text = String(decoding: line, as: UTF8.self)
      guard let range = text.firstRange(of: "X-TIMESTAMP-MAP=") else { continue }
      var local: MediaTime?, ticks: Int64?
      for field in text[range.upperBound...].split(separator: ",") {
        if let value = field.value(of: "MPEGTS:") { ticks = Int64(value) }
        if let value = field.value(of: "LOCAL:") { local = MediaTime(clockText: String(value)) }
      }
      guard let local, let ticks, (0..<1 << 33).contains(ticks) else { return nil }
      (self.local, stamp) = (local, MediaTime(value: ticks, timescale: 90_000))
      return
    }
    return nil
  }

  /// Returns the video's timestamp at a time of the file.
  func timestamp(of time: MediaTime) -> MediaTime { time - local + stamp }
}

extension Substring {
  /// Returns what follows a name, without blanks around it; nil if the text begins otherwise.
  fileprivate func value(of name: String) -> Substring? {
    let text = drop { $0 == " " }
    guard text.hasPrefix(name) else { return nil }
    return text.dropFirst(name.count).prefix { !$0.isWhitespace }
  }
}
