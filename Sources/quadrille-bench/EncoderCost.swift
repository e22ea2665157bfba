import CellGraphics
import Glibc
import Pixels
import Playback

/// The cost of encoding frames in which every cell differs from the one before: processor time on this thread.
enum EncoderCost {
  private static let frames = 60

  static func measure(_ bench: Workbench) throws -> [TableRow] {
    let size = PixelSize(width: Workbench.columns, height: 2 * Workbench.rows)
    var images: [PixelImage] = []
    try ReferenceFrames(bench.clips[0], RenderRequest(box: size, gravity: .resize)).forEach(from: 2) { frame in
      images.append(frame.image)
      return images.count < frames
    }
    // What 1 Mbit/s has for each of 24 updates a second, and 10 Mbit/s; then all that is asked for.
    let cases: [(name: String, depth: ColorDepth, budget: Int?, quality: ImageQuality, limit: Double)] = [
      ("24 bits, 5 kB", .trueColor, 5000, .exact, 5), ("24 bits, 50 kB", .trueColor, 50_000, .exact, 5),
      ("256 colours, 5 kB", .palette256, 5000, .exact, 5), ("24 bits, all", .trueColor, nil, .exact, 5),
      ("24 bits, high quality", .trueColor, nil, .high, 5),
    ]
    return cases.map { item in
      var times: [Double] = []
      var slow: [Double] = []
      var (bytesSent, quality) = (0, 0.0)
      for round in 1...bench.rounds {
        progress("encoder, \(item.name) \(round)/\(bench.rounds)")
        let costs = encode(images, item.depth, item.budget, item.quality)
        times.append(median(costs.map(\.seconds)) * 1000)
        slow.append(percentile(costs.map(\.seconds), 0.95) * 1000)
        bytesSent = costs.reduce(0) { $0 + $1.bytes } / costs.count
        quality = costs.map { min($0.psnr, FrameMatch.cap) }.reduce(0, +) / Double(costs.count)
      }
      return TableRow(
        "encoder, every cell of \(Workbench.columns)×\(Workbench.rows) another, \(item.name): median of \(frames)", times,
        atMost: item.limit, unit: " ms", note: "p95 \(text(median(slow), 1)) ms, \(bytesSent / 1000) kB, \(text(quality, 1)) dB")
    }
  }

  /// Encodes frames one after another, and returns what each took.
  private static func encode(
    _ images: [PixelImage], _ depth: ColorDepth, _ budget: Int?, _ quality: ImageQuality
  ) -> [(seconds: Double, bytes: Int, psnr: Double)] {
    var encoder = DifferenceEncoder(
      columns: Workbench.columns, rows: Workbench.rows,
      profile: EncoderProfile(colorDepth: depth, erasesCells: true, backColorErase: true, hasStandardPalette: true))
    encoder.quality = quality
    var grid = CellGrid(columns: Workbench.columns, rows: Workbench.rows)
    let palette = Palette(depth: depth)
    return images.map { image in
      Blitter.halfBlocks.blit(
        FrameLayer(image: image, cells: grid.bounds, imageRect: PixelRect(size: image.size)), into: &grid,
        palette: palette)
      var bytes: [UInt8] = []
      let begin = threadTime()
      let result = encoder.encode(grid, imageBudget: budget, into: &bytes)
      return (threadTime() - begin, result.bytes, result.loss.psnr)
    }
  }

  private static func threadTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
