import Pixels
import Playback

/// Image subtitles over a pane's frame: scales them to the frame once and draws them over each frame.
///
/// Text too small to read is enlarged as far as there is room, on a dark background; text that would still be a smear is left
/// out. See `SubtitleMagnification`.
struct SubtitleOverlay {
  /// Of the displayed cues.
  private(set) var bitmaps: [SubtitleBitmap] = []
  private var scaled: (place: Place, content: Content)?
  private var made: (frame: RenderedFrame, image: PixelImage)?

  /// The parameters of scaled bitmaps.
  private struct Place: Equatable {
    var image: PixelSize
    /// The visible part of the frame.
    var visible: FrameRegion
    /// Size of the coded frames.
    var coded: PixelSize
    /// Aspect ratio of the whole displayed frame.
    var aspect: Double
    /// Pixels of the image along half a cell.
    var detail: Int
  }

  /// The overlay of a frame's image.
  private struct Content {
    /// Darkened areas.
    var grounds: [PixelRect] = []
    var parts: [Part] = []
    var isLegible = true
    /// True if nothing was left out.
    var isComplete = true
  }

  /// A scaled bitmap: premultiplied colours, 0…255.
  private struct Part {
    var x: Int
    var y: Int
    var width: Int
    var height: Int
    var pixels: [(red: Float, green: Float, blue: Float, alpha: Float)]
  }

  /// Sets the bitmaps to display. Returns true if they changed.
  mutating func show(_ bitmaps: [SubtitleBitmap]) -> Bool {
    guard bitmaps != self.bitmaps else { return false }
    (self.bitmaps, scaled, made) = (bitmaps, nil, nil)
    return true
  }

  /// A frame's image with the bitmaps drawn over it.
  ///
  /// - Parameters:
  ///   - aspect: Aspect ratio of the whole displayed frame.
  ///   - coded: Size of the coded frames, used by bitmaps that do not specify a canvas.
  mutating func image(over frame: RenderedFrame, aspect: Double, coded: PixelSize) -> PixelImage {
    guard !bitmaps.isEmpty else { return frame.image }
    if let made, made.frame.timing == frame.timing, made.frame.request == frame.request, made.frame.image.size == frame.image.size {
      return made.image
    }
    let request = frame.request
    let geometry = FrameGeometry(
      aspect: aspect, region: request.region, box: request.box, pixelAspect: request.pixelAspect, gravity: request.gravity)
    let place = Place(image: frame.image.size, visible: geometry.visible, coded: coded, aspect: aspect, detail: request.shapes == nil ? 1 : CellShape.width)
    if scaled?.place != place { scaled = (place, Self.content(bitmaps, place)) }
    let image = Self.compose(scaled?.content ?? Content(), over: frame.image)
    made = (frame, image)
    return image
  }

  /// True if the last scaled text is large enough to read.
  var isLegible: Bool { scaled?.content.isLegible ?? true }

  /// True if everything last scaled is shown, legible or not.
  var isComplete: Bool { scaled?.content.isComplete ?? true }

  /// Brightness of the frame behind small letters, in sixteenths.
  private static let groundShare = 5

  private static func compose(_ content: Content, over image: PixelImage) -> PixelImage {
    PixelImage(size: image.size) { bytes in
      image.withBytes { source in _ = bytes.update(from: source) }
      for ground in content.grounds {
        for y in ground.y..<ground.maxY {
          for i in 3 * (y * image.width + ground.x)..<3 * (y * image.width + ground.maxX) {
            bytes[i] = UInt8(Int(bytes[i]) * groundShare / 16)
          }
        }
      }
      for part in content.parts {
        for row in 0..<part.height {
          var at = 3 * ((part.y + row) * image.width + part.x)
          for pixel in part.pixels[row * part.width..<(row + 1) * part.width] {
            let left = 1 - pixel.alpha
            bytes[at] = UInt8(min(255, pixel.red + Float(bytes[at]) * left))
            bytes[at + 1] = UInt8(min(255, pixel.green + Float(bytes[at + 1]) * left))
            bytes[at + 2] = UInt8(min(255, pixel.blue + Float(bytes[at + 2]) * left))
            at += 3
          }
        }
      }
    }
  }

