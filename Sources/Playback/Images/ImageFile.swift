import Libav
import Pixels

/// Writes images to files, PNG or JPEG by the name's extension; whole or not at all, as `OutputFile` does.
public enum ImageFile {
  /// How an image file is coded.
  public enum Format: String, CaseIterable, Hashable, Sendable {
    /// PNG, without loss: 8 bits for each of R, G and B, as sRGB.
    case png
    /// JPEG of the best quality with full chroma, as JFIF wants it; at most 65,500 pixels a side.
    case jpeg
  }

  /// Whether the name ends as an image file that can be written: .png, .jpg or .jpeg.
  public static func canWrite(_ path: String) -> Bool { format(ofName: path) != nil }

  /// The most that libavcodec's encoder takes.
  private static let longestJPEGSide = 65_500

  /// What the end of a name says; nil where it says nothing.
  public static func format(ofName path: String) -> Format? {
    let name = path.lowercased()
    if name.hasSuffix(".png") { return .png }
    return name.hasSuffix(".jpg") || name.hasSuffix(".jpeg") ? .jpeg : nil
  }

  /// Writes an image; blocks until that is done.
  ///
  /// - Parameter replaces: whether a file of that name goes; else a number is put behind the name: "a-2.png".
  /// - Returns: the path written to.
  /// - Throws: `PlaybackError` that says why, in words that go behind the file's name.
  @discardableResult
  public static func write(_ image: PixelImage, to path: String, replaces: Bool) throws -> String {
    guard let format = format(ofName: path) else {
      throw PlaybackError(.system, "unknown image format; use .png, .jpg or .jpeg")
    }
    let bytes = try encode(image, as: format)
    guard replaces else { return try OutputFile.writeNew(bytes, at: path) }
    try OutputFile(path).write(bytes)
    return path
  }

  /// The bytes of an image file.
  ///
  /// - Throws: `PlaybackError`.
  public static func encode(_ image: PixelImage, as format: Format) throws -> [UInt8] {
    if format == .jpeg, max(image.width, image.height) > longestJPEGSide {
      throw PlaybackError(.tooLarge, "cannot be written: JPEG is limited to \(longestJPEGSide) pixels per side")
    }
    do {
      return try ImageEncoder.encode(image, as: format == .png ? .png : .jpeg)
    } catch let error as AVError {
      throw PlaybackError(.system, "cannot be written: \(error.reason)")
    }
  }
}
