import Foundation

/// Writes image subtitles as Blu-ray discs have them (PGS), for which there is no encoder.
public struct PGSFile {
  /// All of the file so far.
  public private(set) var bytes: [UInt8] = []
  private let width: Int
  private let height: Int
  private var number = 0

  /// A file for frames of a size.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// Shows a box of one colour in a transparent margin from a time on.
  ///
  /// - Parameters:
  ///   - seconds: at which it appears.
  ///   - x: the left edge of the box; the margin is 2 pixels wide.
  ///   - luma: of the box, from 16 to 235.
  ///   - red: its difference from red, 128 for none, as for grey.
  ///   - blue: its difference from blue.
  public mutating func show(
    at seconds: Double, x: Int, y: Int, width: Int, height: Int, luma: UInt8 = 235, red: UInt8 = 128, blue: UInt8 = 128
  ) {
    let (x, y, width, height) = (x - 2, y - 2, width + 4, height + 4)
    begin(at: seconds, objects: word(0) + [0, 0] + word(x) + word(y), count: 1)
    segment(0x17, [1, 0] + word(x) + word(y) + word(width) + word(height), at: seconds)
    segment(0x14, [0, 0, 1, luma, red, blue, 255], at: seconds)
    var data: [UInt8] = []
    for row in 0..<height {
      let isMargin = row < 2 || row >= height - 2
      if isMargin { data += run(width, color: 0) } else { data += run(2, color: 0) + run(width - 4, color: 1) + run(2, color: 0) }
      data += [0, 0]
    }
    let length = data.count + 4
    let object = word(0) + [0, 0xC0, UInt8(length >> 16), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF)] + word(width) + word(height)
    segment(0x15, object + data, at: seconds)
    end(at: seconds)
  }

  /// Takes away what was shown.
  public mutating func clear(at seconds: Double) {
    begin(at: seconds, objects: [], count: 0)
    end(at: seconds)
  }

  /// A file of it, made once for all who want the same.
  public func file(named name: String) throws -> String {
    try SampleMedia.file(name: name, key: ["\(bytes)"]) { try Data(bytes).write(to: URL(fileURLWithPath: $0)) }
  }

  private mutating func begin(at seconds: Double, objects: [UInt8], count: UInt8) {
    number += 1
    segment(0x16, word(width) + word(height) + [0x10] + word(number) + [0x80, 0, 0, count] + objects, at: seconds)
  }

  /// As on discs, which have read a page before they show it.
  private mutating func end(at seconds: Double) { segment(0x80, [], at: max(0, seconds - 0.04)) }

  private mutating func segment(_ kind: UInt8, _ payload: [UInt8], at seconds: Double) {
    let time = UInt32((seconds * 90_000).rounded())
    bytes += [0x50, 0x47]
    bytes += (0..<4).map { (byte: Int) -> UInt8 in UInt8(time >> (24 - 8 * byte) & 0xFF) }
    bytes += [0, 0, 0, 0, kind]
    bytes += word(payload.count) + payload
  }

  private func word(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)] }

  private func run(_ count: Int, color: UInt8) -> [UInt8] {
    if color == 0 { return [0, 0x40 | UInt8(count >> 8), UInt8(count & 0xFF)] }
    return [0, 0xC0 | UInt8(count >> 8), UInt8(count & 0xFF), color]
  }
}
