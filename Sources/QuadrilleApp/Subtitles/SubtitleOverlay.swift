import Pixels
import Playback

/// Image subtitles over a pane's frame: scales them to the frame once, and lays them over each one.
///
/// What would be too small to be read is enlarged, as far as there is room, and has a dark ground; what would still be a smear is left
/// out. See `SubtitleMagnification`.
struct SubtitleOverlay {
  /// Of the cues that are to be seen.
  private(set) var bitmaps: [SubtitleBitmap] = []
  private var scaled: (place: Place, content: Content)?
  private var made: (frame: RenderedFrame, image: PixelImage)?

  /// What scaled bitmaps are made for.
  private struct Place: Equatable {
    var image: PixelSize
    /// The part of the frame that is seen.
    var visible: FrameRegion
    /// Size of the coded frames.
    var coded: PixelSize
    /// Width over height of the whole frame as it is to be seen.
    var aspect: Double
  }

  /// What lies over a frame's image.
  private struct Content {
    /// Pixels that are darkened.
    var grounds: [PixelRect] = []
    var parts: [Part] = []
    var isLegible = true
    /// Whether nothing is left out.
    var isComplete = true
  }

  /// A scaled bitmap: colours are multiplied with alpha, 0…255.
  private struct Part {
    var x: Int
    var y: Int
    var width: Int
    var height: Int
    var pixels: [(red: Float, green: Float, blue: Float, alpha: Float)]
  }

  /// Takes the bitmaps that are to be seen. Returns whether these are others.
  mutating func show(_ bitmaps: [SubtitleBitmap]) -> Bool {
    guard bitmaps != self.bitmaps else { return false }
    (self.bitmaps, scaled, made) = (bitmaps, nil, nil)
    return true
  }

  /// A frame's image with the bitmaps over it.
  ///
  /// - Parameters:
  ///   - aspect: width over height of the whole frame as it is to be seen.
  ///   - coded: size of the coded frames, to which bitmaps refer that do not say to what.
  mutating func image(over frame: RenderedFrame, aspect: Double, coded: PixelSize) -> PixelImage {
    guard !bitmaps.isEmpty else { return frame.image }
    if let made, made.frame.timing == frame.timing, made.frame.request == frame.request, made.frame.image.size == frame.image.size {
      return made.image
    }
    let request = frame.request
    let geometry = FrameGeometry(
      aspect: aspect, region: request.region, box: request.box, pixelAspect: request.pixelAspect, gravity: request.gravity)
    let place = Place(image: frame.image.size, visible: geometry.visible, coded: coded, aspect: aspect)
    if scaled?.place != place { scaled = (place, Self.content(bitmaps, place)) }
    let image = Self.compose(scaled?.content ?? Content(), over: frame.image)
    made = (frame, image)
    return image
  }

  /// Whether the letters of what was scaled last are large enough to be read.
  var isLegible: Bool { scaled?.content.isLegible ?? true }

  /// Whether all that was scaled last is seen, legible or not.
  var isComplete: Bool { scaled?.content.isComplete ?? true }

  /// What is left of the frame's brightness behind letters that are small, of 16 parts.
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

  /// Where a bitmap lies, in pixels of the frame's image.
  ///
  /// One that was made for a frame of another shape (a film with bars, of which the bars were cut) is as wide in relation, and
  /// moved until all of it can be seen.
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

  /// How high a canvas as wide as the frame is beside it.
  private static func shape(_ canvas: PixelSize, _ place: Place) -> Double {
    // Made for this frame, its pixels have the same shape.
    if canvas.width == place.coded.width { return Double(canvas.height) / Double(place.coded.height) }
    // Else they are square, but on a disc or in a broadcast of standard definition, whose canvas is one of two shapes.
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
    let magnification = SubtitleMagnification(seen.map { ($0.area, $0.line) }, in: place.image)
    return Content(
      grounds: magnification.grounds,
      parts: seen.indices.filter { !magnification.leftOut.contains($0) }.compactMap {
        scale(seen[$0].ink, to: magnification.areas[$0], place.image)
      },
      isLegible: magnification.isLegible, isComplete: magnification.leftOut.isEmpty)
  }

  /// Averages pixels over each pixel of the image; nil where none of it is seen.
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

  /// For each pixel of one side the pixels of the bitmap that it covers, and how much each of them counts; all of a pixel that is
  /// covered counts 1.
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
