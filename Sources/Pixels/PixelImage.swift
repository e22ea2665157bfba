/// An immutable image of packed 8-bit RGB pixels.
///
/// Rows are tightly packed: pixel (x, y) starts at byte `3 * (y * width + x)`, in the order R, G, B, in full-range
/// BT.709/sRGB. Copies share the bytes.
public struct PixelImage: Sendable {
  /// Width and height in pixels; at least 1×1.
  public let size: PixelSize
  /// The opacity of each pixel in row-major order, from 0 (transparent) to 255 (opaque). Nil if every pixel is opaque.
  /// Colours are not premultiplied.
  public let opacity: [UInt8]?
  /// The cells of which the image consists; nil for one of pixels.
  public let cells: FittedCells?
  private let storage: Storage

  /// Creates an image whose bytes are written once by `fill`, before the image is visible to anyone else.
  ///
  /// The buffer has `3 * width * height` bytes and is zeroed (black). Rethrows errors of `fill`.
  ///
  /// - Parameter opacity: one value per pixel, or nil.
  public init(size: PixelSize, opacity: [UInt8]? = nil, fill: (UnsafeMutableBufferPointer<UInt8>) throws -> Void) rethrows {
    precondition(size.width > 0 && size.height > 0, "an image needs at least one pixel")
    precondition(opacity.map { $0.count == size.area } ?? true, "opacity needs one value per pixel")
    precondition(size.area <= Int.max / 3, "an image must fit in memory")
    self.size = size
    self.opacity = opacity
    cells = nil
    storage = Storage(count: size.width * size.height * 3)
    try fill(storage.bytes)
  }

  /// Creates an opaque image whose bytes are all written by `fill`, in the memory of an earlier image of the same size if that
  /// has no other owner any more. Fresh memory takes as long to get as a frame takes to be packed into it.
  ///
  /// - Parameters:
  ///   - former: the earlier image; becomes nil.
  ///   - fill: receives `3 * width * height` bytes of any values.
  package init(size: PixelSize, reusing former: inout PixelImage?, fill: (UnsafeMutableBufferPointer<UInt8>) -> Void) {
    precondition(size.width > 0 && size.height > 0, "an image needs at least one pixel")
    self.size = size
    opacity = nil
    cells = nil
    var reused = former?.size == size ? former?.storage : nil
    former = nil
    let isOwn = isKnownUniquelyReferenced(&reused) && reused?.bytes.isEmpty == false
    storage = (isOwn ? reused : nil) ?? Storage(count: 3 * size.area)
    fill(storage.bytes)
  }

  /// Creates an opaque image of cells.
  init(size: PixelSize, cells: FittedCells) {
    self.size = size
    opacity = nil
    self.cells = cells
    storage = Storage(count: 0)
  }

  /// Width in pixels.
  public var width: Int { size.width }
  /// Height in pixels.
  public var height: Int { size.height }

  /// Memory used by the pixels, in bytes.
  public var byteCount: Int { storage.bytes.count + (cells?.byteCount ?? 0) }

  /// Calls `body` with the bytes; the pointer is valid only during the call. An image of cells is drawn for each call.
  public func withBytes<R>(_ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R {
    guard let cells else { return try body(UnsafeBufferPointer(storage.bytes)) }
    let drawn = Storage(count: 3 * size.area)
    if let base = drawn.bytes.baseAddress { cells.draw(size, into: base) }
    return try withExtendedLifetime(drawn) { try body(UnsafeBufferPointer($0.bytes)) }
  }

  /// The colour at (x, y). For tests and single look-ups; in loops, use `withBytes`.
  public subscript(x: Int, y: Int) -> (red: UInt8, green: UInt8, blue: UInt8) {
    precondition(x >= 0 && x < width && y >= 0 && y < height)
    let i = 3 * (y * width + x)
    return withBytes { ($0[i], $0[i + 1], $0[i + 2]) }
  }

  /// Returns true if both are copies of one image, without looking at pixels.
  package func isCopy(of other: PixelImage) -> Bool { storage === other.storage }

  /// Owns the bytes.
  ///
  /// `@unchecked Sendable`: the bytes are written only inside `PixelImage.init`, while there is one reference, and only read
  /// afterwards.
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
  /// Returns true if both images have the same size and pixels.
  public static func == (a: PixelImage, b: PixelImage) -> Bool {
    guard a.size == b.size, a.opacity == b.opacity else { return false }
    if let cells = a.cells, cells == b.cells { return true }
    if a.storage === b.storage { return true }
    return a.withBytes { x in b.withBytes { y in x.elementsEqual(y) } }
  }
}
