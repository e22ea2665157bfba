/// Decodes sixels into pixels, as a terminal without a colour limit does.
public enum SixelDecoder {
  /// Returns the image in the contents of `DCS … q … ST` after the `q`; nil if they are damaged or have no size.
  public static func image(_ bytes: ArraySlice<UInt8>) -> TerminalPicture? {
    var reader = Reader(bytes)
    guard reader.read() == UInt8(ascii: "\"") else { return nil }
    let raster = reader.numbers()
    guard raster.count == 4, raster[0] == 1, raster[1] == 1, raster[2...].allSatisfy({ (1...20_000).contains($0) }) else { return nil }
    let (width, height) = (raster[2], raster[3])
    var pixels = [UInt8](repeating: 0, count: 3 * width * height)
    var painted = [Bool](repeating: false, count: width * height)
    var palette: [Int: [UInt8]] = [:]
    var color: [UInt8] = [0, 0, 0]
    var (x, y) = (0, 0)
    while let byte = reader.read() {
      var (count, character) = (1, byte)
      switch byte {
      case UInt8(ascii: "#"):
        let values = reader.numbers()
        if values.count == 5, values[1] == 2 { palette[values[0]] = values[2...].map { UInt8(($0 * 255 + 50) / 100) } }
        guard let chosen = values.first.flatMap({ palette[$0] }) else { return nil }
        color = chosen
        continue
      case UInt8(ascii: "$"):
        x = 0
        continue
      case UInt8(ascii: "-"):
        (x, y) = (0, y + 6)
        continue
      case UInt8(ascii: "!"):
        guard let repeats = reader.numbers().first, let next = reader.read() else { return nil }
        (count, character) = (repeats, next)
      default: break
      }
      guard (63...126).contains(character), x + count <= width else { return nil }
      for bit in 0..<6 where (character - 63) >> UInt8(bit) & 1 == 1 {
        guard y + bit < height else { return nil }
        for column in x..<(x + count) {
          painted[(y + bit) * width + column] = true
          for part in 0..<3 { pixels[3 * ((y + bit) * width + column) + part] = color[part] }
        }
      }
      x += count
    }
    return painted.allSatisfy { $0 } ? TerminalPicture(width: width, height: height, bytes: pixels) : nil
  }

  private struct Reader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    mutating func read() -> UInt8? { rest.popFirst() }

    /// Numbers separated by semicolons.
    mutating func numbers() -> [Int] {
      var numbers = [0]
      while let byte = rest.first {
        switch byte {
        case 0x30...0x39: numbers[numbers.count - 1] = min(numbers[numbers.count - 1] * 10 + Int(byte - 0x30), 1_000_000)
        case 0x3B: numbers.append(0)
        default: return numbers
        }
        rest = rest.dropFirst()
      }
      return numbers
    }
  }
}
