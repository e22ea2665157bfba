import Foundation

/// MP4 files that describe the display on which they were mastered, which ffmpeg's encoders do not.
public enum MasteredClip {
  /// A clip with a description of its dynamic range, of one whose first track is H.264 and lies behind its media, as ffmpeg
  /// writes it.
  ///
  /// - Parameters:
  ///   - peak: cd/m².
  ///   - maximum, average: MaxCLL and MaxFALL, cd/m².
  public static func path(_ name: String, of clip: String, peak: Int, maximum: Int, average: Int) throws -> String {
    try SampleMedia.file(name: name, key: [clip, "\(peak) \(maximum) \(average)"]) { path in
      var bytes = try Data(contentsOf: URL(fileURLWithPath: clip))
      func number<T: FixedWidthInteger>(_ value: T) -> Data { withUnsafeBytes(of: value.bigEndian) { Data($0) } }
      func number(at place: Int) -> Int { bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
      func box(_ name: String, _ content: Data) -> Data { number(UInt32(content.count + 8)) + Data(name.utf8) + content }
      // The boxes around the description of the samples, and how much of each lies before the next.
      var boxes: [Int] = [], place = 0
      for (name, before) in [("moov", 8), ("trak", 8), ("mdia", 8), ("minf", 8), ("stbl", 8), ("stsd", 16), ("avc1", 8)] {
        while bytes[place + 4..<place + 8] != Data(name.utf8) { place += number(at: place) }
        boxes.append(place)
        place += before
      }
      let primaries: [UInt16] = [8500, 39850, 6550, 2300, 35400, 14600, 15635, 16450]
      let display = primaries.map { number($0) }.reduce(Data(), +) + number(UInt32(peak * 10_000)) + number(UInt32(50))
      let added = box("mdcv", display) + box("clli", number(UInt16(maximum)) + number(UInt16(average)))
      let last = boxes[boxes.count - 1]
      bytes.insert(contentsOf: added, at: last + number(at: last))
      for box in boxes { bytes.replaceSubrange(box..<box + 4, with: number(UInt32(number(at: box) + added.count))) }
      try bytes.write(to: URL(fileURLWithPath: path))
    }
  }
}
