import Foundation
import Pixels

/// A track header's matrix: x′ = ax + cy, y′ = bx + dy, moved so that the frame begins at 0.
public struct DisplayMatrix: Sendable, CustomStringConvertible {
  public let a, b, c, d: Int32

  public init(a: Int32, b: Int32, c: Int32, d: Int32) { (self.a, self.b, self.c, self.d) = (a, b, c, d) }

  public init(_ orientation: Orientation) {
    let (a, b, c, d): (Int32, Int32, Int32, Int32) =
      switch orientation.quarterTurns {
      case 1: (0, 1, -1, 0)
      case 2: (-1, 0, 0, -1)
      case 3: (0, -1, 1, 0)
      default: (1, 0, 0, 1)
      }
    // Mirrored first: x grows to the left.
    self = orientation.isMirrored ? Self(a: -a, b: -b, c: c, d: d) : Self(a: a, b: b, c: c, d: d)
  }

  public var description: String { "\(a) \(b) \(c) \(d)" }

  /// As the track header of a clip of a size has it.
  private func bytes(_ size: PixelSize) -> [UInt8] {
    let one: Int32 = 1 << 16
    let (width, height) = (Int32(size.width) * one, Int32(size.height) * one)
    let tx = (a < 0 ? width : 0) + (c < 0 ? height : 0)
    let ty = (b < 0 ? width : 0) + (d < 0 ? height : 0)
    return [a * one, b * one, 0, c * one, d * one, 0, tx, ty, 1 << 30].flatMap { number in
      (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }
  }

  /// Returns an MP4 file with this matrix in its video track's header, which must be the first: ffmpeg's way to write one differs
  /// among versions.
  ///
  /// - Parameter size: that of the source's frames.
  public func clip(of source: String, size: PixelSize, name: String = "turned.mp4") throws -> String {
    try SampleMedia.file(name: name, key: [source, description]) { path in
      var bytes = try Data(contentsOf: URL(fileURLWithPath: source))
      guard let header = bytes.range(of: Data("tkhd".utf8)) else {
        throw MediaTool.Failure(description: "no track header in \(source)")
      }
      // The matrix stands 40 bytes after the box's type.
      bytes.replaceSubrange(header.upperBound + 40..<header.upperBound + 76, with: self.bytes(size))
      try bytes.write(to: URL(fileURLWithPath: path))
    }
  }
}
