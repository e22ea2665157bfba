#if canImport(Glibc)
  import Glibc
#endif
import Pixels

/// The image of a composed frame under construction; initially black.
struct FrameCanvas {
  /// The size in pixels.
  let size: PixelSize
  /// The visible part of the whole frame.
  let visible: FrameRegion
  /// Width divided by height of the whole frame, as displayed.
  let aspect: Double
  let blending: ColorBlending
  let view: View
  private(set) var bytes: [UInt8]

  /// The placement and filter of frames, taken from a request.
  struct View {
    var plane = FramePlane.picture
    var fields = FrameFields.automatic
    var magnification = MagnificationFilter.smooth

    init() {}
    init(_ request: RenderRequest) { (plane, fields, magnification) = (request.plane, request.fields, request.magnification) }
  }

  /// A rectangle in fractions of the whole frame; it may extend beyond it.
  struct Place {
    var x = 0.0, y = 0.0, width = 1.0, height = 1.0

    init() {}
    init(_ region: FrameRegion) { (x, y, width, height) = (region.x, region.y, region.width, region.height) }
  }

  init(
    size: PixelSize, visible: FrameRegion, aspect: Double, blending: ColorBlending, view: View = .init()
  ) {
    self.view = view
    self.size = size
    self.visible = visible
    self.aspect = aspect
    self.blending = blending
    bytes = Array(repeating: 0, count: 3 * size.width * size.height)
  }

  /// Smaller differences in shape are ignored, since sizes are rounded to pixels.
  static let shapeTolerance = 0.005

  /// Draws a frame centred in a place, as large as fits, in its own shape.
  ///
  /// - Parameters:
  ///   - layerAspect: width divided by height of the frame, as displayed.
  ///   - opacity: 0…1, for a frame drawn with its transparency over the existing image; nil for a frame with nothing below
  ///     it.
  mutating func draw(_ frame: any SourceFrame, aspect layerAspect: Double, in place: Place, opacity: Double? = nil) throws {
    let shape = aspect * place.width / place.height
    var fitted = place
    if abs(layerAspect / shape - 1) > Self.shapeTolerance {
      if layerAspect > shape {
        fitted.height = place.height * shape / layerAspect
        fitted.y += (place.height - fitted.height) / 2
      } else {
        fitted.width = place.width * layerAspect / shape
        fitted.x += (place.width - fitted.width) / 2
      }
    }
    // Pixels of the canvas, from edge to edge.
    let left = column(fitted.x), right = column(fitted.x + fitted.width)
    let top = row(fitted.y), bottom = row(fitted.y + fitted.height)
    let columns = max(0, left)..<max(0, left, min(size.width, right))
    let rows = max(0, top)..<max(0, top, min(size.height, bottom))
    guard !columns.isEmpty, !rows.isEmpty else { return }
    let region = FrameRegion(
      x: Double(columns.lowerBound - left) / Double(right - left), y: Double(rows.lowerBound - top) / Double(bottom - top),
      width: Double(columns.count) / Double(right - left), height: Double(rows.count) / Double(bottom - top))
    let isFitted = place.x == 0 && place.y == 0 && place.width == 1 && place.height == 1 && fitted.width == 1 && fitted.height == 1
    var request = RenderRequest(
      box: PixelSize(width: columns.count, height: rows.count), gravity: .resize, region: isFitted ? visible : region)
    request.keepsOpacity = opacity != nil
    (request.plane, request.fields, request.magnification) = (view.plane, view.fields, view.magnification)
    copy(try frame.render(for: request).image, toColumn: columns.lowerBound, row: rows.lowerBound, opacity: opacity ?? 1)
  }

  private func column(_ x: Double) -> Int { Self.pixel((x - visible.x) / visible.width * Double(size.width)) }
  private func row(_ y: Double) -> Int { Self.pixel((y - visible.y) / visible.height * Double(size.height)) }

  /// Returns a number of pixels, however far outside.
  private static func pixel(_ place: Double) -> Int { Int(max(-1e12, min(1e12, place)).rounded()) }

  private mutating func copy(_ image: PixelImage, toColumn column: Int, row: Int, opacity: Double) {
    let blending = blending
    let share = ColorBlending.share(opacity)
    let shares = image.opacity?.map { ColorBlending.share(opacity * Double($0) / 255) }
    bytes.withUnsafeMutableBufferPointer { bytes in
      image.withBytes { source in
        for y in 0..<image.height {
          let from = UnsafeBufferPointer(rebasing: source[3 * y * image.width..<3 * (y + 1) * image.width])
          let begin = 3 * ((row + y) * size.width + column)
          let to = UnsafeMutableBufferPointer(rebasing: bytes[begin..<begin + from.count])
          guard let shares else {
            blending.mix(to, with: from, share: share)
            continue
          }
          for x in 0..<image.width {
            blending.mix(
              UnsafeMutableBufferPointer(rebasing: to[3 * x..<3 * x + 3]),
              with: UnsafeBufferPointer(rebasing: from[3 * x..<3 * x + 3]), share: shares[y * image.width + x])
          }
        }
      }
    }
  }

  /// Fills the canvas with one colour.
  mutating func fill(_ color: VideoColor) {
    for i in stride(from: 0, to: bytes.count, by: 3) {
      (bytes[i], bytes[i + 1], bytes[i + 2]) = (color.red, color.green, color.blue)
    }
  }

  /// Mixes in another canvas of the same size.
  ///
  /// - Parameter share: the share of the other canvas, 0…1.
  mutating func mix(_ other: FrameCanvas, share: Double) {
    let blending = blending
    let share = ColorBlending.share(share)
    bytes.withUnsafeMutableBufferPointer { bytes in
      other.bytes.withUnsafeBufferPointer { blending.mix(bytes, with: $0, share: share) }
    }
  }

  /// Mixes in another canvas of the same size, by a share that varies with the position.
  ///
  /// - Parameter share: returns the share of the other canvas, 0…1, at a position in fractions of the whole frame.
  mutating func mix(_ other: FrameCanvas, share: (_ x: Double, _ y: Double) -> Double) {
    let (size, visible, blending) = (size, visible, blending)
    bytes.withUnsafeMutableBufferPointer { bytes in
      other.bytes.withUnsafeBufferPointer { others in
        for y in 0..<size.height {
          let frameY = visible.y + (Double(y) + 0.5) / Double(size.height) * visible.height
          for x in 0..<size.width {
            let frameX = visible.x + (Double(x) + 0.5) / Double(size.width) * visible.width
            let pixel = 3 * (y * size.width + x)..<3 * (y * size.width + x) + 3
            blending.mix(
              UnsafeMutableBufferPointer(rebasing: bytes[pixel]), with: UnsafeBufferPointer(rebasing: others[pixel]),
              share: ColorBlending.share(share(frameX, frameY)))
          }
        }
      }
    }
  }

  /// Draws the placeholder of a missing clip: stripes, dark enough for text over them.
  mutating func fillAsMissing() {
    for y in 0..<size.height {
      for x in 0..<size.width {
        let i = 3 * (y * size.width + x)
        let isLight = (x + y) / 8 % 2 == 0
        (bytes[i], bytes[i + 1], bytes[i + 2]) = isLight ? (56, 24, 24) : (32, 16, 16)
      }
    }
  }

  var image: PixelImage {
    PixelImage(size: size) { target in
      bytes.withUnsafeBufferPointer { _ = target.update(from: $0) }
    }
  }
}
