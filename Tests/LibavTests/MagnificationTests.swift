import Foundation
import Libav
import Pixels
import TestSupport
import Testing

/// Parts of frames with repeated pixels, against ffmpeg's conversion of the whole frame.
@Suite(.timeLimit(.minutes(20))) struct MagnificationTests {
  /// The first frame as ffmpeg converts it, with a colour sample repeated for all pixels that it covers.
  private func reference(_ path: String, _ size: PixelSize) throws -> PixelImage {
    let flags = "neighbor+accurate_rnd+full_chroma_int+full_chroma_inp"
    let filters = "scale=\(size.width):\(size.height):flags=\(flags),format=rgb24"
    return try #require(try SampleMedia.referenceFrames(path, size: size, filters: filters, limit: 1).first)
  }

  private func expectPart(
    _ part: PixelRect, factor: Int, _ orientation: Orientation = .upright, of whole: PixelImage, _ reader: ClipReader
  ) throws {
    let turned = orientation.swapsSides ? PixelSize(width: whole.height, height: whole.width) : whole.size
    var request = ScaleRequest(size: PixelSize(width: part.width * factor, height: part.height * factor), orientation: orientation)
    request.region = FrameRegion(
      x: Double(part.x) / Double(turned.width), y: Double(part.y) / Double(turned.height),
      width: Double(part.width) / Double(turned.width), height: Double(part.height) / Double(turned.height))
    request.magnification = .nearest
    let image = try reader.scaler.scale(reader.frame, to: request)
    var wrong = 0
    for y in 0..<image.height {
      for x in 0..<image.width {
        let place = orientation.sourcePixel(x: part.x + x / factor, y: part.y + y / factor, displayed: turned)
        if image[x, y] != whole[place.x, place.y] { wrong += 1 }
      }
    }
    #expect(wrong == 0, "\(part) ×\(factor) \(orientation): \(wrong) of \(image.size.area) pixels differ")
  }

  @Test(arguments: [
    SampleClip.h264BFrames, .h264FullChroma, .h264TenBit422, .hevc10Bit, .losslessBGRA, .oddSize, .fullRange, .bt601, .mpeg2ProgramStream,
  ])
  func everyPixelIsTheClips(clip: SampleClip) throws {
    let path = try clip.path()
    let reader = try ClipReader(path)
    #expect(try reader.next())
    let size = reader.frame.size
    let whole = try reference(path, size)
    for part in [
      PixelRect(size: size), PixelRect(x: 0, y: 0, width: 1, height: 1), PixelRect(x: 13, y: 7, width: 21, height: 10),
      PixelRect(x: 10, y: 4, width: 16, height: 16), PixelRect(x: size.width - 5, y: size.height - 3, width: 5, height: 3),
    ] {
      for factor in [1, 2, 3] { try expectPart(part, factor: factor, of: whole, reader) }
    }
  }

  @Test func turned() throws {
    let path = try SampleClip.h264BFrames.path()
    let reader = try ClipReader(path)
    #expect(try reader.next())
    let whole = try reference(path, reader.frame.size)
    for turns in 0..<4 {
      for isMirrored in [false, true] {
        let orientation = Orientation(quarterTurns: turns, isMirrored: isMirrored)
        for part in [PixelRect(x: 3, y: 9, width: 12, height: 7), PixelRect(x: 8, y: 2, width: 5, height: 11)] {
          try expectPart(part, factor: 2, orientation, of: whole, reader)
        }
      }
    }
  }

  /// Where the image is smaller than the part, frames are averaged as always.
  @Test func smallerImagesAreAveraged() throws {
    let reader = try ClipReader(try SampleClip.h264BFrames.path())
    #expect(try reader.next())
    for size in [PixelSize(width: 31, height: 17), PixelSize(width: 500, height: 10)] {
      let plain = ScaleRequest(size: size)
      var nearest = plain
      nearest.magnification = .nearest
      #expect(try reader.scaler.scale(reader.frame, to: plain) == reader.scaler.scale(reader.frame, to: nearest))
    }
  }
}
