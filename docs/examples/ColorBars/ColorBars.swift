import Playback

// guide: source
/// Colour bars with the number of each frame below them, computed; there is no file.
final class ColorBars: FrameSource {
  static let size = PixelSize(width: 320, height: 180)

  let info: SourceInfo
  let index: FrameIndex?
  private let timeline: PresentationTimeline
  /// The frame that `decodeNext` gives.
  private var next = 0

  init(frameCount: Int, frameDuration: MediaTime) throws {
    guard let timeline = PresentationTimeline(frameCount: frameCount, frameDuration: frameDuration) else {
      throw PlaybackError(.noVideo, "has no frames")
    }
    self.timeline = timeline
    index = FrameIndex(timeline: timeline)
    info = SourceInfo(
      presentationSize: Self.size, duration: frameDuration * frameCount, nominalFrameRate: 1 / frameDuration.seconds)
  }

  func seek(to time: MediaTime, options: SeekOptions) -> SeekLanding {
    next = timeline.frameNumber(at: time)
    return SeekLanding()
  }

  func rewind() { next = 0 }

  func decodeNext(discard: DiscardLevel) -> DecodeStep {
    guard let timing = timeline.timing(ofFrame: next) else { return .endOfStream(isCutOff: false) }
    next += 1
    return .frame(Bars(timing: timing))
  }

  /// There is no decoder that could wait anywhere.
  func retainDecoders(within bytes: Int) -> Int { 0 }
}
// end

// guide: frame
final class Bars: SourceFrame {
  let timing: FrameTiming

  init(timing: FrameTiming) { self.timing = timing }

  func render(for request: RenderRequest) -> RenderedFrame {
    RenderedFrame(for: request, size: ColorBars.size, timing: timing, color: color)
  }

  func still(maximumSize: PixelSize) -> Still {
    Still(maximumSize: maximumSize, size: ColorBars.size, timing: timing, color: color)
  }

  /// Eight bars, and the number on black below.
  private func color(_ x: Double, _ y: Double) -> (red: UInt8, green: UInt8, blue: UInt8) {
    if y >= Digits.top { return Digits.isSet(x, y, of: timing.number) ? (255, 255, 255) : (0, 0, 0) }
    let bar = 7 - Int(x * 8)
    return (bar & 2 == 0 ? 0 : 191, bar & 4 == 0 ? 0 : 191, bar & 1 == 0 ? 0 : 191)
  }
}
// end
