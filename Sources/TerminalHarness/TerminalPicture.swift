import Glibc

/// An image as R, G and B of each pixel, row by row, without gaps.
public struct TerminalPicture: Equatable, Sendable {
  public let width: Int
  public let height: Int
  public var bytes: [UInt8]

  public init(width: Int, height: Int, bytes: [UInt8]) {
    (self.width, self.height, self.bytes) = (width, height, bytes)
  }

  /// Returns an image of another size, by nearest neighbour.
  func scaled(width: Int, height: Int) -> TerminalPicture {
    guard width != self.width || height != self.height else { return self }
    var result = [UInt8](repeating: 0, count: 3 * width * height)
    for y in 0..<height {
      for x in 0..<width {
        let from = 3 * ((2 * y + 1) * self.height / (2 * height) * self.width + (2 * x + 1) * self.width / (2 * width))
        for part in 0..<3 { result[3 * (y * width + x) + part] = bytes[from + part] }
      }
    }
    return TerminalPicture(width: width, height: height, bytes: result)
  }

  /// Peak signal-to-noise ratio against an image of the same size, in decibels; infinite if they are equal.
  public func psnr(_ other: TerminalPicture) -> Double {
    precondition(width == other.width && height == other.height)
    let sum = zip(bytes, other.bytes).reduce(0) { $0 + (Int($1.0) - Int($1.1)) * (Int($1.0) - Int($1.1)) }
    return sum == 0 ? .infinity : 10 * log10(255 * 255 * Double(bytes.count) / Double(sum))
  }
}
