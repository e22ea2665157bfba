/// An image of packed 8-bit RGB pixels, immutable once made.
///
/// Rows are tightly packed: pixel (x, y) starts at byte `3 * (y * width + x)`; the bytes are R, G, B in
/// full-range BT.709/sRGB. Copying the value shares the bytes.
public struct PixelImage: Sendable {
  /// Width and height in pixels; at least 1×1.
  public let size: PixelSize
  /// How much each pixel hides of what lies below, row by row: 0 nothing, 255 all. Nil where every pixel hides all.
  /// Colours are not weighed by it.
  public let opacity: [UInt8]?
  private let storage: Storage

  /// Makes an image and lets `fill` write its bytes once, before anyone else can see them.
  ///
  /// The buffer has `3 * width * height` bytes and starts zeroed (black). Errors of `fill` pass through.
  ///
  /// - Parameter opacity: one value for each pixel, or nil.
  public init(size: PixelSize, opacity: [UInt8]? = nil, fill: (UnsafeMutableBufferPointer<UInt8>) throws -> Void) rethrows {
    precondition(size.width > 0 && size.height > 0, "an image needs at least one pixel")
    precondition(opacity.map { $0.count == size.width * size.height } ?? true, "opacity needs one value per pixel")
    self.size = size
    self.opacity = opacity
    storage = Storage(count: size.width * size.height * 3)
    try fill(storage.bytes)
  }

  /// Pixels in a row.
  public var width: Int { size.width }
  /// Rows.
  public var height: Int { size.height }

  /// Bytes of memory that the pixels take.
  public var byteCount: Int { storage.bytes.count }

  /// Gives `body` the bytes to read; the pointer is good only inside.
  public func withBytes<R>(_ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R {
    try body(UnsafeBufferPointer(storage.bytes))
  }

  /// The colour at (x, y). For tests and single look-ups; loops use `withBytes`.
  public subscript(x: Int, y: Int) -> (red: UInt8, green: UInt8, blue: UInt8) {
    precondition(x >= 0 && x < width && y >= 0 && y < height)
    let i = 3 * (y * width + x)
    return (storage.bytes[i], storage.bytes[i + 1], storage.bytes[i + 2])
  }

  /// Owns the bytes.
  ///
  /// `@unchecked Sendable`: the bytes are written only inside `PixelImage.init`, before the reference has
  /// been shared, and only read afterwards.
  private final class Storage: @unchecked Sendable {
    let bytes: UnsafeMutableBufferPointer<UInt8>

    init(count: Int) {
      bytes = .allocate(capacity: count)
      bytes.initialize(repeating: 0)
    }

    deinit { bytes.deallocate() }
  }
}

extension PixelImage: Equatable {
  /// Whether both have the same size and the same pixels.
  public static func == (a: PixelImage, b: PixelImage) -> Bool {
    guard a.size == b.size, a.opacity == b.opacity else { return false }
    if a.storage === b.storage { return true }
    return a.withBytes { x in b.withBytes { y in x.elementsEqual(y) } }
  }
}
