import Foundation

/// MP4 files whose edit lists are other ones than ffmpeg writes.
public enum EditedClip {
  /// A clip with other edits of a track, which has a list and lies behind its media, as ffmpeg writes it.
  ///
  /// - Parameters:
  ///   - track: counts from 0.
  ///   - edits: milliseconds that they last, and where they begin; nil shows nothing.
  public static func path(_ name: String, of clip: String, track: Int, _ edits: [(Int, Int?)]) throws -> String {
    try SampleMedia.file(name: name, key: [clip, "\(track)", "\(edits)"]) { path in
      var bytes = try Data(contentsOf: URL(fileURLWithPath: clip))
      func number(_ value: Int) -> Data { withUnsafeBytes(of: Int32(value).bigEndian) { Data($0) } }
      func number(at place: Int) -> Int { bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
      // The boxes around the list.
      var boxes: [Int] = [], place = 0
      for (name, count) in [("moov", 1), ("trak", track + 1), ("edts", 1), ("elst", 1)] {
        var left = count
        while true {
          if bytes[place + 4..<place + 8] == Data(name.utf8) { left -= 1 }
          if left == 0 { break }
          place += number(at: place)
        }
        boxes.append(place)
        place += 8
      }
      guard let header = bytes[boxes[1]...].firstRange(of: Data("mdhd".utf8)) else { throw CocoaError(.fileReadCorruptFile) }
      let scale = number(at: header.upperBound + 12)
      var list = number(0) + number(edits.count)
      for (duration, start) in edits { list += number(duration) + number(start.map { $0 * scale / 1000 } ?? -1) + number(0x10000) }
      let size = number(at: boxes[3])
      bytes.replaceSubrange(boxes[3] + 8..<boxes[3] + size, with: list)
      for box in boxes { bytes.replaceSubrange(box..<box + 4, with: number(number(at: box) + list.count + 8 - size)) }
      try bytes.write(to: URL(fileURLWithPath: path))
    }
  }
}
