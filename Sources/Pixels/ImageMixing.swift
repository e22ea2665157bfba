/// Images that show two images of the same size at once, to compare them.
public enum ImageMixing {
  /// The direction of the edge between two images.
  public enum EdgeAxis: String, CaseIterable, Hashable, Sendable {
    /// One image is left of the other.
    case vertical
    /// One image is above the other.
    case horizontal
  }

  /// A line between two images.
  public struct EdgeLine: Hashable, Sendable {
    public var red: UInt8
    public var green: UInt8
    public var blue: UInt8

    public init(red: UInt8, green: UInt8, blue: UInt8) {
      (self.red, self.green, self.blue) = (red, green, blue)
    }
  }

  /// Returns `a` left of or above an edge and `b` beyond it.
  ///
  /// - Parameters:
  ///   - edge: the part of the width or height that shows `a`, 0…1; other numbers count as the nearest of these.
  ///   - line: the colour of a line of one pixel at the beginning of `b`; nil for none. There is none if only one image is
  ///     visible.
  public static func wipe(
    _ a: PixelImage, _ b: PixelImage, edge: Double, axis: EdgeAxis, line: EdgeLine? = nil
  ) -> PixelImage {
    let (width, height) = (a.width, a.height)
    let length = axis == .vertical ? width : height
    let place = Int((min(max(edge.isNaN ? 0 : edge, 0), 1) * Double(length)).rounded())
    let image = compose(a, b) { y in
      switch axis {
      case .vertical: [Span(.first, 0..<place), Span(.second, place..<width)]
      case .horizontal: [Span(y < place ? .first : .second, 0..<width)]
      }
    }
    guard let line, (1..<length).contains(place) else { return image }
    return PixelImage(size: image.size, opacity: image.opacity) { out in
      image.withBytes { _ = out.update(from: $0) }
      let (start, step, count) = axis == .vertical ? (place, width, height) : (place * width, 1, width)
      for i in 0..<count {
        let pixel = 3 * (start + i * step)
        (out[pixel], out[pixel + 1], out[pixel + 2]) = (line.red, line.green, line.blue)
      }
    }
  }

  /// Returns the values of both images mixed.
  ///
  /// - Parameter share: the share of `b`, 0…1; other numbers count as the nearest of these.
  public static func mix(_ a: PixelImage, _ b: PixelImage, share: Double) -> PixelImage {
    requireSameSize(a, b)
    let share = Self.share(share)
    if share == 0 { return a }
    if share == whole { return b }
    var opacity = a.opacity ?? opaque(a, if: b)
    if let other = b.opacity ?? opaque(b, if: a) {
      opacity?.withUnsafeMutableBufferPointer { own in other.withUnsafeBufferPointer { mix(own, with: $0, share: share) } }
    }
    return PixelImage(size: a.size, opacity: opacity) { out in
      a.withBytes { _ = out.update(from: $0) }
      b.withBytes { mix(out, with: $0, share: share) }
    }
  }

  /// Returns squares of both images in turn, starting with `a` at the top left.
  ///
  /// - Parameter square: the side of a square in pixels, at least 1.
  public static func checkerboard(_ a: PixelImage, _ b: PixelImage, square: Int) -> PixelImage {
    let side = max(1, square)
    return compose(a, b) { y in
      stride(from: 0, to: a.width, by: side).map { x in
        Span((x / side + y / side) % 2 == 0 ? .first : .second, x..<min(a.width, x.saturatingAdd(side)))
      }
    }
  }

  /// Returns the left half of `a`, and right of it the same half of `b` mirrored. The middle column of an odd number is that of
  /// `a`.
  public static func butterfly(_ a: PixelImage, _ b: PixelImage) -> PixelImage {
    let middle = (a.width + 1) / 2
    return compose(a, b) { _ in [Span(.first, 0..<middle), Span(.second, middle..<a.width, isMirrored: true)] }
  }

  // MARK: - Parts of rows

  private enum Source {
    case first, second
  }

  /// Pixels of a row that come from one of the images, from the same columns or from those mirrored at the middle of the image.
  private struct Span {
    var source: Source
    var columns: Range<Int>
    var isMirrored: Bool

    init(_ source: Source, _ columns: Range<Int>, isMirrored: Bool = false) {
      (self.source, self.columns, self.isMirrored) = (source, columns, isMirrored)
    }
  }

  /// Assembles an image of spans.
  ///
  /// - Parameter spans: the spans of a row, which cover it.
  private static func compose(_ a: PixelImage, _ b: PixelImage, _ spans: (_ row: Int) -> [Span]) -> PixelImage {
    requireSameSize(a, b)
    var opacity = a.opacity ?? opaque(a, if: b)
    if let other = b.opacity ?? opaque(b, if: a), let own = opacity {
      opacity?.withUnsafeMutableBufferPointer { out in
        own.withUnsafeBufferPointer { first in
          other.withUnsafeBufferPointer { copy(first, $0, a.size, valuesPerPixel: 1, spans, to: out) }
        }
      }
    }
    return PixelImage(size: a.size, opacity: opacity) { out in
      a.withBytes { first in b.withBytes { copy(first, $0, a.size, valuesPerPixel: 3, spans, to: out) } }
    }
  }

  private static func copy(
    _ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>, _ size: PixelSize, valuesPerPixel count: Int,
    _ spans: (_ row: Int) -> [Span], to out: UnsafeMutableBufferPointer<UInt8>
  ) {
    for y in 0..<size.height {
      let row = y * size.width
      for span in spans(y) where !span.columns.isEmpty {
        let source = span.source == .first ? a : b
        let from = count * (row + span.columns.lowerBound), to = count * (row + span.columns.upperBound)
        guard span.isMirrored else {
          _ = UnsafeMutableBufferPointer(rebasing: out[from..<to]).update(from: source[from..<to])
          continue
        }
        for x in span.columns {
          let pixel = count * (row + x), mirrored = count * (row + size.width - 1 - x)
          for i in 0..<count { out[pixel + i] = source[mirrored + i] }
        }
      }
    }
  }

  private static func requireSameSize(_ a: PixelImage, _ b: PixelImage) {
    precondition(a.size == b.size, "the images must have the same size")
  }

  /// Returns full opacity for an image without one if the other has one.
  private static func opaque(_ image: PixelImage, if other: PixelImage) -> [UInt8]? {
    other.opacity.map { _ in [UInt8](repeating: 255, count: image.size.area) }
  }

  // MARK: - Values

  /// The unit of shares: all of the second value.
  package static let whole = 65536

  /// Converts a share of 0…1 to that unit.
  package static func share(_ fraction: Double) -> Int { Int((max(0, min(1, fraction)) * Double(whole)).rounded()) }

  /// Mixes rows of values with one share; 0 gives exactly `a`, `whole` exactly `b`, and every other one a value between both.
  package static func mix(_ a: UnsafeMutableBufferPointer<UInt8>, with b: UnsafeBufferPointer<UInt8>, share: Int) {
    let share = Int32(truncatingIfNeeded: share), half = Int32(whole / 2)
    for i in 0..<min(a.count, b.count) {
      let from = Int32(a[i])
      a[i] = UInt8(truncatingIfNeeded: from &+ ((Int32(b[i]) &- from) &* share &+ half) >> 16)
    }
  }
}
