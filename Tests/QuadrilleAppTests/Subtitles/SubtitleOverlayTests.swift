import Pixels
import Playback
import Testing

@testable import QuadrilleApp

/// Image subtitles over frames.
@Suite(.timeLimit(.minutes(20))) struct SubtitleOverlayTests {
  private let white: UInt32 = 0xFFFF_FFFF
  private let ground: UInt8 = 100

  /// A frame of 160×90 of one colour.
  private func frame(_ request: RenderRequest) -> RenderedFrame {
    let geometry = request.geometry(ofFrame: PixelSize(width: 160, height: 90))
    let timing = FrameTiming(pts: .zero, duration: MediaTime(value: 1, timescale: 25))
    return RenderedFrame(
      image: PixelImage(size: geometry.imageSize) { _, _ in (ground, ground, ground) }, rect: geometry.imageRect, request: request,
      timing: timing)
  }

  private func box(
    _ x: Int, _ y: Int, _ width: Int, _ height: Int, canvas: PixelSize, color: UInt32 = 0xFFFF_FFFF
  ) -> SubtitleBitmap {
    SubtitleBitmap(
      x: x, y: y, size: PixelSize(width: width, height: height), canvas: canvas,
      indices: [UInt8](repeating: 0, count: width * height), palette: [color])
  }

  private func image(_ bitmaps: [SubtitleBitmap], _ request: RenderRequest, coded: PixelSize? = nil) -> PixelImage {
    var overlay = SubtitleOverlay()
    let (isNew, isNewAgain) = (overlay.show(bitmaps), overlay.show(bitmaps))
    #expect(isNew && !isNewAgain)
    let frame = frame(request)
    let (first, again) = (
      overlay.image(over: frame, aspect: 16.0 / 9, coded: coded ?? PixelSize(width: 160, height: 90)),
      overlay.image(over: frame, aspect: 16.0 / 9, coded: coded ?? PixelSize(width: 160, height: 90)))
    #expect(first == again)
    return first
  }

  /// The smallest rectangle with all pixels that are brighter than the ground.
  private func changed(_ image: PixelImage) -> PixelRect {
    var (left, top, right, bottom) = (image.width, image.height, 0, 0)
    for y in 0..<image.height {
      for x in 0..<image.width where image[x, y].red > ground {
        (left, top, right, bottom) = (min(left, x), min(top, y), max(right, x + 1), max(bottom, y + 1))
      }
    }
    return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// Frames of pixels that are not square, and discs and broadcasts of standard definition beside others: all have the canvas's shape.
  @Test(arguments: [
    (PixelSize(width: 1920, height: 1080), PixelSize(width: 1440, height: 1080)),
    (PixelSize(width: 720, height: 576), PixelSize(width: 1920, height: 1080)),
    (PixelSize(width: 720, height: 480), PixelSize(width: 1280, height: 720)),
    (PixelSize(width: 720, height: 576), PixelSize(width: 720, height: 576)),
  ])
  func aCanvasThatIsTheWholeFrame(canvas: PixelSize, coded: PixelSize) {
    let (wide, high) = (canvas.width / 4, canvas.height / 6)
    let bitmap = box(canvas.width / 4, canvas.height * 2 / 3, wide, high, canvas: canvas)
    #expect(changed(image([bitmap], request, coded: coded)) == PixelRect(x: 40, y: 60, width: 40, height: 15))
  }

  private let request = RenderRequest(box: PixelSize(width: 160, height: 90))

  @Test func itLiesWhereItBelongsAtEverySize() {
    // 1920×1080, an eighth of it.
    let bitmap = box(480, 840, 960, 120, canvas: PixelSize(width: 1920, height: 1080))
    #expect(changed(image([bitmap], request)) == PixelRect(x: 40, y: 70, width: 80, height: 10))
    let large = RenderRequest(box: PixelSize(width: 320, height: 180))
    #expect(changed(image([bitmap], large)) == PixelRect(x: 80, y: 140, width: 160, height: 20))
    // Without a canvas it refers to the coded frames.
    let bare = box(40, 70, 80, 10, canvas: PixelSize(width: 0, height: 0))
    #expect(changed(image([bare], request)) == PixelRect(x: 40, y: 70, width: 80, height: 10))
    // Pixels that are not square stretch with the frame's.
    let stretched = box(180, 448, 360, 64, canvas: PixelSize(width: 720, height: 576))
    #expect(changed(image([stretched], request, coded: PixelSize(width: 720, height: 576))) == PixelRect(x: 40, y: 70, width: 80, height: 10))
  }

  @Test func alphaIsKeptAndEdgesAreMixed() {
    // High enough to be no text.
    let half = image([box(40, 50, 80, 30, canvas: PixelSize(width: 160, height: 90), color: 0x80FF_FFFF)], request)
    #expect(abs(Int(half[80, 75].red) - 178) <= 1 && half[39, 75] == (ground, ground, ground))
    // Half of a pixel is covered.
    let edge = image([box(81, 100, 160, 60, canvas: PixelSize(width: 320, height: 180))], request)
    #expect(edge[41, 75].red == 255 && abs(Int(edge[40, 75].red) - 178) <= 1 && abs(Int(edge[120, 75].red) - 178) <= 1)
    // The whole image of another colour: the palette's order is red, green, blue.
    let red = image([box(0, 0, 160, 90, canvas: PixelSize(width: 160, height: 90), color: 0xFF00_00FF)], request)
    #expect(red[10, 10] == (255, 0, 0))
    // What is transparent leaves the frame as it is.
    let clear = image([box(0, 70, 160, 10, canvas: PixelSize(width: 160, height: 90), color: 0x00FF_FFFF)], request)
    #expect(clear == frame(request).image)
  }

  @Test func barsThatWereCutAreNoReasonToLoseWords() {
    // Made for 16:9, of which a film of 2.4:1 has been cut: the words were in the lower bar.
    let coded = PixelSize(width: 1920, height: 800)
    let bitmap = box(480, 980, 960, 80, canvas: PixelSize(width: 1920, height: 1080))
    let image = image([bitmap], request, coded: coded)
    let rect = changed(image)
    #expect(abs(2 * rect.x + rect.width - 160) <= 1 && rect.width >= 80 && rect.y + rect.height == 90)
  }

  @Test func aPartOfTheFrame() {
    // The pane is upright: of the frame its middle is seen, and the words as far as there is room.
    let fill = RenderRequest(box: PixelSize(width: 40, height: 90), gravity: .resizeAspectFill)
    let rect = changed(image([box(10, 70, 30, 10, canvas: PixelSize(width: 160, height: 90))], fill))
    #expect(rect == PixelRect(x: 0, y: 70, width: 30, height: 10))
    let wide = changed(image([box(0, 70, 160, 10, canvas: PixelSize(width: 160, height: 90))], fill))
    #expect(wide == PixelRect(x: 0, y: 70, width: 40, height: 10))
  }

  @Test(arguments: [1, 2, 7]) func tinyPanes(side: Int) {
    let request = RenderRequest(box: PixelSize(width: side, height: side))
    _ = image([box(1, 1, 1, 1, canvas: PixelSize(width: 160, height: 90)), box(0, 0, 400, 300, canvas: PixelSize(width: 160, height: 90))], request)
  }

  @Test func withoutAnyTheFrameStays() {
    var overlay = SubtitleOverlay()
    let isNew = overlay.show([])
    let frame = frame(request)
    let image = overlay.image(over: frame, aspect: 1, coded: PixelSize(width: 0, height: 0))
    #expect(!isNew && image == frame.image)
  }
}
