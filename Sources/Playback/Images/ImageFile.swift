import Libav
import Pixels

/// Writes images to files, as PNG or JPEG by the file extension; completely or not at all, like `OutputFile`.
public enum ImageFile {
  /// The format of an image file.
  public enum Format: String, CaseIterable, Hashable, Sendable {
    /// Lossless PNG: 8 bits each of R, G and B, as sRGB.
    case png
    /// JPEG (JFIF) of the best quality with full chroma; at most 65,500 pixels per side.
    case jpeg
  }

  /// Returns true if the name has the extension of an image file that can be written: .png, .jpg or .jpeg.
  public static func canWrite(_ path: String) -> Bool { format(ofName: path) != nil }

  /// The maximum that libavcodec's encoder supports.
  private static let longestJPEGSide = 65_500

  /// Returns the format for a file name's extension; nil if it has no known one.
  public static func format(ofName path: String) -> Format? {
    let name = path.lowercased()
    if name.hasSuffix(".png") { return .png }
    return name.hasSuffix(".jpg") || name.hasSuffix(".jpeg") ? .jpeg : nil
  }

  /// Writes an image; blocks until done.
  ///
  /// - Parameter replaces: true to replace an existing file; false to append a number to the name instead: "a-2.png".
  /// - Returns: the path written to.
  /// - Throws: `PlaybackError`, with a message to follow the file's name.
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

  /// Encodes an image as PNG in little time; nil if libavcodec cannot.
  package static func quickPNG(_ image: PixelImage) -> [UInt8]? { try? ImageEncoder.encode(image, as: .png, isQuick: true) }

  /// Encodes an image and returns the bytes of the file.
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
