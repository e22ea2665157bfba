import Glibc

/// The forms of values in manifests.
enum DASHText {
  /// Seconds since 1970.
  static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Parses a duration such as PT1H2M3.5S, in seconds; nil for anything else.
  static func duration(_ text: String?) -> Double? {
    guard let text, text.hasPrefix("P") else { return nil }
    var seconds = 0.0, isTime = false, number = ""
    for character in text.dropFirst() {
      switch character {
      case "T": isTime = true
      case "0"..."9", ".": number.append(character)
      default:
        let units: [Character: Double] = isTime ? ["H": 3600, "M": 60, "S": 1] : ["Y": 365 * 86_400, "M": 30 * 86_400, "D": 86_400]
        guard let unit = units[character], let value = Double(number) else { return nil }
        seconds += value * unit
        number = ""
      }
    }
    return number.isEmpty && seconds.isFinite && seconds < 1e10 ? seconds : nil
  }

  /// Parses a date such as 2024-05-01T12:00:00.5Z, in seconds since 1970; nil for anything else.
  static func date(_ text: String?) -> Double? {
    text.flatMap { HLSDate.nanoseconds(Array($0.utf8)[...]) }.map { Double($0) / 1e9 }
  }

  /// Parses a fraction such as 30000/1001, or a number.
  static func ratio(_ text: String) -> Double? {
    let sides = text.split(separator: "/").compactMap { Double($0) }
    guard let first = sides.first, first > 0, first.isFinite else { return nil }
    return sides.count == 2 && sides[1] > 0 ? first / sides[1] : first
  }

  /// Parses a range of bytes such as 0-99.
  static func range(_ text: String?) -> Range<Int64>? {
    let ends = text?.split(separator: "-").compactMap { Int64($0) } ?? []
    guard ends.count == 2, ends[0] >= 0, ends[1] >= ends[0], ends[1] < 1 << 60 else { return nil }
    return ends[0]..<ends[1] + 1
  }

  /// A number with up to six decimals.
  static func decimal(_ value: Double) -> String {
    let micros = Int64(saturating: (min(max(value, 0), 1e10) * 1e6).rounded())
    return "\(micros / 1_000_000).\(String(micros % 1_000_000 + 1_000_000).dropFirst())"
  }

  /// Text that may stand between quotes in a playlist.
  static func quotable(_ text: String) -> String {
    String(text.unicodeScalars.filter { $0 != "\"" && $0.value >= 0x20 && $0.value != 0x7F }.prefix(200).map(Character.init))
  }

  /// Fills in a pattern of addresses.
  static func filled(_ pattern: String, representation: XMLElement, bandwidth: String?, number: Int64, time: Int64) -> String {
    var result = "", rest = pattern[...]
    while let start = rest.firstIndex(of: "$") {
      result += rest[..<start]
      rest = rest[rest.index(after: start)...]
      guard let end = rest.firstIndex(of: "$") else { return result + "$" + rest }
      let name = rest[..<end]
      rest = rest[rest.index(after: end)...]
      let sides = name.split(separator: "%", maxSplits: 1)
      // As in C: %05d.
      let width = sides.count == 2 ? Int(sides[1].dropLast()).map { min($0, 20) } ?? 0 : 0
      func padded(_ value: String) -> String { String(repeating: "0", count: max(0, width - value.count)) + value }
      switch sides.first {
      case nil: result += "$"
      case "RepresentationID": result += representation["id"] ?? ""
      case "Bandwidth": result += padded(bandwidth ?? "")
      case "Number": result += padded("\(number)")
      case "Time": result += padded("\(time)")
      default: result += "$\(name)$"
      }
    }
    return result + rest
  }
}

/// The box of a file that lists its segments ("sidx").
struct SegmentIndexBox {
  let segments: [(range: Range<Int64>, duration: Double)]

  /// - Parameter end: the offset of the byte after the bytes, from which segments are counted.
  init?(_ bytes: [UInt8], endingAt end: Int64) {
    func number(_ offset: Int, _ count: Int) -> UInt64? {
      guard offset >= 0, offset + count <= bytes.count else { return nil }
      return bytes[offset..<offset + count].reduce(0) { $0 << 8 | UInt64($1) }
    }
    guard bytes.count > 8, Array(bytes[4..<8]) == Array("sidx".utf8), let version = number(8, 1), let scale = number(16, 4), scale > 0 else {
      return nil
    }
    let wide = version > 0
    guard let first = number(wide ? 28 : 24, wide ? 8 : 4), let count = number(wide ? 38 : 30, 2) else { return nil }
    var offset = end.saturatingAdd(Int64(clamping: first)), segments: [(Range<Int64>, Double)] = []
    for index in 0..<Int(count) {
      let at = (wide ? 40 : 32) + 12 * index
      guard let size = number(at, 4), let duration = number(at + 4, 4) else { return nil }
      // A reference to another index is not followed.
      guard size & 0x8000_0000 == 0, size > 0 else { return nil }
      segments.append((offset..<offset + Int64(size), max(0.001, Double(duration) / Double(scale))))
      offset += Int64(size)
    }
    guard !segments.isEmpty else { return nil }
    self.segments = segments
  }
}
