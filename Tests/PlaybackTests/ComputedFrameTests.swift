import Playback
import Testing

/// Frames and timelines of sources that compute theirs.
@Suite(.timeLimit(.minutes(20))) struct ComputedFrameTests {
  private let size = PixelSize(width: 200, height: 100)
  private let timing = FrameTiming(pts: .zero, duration: MediaTime(value: 1, timescale: 25))

  /// The place in hundredths as red and green.
  private func place(_ x: Double, _ y: Double) -> (red: UInt8, green: UInt8, blue: UInt8) {
    (UInt8(x * 100), UInt8(y * 100), 7)
  }

  @Test func anImageIsMadeOfItsPixels() {
    let image = PixelImage(size: PixelSize(width: 3, height: 2)) { x, y in (UInt8(x), UInt8(y), 9) }
    for y in 0..<2 { for x in 0..<3 { #expect(image[x, y] == (UInt8(x), UInt8(y), 9)) } }
  }

  @Test(arguments: Gravity.allCases) func colorsAreThoseOfThePlacesThatAreSeen(gravity: Gravity) {
    let request = RenderRequest(box: PixelSize(width: 20, height: 20), gravity: gravity)
    let frame = RenderedFrame(for: request, size: size, timing: timing, color: place)
    #expect(frame.request == request && frame.timing == timing)
    let (first, last) = (frame.image[0, 0], frame.image[frame.image.width - 1, frame.image.height - 1])
    switch gravity {
    case .resizeAspect:
      #expect(frame.rect == PixelRect(x: 0, y: 5, width: 20, height: 10))
      #expect(frame.image.size == PixelSize(width: 20, height: 10))
      #expect(first == (2, 5, 7) && last == (97, 95, 7))
    case .resizeAspectFill:
      // The middle half of its width is seen.
      #expect(frame.rect == PixelRect(x: 0, y: 0, width: 20, height: 20))
      #expect(first == (26, 2, 7) && last == (73, 97, 7))
    case .resize:
      #expect(frame.rect == PixelRect(x: 0, y: 0, width: 20, height: 20))
      #expect(first == (2, 2, 7) && last == (97, 97, 7))
    }
  }

  @Test func pixelsOfTheBoxNeedNotBeSquare() {
    let request = RenderRequest(box: PixelSize(width: 20, height: 20), pixelAspect: 0.5)
    #expect(request.geometry(ofFrame: size).imageSize == PixelSize(width: 20, height: 5))
  }

  @Test func aStillIsNeverEnlarged() {
    let small = Still(maximumSize: PixelSize(width: 50, height: 0), size: size, timing: timing, color: place)
    #expect(small.image.size == PixelSize(width: 50, height: 25) && small.image[0, 0] == (1, 2, 7))
    let full = Still(maximumSize: PixelSize(width: 500, height: 500), size: size, timing: timing, color: place)
    #expect(full.image.size == size && full.image[199, 99] == (99, 99, 7))
  }

  @Test func framesOfOneLengthMakeATimeline() throws {
    let length = MediaTime(value: 1001, timescale: 30000)
    let timeline = try #require(PresentationTimeline(frameCount: 10, frameDuration: length, randomAccessInterval: 4))
    #expect(timeline.frameCount == 10 && timeline.isComplete && timeline.duration == length * 10)
    for number in 0..<10 {
      let timing = try #require(timeline.timing(ofFrame: number))
      #expect(timing.pts == length * number && timing.duration == length && timing.number == number && timing.endIsExact)
      #expect(timeline.randomAccessFrame(for: number) == number / 4 * 4)
    }
    #expect(timeline.timing(ofFrame: 10) == nil && timeline.timing(ofFrame: -1) == nil)
  }

  @Test func whatIsNoTimelineIsNone() {
    let length = MediaTime(value: 1, timescale: 25)
    #expect(PresentationTimeline(frameCount: 0, frameDuration: length) == nil)
    #expect(PresentationTimeline(frameCount: 3, frameDuration: .zero) == nil)
    #expect(PresentationTimeline(frameCount: 3, frameDuration: .indefinite) == nil)
    #expect(PresentationTimeline(frameCount: 3, frameDuration: length, randomAccessInterval: 0) == nil)
  }
}
