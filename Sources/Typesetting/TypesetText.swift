import CAss
import Pixels

/// Text drawn for a picture of one size.
public final class TypesetText: Sendable {
  /// A part of the picture: premultiplied red, green, blue and opacity of each pixel.
  struct Band: Equatable {
    let rect: PixelRect
    let pixels: ArraySlice<UInt8>
  }

  /// The size of the picture.
  public let size: PixelSize
  /// From top to bottom, with at least one empty row between them.
  let bands: [Band]

  /// True if nothing is visible.
  public var isEmpty: Bool { bands.isEmpty }
  /// Memory used, in bytes.
  public var byteCount: Int { bands.reduce(0) { $0 + $1.pixels.count } }

  init(_ bands: [Band], size: PixelSize) { (self.bands, self.size) = (bands, size) }

  init(_ images: UnsafePointer<qd_ass_image>?, size: PixelSize) {
    self.size = size
    let rects = Self.rects(of: images, in: size)
    var pixels = rects.map { [UInt8](repeating: 0, count: 4 * $0.width * $0.height) }
    for image in AssImages(first: images) {
      guard let area = Self.area(of: image, in: size) else { continue }
      // Bands do not touch, so an image lies in one of them.
      for (i, rect) in rects.enumerated() where rect.y <= area.y && area.y < rect.maxY {
        pixels[i].withUnsafeMutableBufferPointer { Self.draw(image, area, into: $0, rect) }
      }
    }
    bands = zip(rects, pixels).map { Band(rect: $0, pixels: $1[...]) }
  }

  /// Returns an opaque image with the text over it; the image itself if it has another size, or there is no text.
  public func drawn(over image: PixelImage) -> PixelImage {
    var none: PixelImage?
    return drawn(over: image, reusing: &none)
  }

  /// Returns an opaque image with the text over it; the image itself if it has another size, or there is no text.
  ///
  /// - Parameter former: an image whose memory is used if nobody else has it any more; becomes nil.
  public func drawn(over image: PixelImage, reusing former: inout PixelImage?) -> PixelImage {
    guard !isEmpty, image.size == size else { return image }
    return PixelImage(size: size, reusing: &former) { bytes in
      image.withBytes { source in _ = bytes.update(from: source) }
      guard let base = bytes.baseAddress else { return }
      for band in bands {
        band.pixels.withUnsafeBufferPointer { pixels in
          guard var from = pixels.baseAddress else { return }
          for y in band.rect.y..<band.rect.maxY {
            var to = base + 3 * (y * size.width + band.rect.x)
            for _ in 0..<band.rect.width {
              let opacity = from[3]
              if opacity > 0 {
                let rest = 255 - UInt32(opacity)
                for i in 0..<3 { to[i] = UInt8(min(255, UInt32(from[i]) + Self.share(UInt32(to[i]), rest))) }
              }
              from += 4
              to += 3
            }
          }
        }
      }
    }
  }

  // MARK: - Bands

  /// The visible part of an image; nil if there is none.
  private static func area(of image: qd_ass_image, in size: PixelSize) -> PixelRect? {
    let x = max(0, Int(image.x)), y = max(0, Int(image.y))
    let right = min(size.width, Int(image.x) + Int(image.width)), bottom = min(size.height, Int(image.y) + Int(image.height))
    guard x < right, y < bottom, image.opacities != nil, image.color & 0xFF < 255 else { return nil }
    return PixelRect(x: x, y: y, width: right - x, height: bottom - y)
  }

  private static func rects(of images: UnsafePointer<qd_ass_image>?, in size: PixelSize) -> [PixelRect] {
    var rows = [Range<Int>?](repeating: nil, count: size.height)
    for image in AssImages(first: images) {
      guard let area = area(of: image, in: size) else { continue }
      for y in area.y..<area.maxY {
        let former = rows[y] ?? area.x..<area.maxX
        rows[y] = min(former.lowerBound, area.x)..<max(former.upperBound, area.maxX)
      }
    }
    var rects: [PixelRect] = [], isOpen = false
    for (y, columns) in rows.enumerated() {
      guard let columns else {
        isOpen = false
        continue
      }
      if isOpen, let last = rects.last {
        let left = min(last.x, columns.lowerBound), right = max(last.maxX, columns.upperBound)
        rects[rects.count - 1] = PixelRect(x: left, y: last.y, width: right - left, height: last.height + 1)
      } else {
        rects.append(PixelRect(x: columns.lowerBound, y: y, width: columns.count, height: 1))
      }
      isOpen = true
    }
    return rects
  }

  private static func draw(
    _ image: qd_ass_image, _ area: PixelRect, into pixels: UnsafeMutableBufferPointer<UInt8>, _ rect: PixelRect
  ) {
    guard let opacities = image.opacities, let base = pixels.baseAddress else { return }
    let color = (image.color >> 24, image.color >> 16 & 0xFF, image.color >> 8 & 0xFF), whole = 255 - (image.color & 0xFF)
    for y in area.y..<area.maxY {
      var from = opacities + (y - Int(image.y)) * Int(image.stride) + area.x - Int(image.x)
      var to = base + 4 * ((y - rect.y) * rect.width + area.x - rect.x)
      for _ in 0..<area.width {
        if from.pointee > 0 {
          let opacity = share(UInt32(from.pointee), whole), rest = 255 - opacity
          to[0] = UInt8(min(255, share(color.0, opacity) + share(UInt32(to[0]), rest)))
          to[1] = UInt8(min(255, share(color.1, opacity) + share(UInt32(to[1]), rest)))
          to[2] = UInt8(min(255, share(color.2, opacity) + share(UInt32(to[2]), rest)))
          to[3] = UInt8(min(255, opacity + share(UInt32(to[3]), rest)))
        }
        from += 1
        to += 4
      }
    }
  }

  /// A value times a share of 255, rounded; both at most 255.
  private static func share(_ value: UInt32, _ part: UInt32) -> UInt32 {
    let product = value * part + 128
    return (product + product >> 8) >> 8
  }
}
