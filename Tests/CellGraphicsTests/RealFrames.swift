import CellGraphics
import Foundation
import Pixels
import TestSupport

/// Some frames of real clips, small; none where the clips are not there.
enum RealFrames {
  static let size = PixelSize(width: 72, height: 32)

  /// Frames that follow each other, of each clip.
  static let all: [[PixelImage]] = [
    "real/sintel_trailer-720p.mp4", "real/trailer_bbb.mp4", "real/car-detection.mp4", "real/flower.mp4",
  ].compactMap(SharedClips.path).compactMap { path in
    guard let output = try? MediaTool.run(
      "ffmpeg",
      [
        "-v", "error", "-ss", "3", "-i", path, "-vf", "fps=15,scale=\(size.width):\(size.height)", "-frames:v", "60",
        "-f", "rawvideo", "-pix_fmt", "rgb24", "-",
      ])
    else { return nil }
    let data = [UInt8](output)
    let count = 3 * size.width * size.height
    let images = (0..<data.count / count).map { n in
      PixelImage(size: size) { bytes in
        for index in 0..<count { bytes[index] = data[n * count + index] }
      }
    }
    return images.isEmpty ? nil : images
  }

  /// Draws a frame over the whole grid.
  static func draw(_ image: PixelImage, into grid: inout CellGrid, for profile: EncoderProfile) {
    let blitter = Blitter.best(for: profile.glyphSet)
    let rect = PixelRect(size: blitter.pixelSize(ofCells: grid.bounds.size))
    blitter.blit(
      FrameLayer(image: image, cells: grid.bounds, imageRect: rect), into: &grid, palette: Palette(depth: profile.colorDepth))
  }
}