  /// The area of a bitmap, in pixels of the frame's image.
  ///
  /// A bitmap made for a frame of another shape (a film whose bars were cropped) keeps its relative width and is moved
  /// until fully visible.
  private static func area(_ bitmap: SubtitleBitmap, _ place: Place) -> SubtitleMagnification.Area? {
    let canvas = bitmap.canvas.isEmpty ? place.coded : bitmap.canvas
    guard !canvas.isEmpty, !place.coded.isEmpty else { return nil }
    let shape = shape(canvas, place)
    let tall = abs(shape - 1) < 0.02 ? 1 : shape
    var x = Double(bitmap.x) / Double(canvas.width), y = (Double(bitmap.y) / Double(canvas.height) - 0.5) * tall + 0.5
    let width = Double(bitmap.size.width) / Double(canvas.width)
    let height = Double(bitmap.size.height) / Double(canvas.height) * tall
    let visible = place.visible
    func moved(_ start: Double, _ length: Double, into low: Double, _ high: Double) -> Double {
      length >= high - low ? (low + high - length) / 2 : min(max(start, low), high - length)
    }
    x = moved(x, width, into: visible.x, visible.x + visible.width)
    y = moved(y, height, into: visible.y, visible.y + visible.height)
    // In pixels of the image.
    let scaleX = Double(place.image.width) / visible.width, scaleY = Double(place.image.height) / visible.height
    return .init(x: (x - visible.x) * scaleX, y: (y - visible.y) * scaleY, width: width * scaleX, height: height * scaleY)
  }

  /// Relative height of a canvas as wide as the frame.
  private static func shape(_ canvas: PixelSize, _ place: Place) -> Double {
    // Made for this frame, its pixels have the same aspect ratio.
    if canvas.width == place.coded.width { return Double(canvas.height) / Double(place.coded.height) }
    // Otherwise they are square, except on discs and in standard-definition broadcasts, whose canvas has one of two shapes.
    let isStandard = (704...720).contains(canvas.width) && (canvas.height == 480 || canvas.height == 576)
    let aspect = isStandard ? (place.aspect > 1.5 ? 16.0 / 9 : 4.0 / 3) : Double(canvas.width) / Double(canvas.height)
    return place.aspect / aspect
  }

  private static func content(_ bitmaps: [SubtitleBitmap], _ place: Place) -> Content {
    let seen = bitmaps.compactMap { bitmap -> (ink: SubtitleInk, area: SubtitleMagnification.Area, line: Double?)? in
      guard let area = area(bitmap, place), let ink = SubtitleInk(bitmap) else { return nil }
      let (width, height) = (area.width / Double(bitmap.size.width), area.height / Double(bitmap.size.height))
      let inked = SubtitleMagnification.Area(
        x: area.x + Double(ink.rect.x) * width, y: area.y + Double(ink.rect.y) * height, width: Double(ink.rect.width) * width,
        height: Double(ink.rect.height) * height)
      return (ink, inked, ink.lineHeight.map { Double($0) * height })
    }
    let magnification = SubtitleMagnification(seen.map { ($0.area, $0.line) }, in: place.image, detail: place.detail)
    return Content(
      grounds: magnification.grounds,
      parts: seen.indices.filter { !magnification.leftOut.contains($0) }.compactMap {
        scale(seen[$0].ink, to: magnification.areas[$0], place.image)
      },
      isLegible: magnification.isLegible, isComplete: magnification.leftOut.isEmpty)
  }

  /// Averages pixels over each pixel of the image; nil if none is visible.
  private static func scale(_ ink: SubtitleInk, to area: SubtitleMagnification.Area, _ image: PixelSize) -> Part? {
    let columns = weights(from: area.x, length: area.width, count: ink.rect.width, limit: image.width)
    let rows = weights(from: area.y, length: area.height, count: ink.rect.height, limit: image.height)
    guard !columns.isEmpty, !rows.isEmpty, let x = columns.first?.target, let y = rows.first?.target else { return nil }
    var part = Part(x: x, y: y, width: columns.count, height: rows.count, pixels: [])
    part.pixels.reserveCapacity(columns.count * rows.count)
    for row in rows {
      for column in columns {
        var sum = SIMD4<Float>.zero
        for (i, high) in row.weights.enumerated() {
          let start = ink.index(column.source, row.source + i)
          for (j, wide) in column.weights.enumerated() {
            let pixel = ink.pixels[start + j]
            let alpha = Float(pixel >> 24) / 255 * high * wide
            guard alpha > 0 else { continue }
            sum += alpha * SIMD4(Float(pixel & 0xFF), Float(pixel >> 8 & 0xFF), Float(pixel >> 16 & 0xFF), 1)
          }
        }
        part.pixels.append((sum.x, sum.y, sum.z, min(1, sum.w)))
      }
    }
    return part
  }

  /// For each output pixel along one side, the covered pixels of the bitmap and their weights; full coverage has weight 1.
  private static func weights(
    from start: Double, length: Double, count: Int, limit: Int
  ) -> [(target: Int, source: Int, weights: [Float])] {
    guard length > 0 else { return [] }
    let step = Double(count) / length
    let first = max(0, Int(start.rounded(.down))), last = min(limit, Int((start + length).rounded(.up)))
    guard first < last else { return [] }
    return (first..<last).compactMap { target in
      let from = max(0, (Double(target) - start) * step), to = min(Double(count), (Double(target + 1) - start) * step)
      guard to > from else { return nil }
      let low = min(count - 1, Int(from)), high = min(count, max(low + 1, Int(to.rounded(.up))))
      return (target, low, (low..<high).map { Float((min(to, Double($0 + 1)) - max(from, Double($0))) / step) })
    }
  }
}
