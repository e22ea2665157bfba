import Pixels
import Testing

@testable import Playback

/// Frames of one second each, for tests of a player's parts.
enum PartFrame {
  static let request = request(width: 10)

  static func request(width: Int) -> RenderRequest { RenderRequest(box: PixelSize(width: width, height: 1)) }

  static func time(_ seconds: Int) -> MediaTime { MediaTime(value: Int64(seconds), timescale: 1) }

  /// The frame that begins at so many seconds.
  static func timing(_ number: Int) -> FrameTiming {
    FrameTiming(pts: time(number), duration: time(1), number: number)
  }

  /// Images of a frame for each request, of `bytes` each.
  ///
  /// - Parameter bytes: a multiple of 3.
  static func images(
    _ timing: FrameTiming, bytes: Int = 30, requests: [RenderRequest] = [request]
  ) throws -> ScaledFrames {
    let size = PixelSize(width: bytes / 3, height: 1)
    let image = PixelImage(size: size) { _ in }
    let rect = PixelRect(x: 0, y: 0, width: size.width, height: size.height)
    return try #require(
      ScaledFrames(requests.map { RenderedFrame(image: image, rect: rect, request: $0, timing: timing) }))
  }

  static func images(_ number: Int, bytes: Int = 30) throws -> ScaledFrames { try images(timing(number), bytes: bytes) }

  /// A frame as a decoder gives it.
  final class Decoded: SourceFrame {
    let timing: FrameTiming

    init(_ number: Int) { timing = PartFrame.timing(number) }

    func render(for request: RenderRequest) throws -> RenderedFrame {
      try PartFrame.images(timing, requests: [request]).frames[0]
    }

    func still(maximumSize: PixelSize) throws -> Still {
      Still(maximumSize: maximumSize, size: PixelSize(width: 10, height: 1), timing: timing) { _, _ in (0, 0, 0) }
    }
  }
}
