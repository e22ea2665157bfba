import Foundation

/// A clip of 16×16 pixels in AVI whose palette changes in parts: ffmpeg's own muxer changes it as a whole.
///
/// Each change sets a range of the 256 colors; the others stay as they were.
struct PalettedAVI {
  var count: Int
  /// Frames from one change of the palette to the next.
  var changesEvery: Int
  /// True if frames are coded as Microsoft Video 1, based on those before them; false if they are uncompressed.
  var isCompressed: Bool

  private static let side = 16

  func path() throws -> String {
    try SampleMedia.file(name: "parts.avi", key: ["paletted", "\(count)", "\(changesEvery)", "\(isCompressed)"]) { path in
      try bytes.write(to: URL(fileURLWithPath: path))
    }
  }

  private var bytes: Data {
    var movie = Data("movi".utf8)
    var index = Data()
    func add(_ name: String, _ content: Data, flags: UInt32) {
      index += Data(name.utf8) + Self.words(flags, UInt32(movie.count), UInt32(content.count))
      movie += Self.chunk(name, content)
    }
    for n in 0..<count {
      if n % changesEvery == 0 {
        let first = 40 * n % 200
        add("00pc", palette(n, n == 0 ? 0..<256 : first..<first + 50), flags: 0x100)
      }
      add(isCompressed ? "00dc" : "00db", frame(n), flags: 0x10)
    }
    let stream = Self.list("strl", Self.chunk("strh", streamHeader) + Self.chunk("strf", format))
    let header = Self.list("hdrl", Self.chunk("avih", mainHeader) + stream)
    let content = Data("AVI ".utf8) + header + Self.chunk("LIST", movie) + Self.chunk("idx1", index)
    return Self.chunk("RIFF", content)
  }

  /// 25 frames a second.
  private var mainHeader: Data {
    Self.words(40_000, 0, 0, 0x10, UInt32(count), 0, 1, 0, UInt32(Self.side), UInt32(Self.side), 0, 0, 0, 0)
  }

  private var streamHeader: Data {
    Data((isCompressed ? "vidsCRAM" : "vids\0\0\0\0").utf8) + Self.words( 0, 0, 0, 1, 25, 0, UInt32(count), 0, 0, 0, 0, 0)
  }

  /// A BITMAPINFOHEADER of 8 bits a pixel, with its palette.
  private var format: Data {
    let side = UInt32(Self.side)
    let coding = isCompressed ? UInt32(0x4D41_5243) : 0
    return Self.words(40, side, side, 8 << 16 | 1, coding, side * side, 0, 0, 256, 0) + palette(0, 0..<256).dropFirst(4)
  }

  private func palette(_ n: Int, _ stretch: Range<Int>) -> Data {
    let colors = stretch.map { UInt32((n * 7919 + $0 * 104_729) & 0xFFFFFF) << 8 }
    let head: [UInt8] = [UInt8(stretch.lowerBound), UInt8(stretch.count & 0xFF), 0, 0]
    return Data(head) + colors.reduce(into: Data()) { $0 += withUnsafeBytes(of: $1.bigEndian) { Data($0) } }
  }

  private func frame(_ n: Int) -> Data {
    // Every color once.
    guard isCompressed else { return Data((0..<Self.side * Self.side).map { UInt8(($0 + n) & 0xFF) }) }
    // 16 blocks of 4×4 pixels, two bytes each: of one color, or as they were; every fourth frame changes none.
    if n % 4 == 3 { return Data([16, 0x84, 0, 0]) }
    return Data((0..<16).flatMap { block -> [UInt8] in
      n > 0 && (block + n) % 3 == 0 ? [1, 0x84] : [UInt8((17 * block + 13 * n) & 0xFF), 0x80]
    } + [0, 0])
  }

  private static func words(_ values: UInt32...) -> Data {
    values.reduce(into: Data()) { $0 += withUnsafeBytes(of: $1.littleEndian) { Data($0) } }
  }

  private static func chunk(_ name: String, _ content: Data) -> Data {
    Data(name.utf8) + words(UInt32(content.count)) + content
  }

  private static func list(_ name: String, _ content: Data) -> Data { chunk("LIST", Data(name.utf8) + content) }
}
