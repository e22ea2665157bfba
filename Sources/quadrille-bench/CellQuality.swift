import CellGraphics
import Glibc
import Pixels
import Playback

/// The gain of finer cells, against frames of eight by sixteen pixels in each cell, as terminals draw them.
enum CellQuality {
  private static let (columns, rows) = (Workbench.columns, Workbench.rows)
  private static let cellSize = PixelSize(width: 8, height: 16)
  /// Seconds at which frames are taken, of short and of long clips, which begin in black.
  private static let (seconds, laterSeconds) = ([1.0, 2.5, 4], [14.0, 20, 27])
  /// The bytes of an update at 1 Mbit/s and ten updates a second.
  private static let budget = 12_500
  private static let updates = 25

  /// Shapes with their targets: PSNR above half blocks in decibels, and the time of a fit in milliseconds.
  private static let kinds: [(name: String, style: String, shapes: CellShapes, gain: Double, fit: Double)] = [
    ("blocks", "blocks", .blocks, 1.8, 2.5), ("all shapes", "all", .all, 2.7, 6),
  ]

  private static func blitter(_ shapes: CellShapes?) -> Blitter { shapes.map { Blitter.fitted($0) } ?? .halfBlocks }

  private static func request(_ shapes: CellShapes?, isFitted: Bool = true) -> RenderRequest {
    var request = RenderRequest(box: blitter(shapes).pixelSize(ofCells: CellSize(width: columns, height: rows)), gravity: .resize)
    request.shapes = isFitted ? shapes : nil
    return request
  }

  private static let whole = RenderRequest(
    box: PixelSize(width: columns * cellSize.width, height: rows * cellSize.height), gravity: .resize)

  private static func makeEncoder() -> DifferenceEncoder {
    DifferenceEncoder(
      columns: columns, rows: rows, profile: EncoderProfile(colorDepth: .trueColor, erasesCells: true, backColorErase: true))
  }

  private static func draw(_ image: PixelImage, _ shapes: CellShapes?, into grid: inout CellGrid) {
    let layer = FrameLayer(image: image, cells: grid.bounds, imageRect: PixelRect(size: image.size))
    blitter(shapes).blit(layer, into: &grid, palette: Palette(depth: .trueColor))
  }

  private static func psnr(_ grid: CellGrid, _ frame: PixelImage) -> Double {
    let error = grid.image(cellSize: cellSize).withBytes { shown in
      frame.withBytes { meant in
        zip(shown, meant).reduce(0) { sum, pair in
          let difference = Int(pair.0) - Int(pair.1)
          return sum + difference * difference
        }
      }
    }
    return min(FrameMatch.cap, 10 * log10(65_025 * 3 * Double(frame.size.area) / Double(max(1, error))))
  }

  /// PSNR and bytes of a frame that is sent as a whole.
  private static func send(_ image: PixelImage, _ shapes: CellShapes?, against frame: PixelImage) -> (psnr: Double, bytes: Int) {
    var (encoder, grid, bytes) = (makeEncoder(), CellGrid(columns: columns, rows: rows), [UInt8]())
    draw(image, shapes, into: &grid)
    let result = encoder.encode(grid, imageBudget: nil, into: &bytes)
    return (psnr(encoder.shown, frame), result.bytes)
  }

  /// - Parameter long: long clips.
  static func quality(_ bench: Workbench, _ long: [String]) throws -> [TableRow] {
    var gains: [String: [Double]] = [:], ratios: [String: [Double]] = [:]
    for (clip, seconds) in bench.clips.map({ ($0, seconds) }) + long.map({ ($0, laterSeconds) }) {
      for second in seconds {
        let frames = ReferenceFrames(clip, whole)
        let frame = try frames.frame(at: second, whole).image
        let half = send(try frames.frame(at: second, request(nil)).image, nil, against: frame)
        for kind in kinds {
          let fine = send(try frames.frame(at: second, request(kind.shapes)).image, kind.shapes, against: frame)
          gains[kind.name, default: []].append(fine.psnr - half.psnr)
          ratios[kind.name, default: []].append(Double(fine.bytes) / Double(half.bytes))
        }
      }
    }
    return kinds.flatMap { kind in
      [
        TableRow("\(kind.name), PSNR above half blocks", gains[kind.name] ?? [], atLeast: kind.gain, unit: " dB", digits: 1),
        TableRow("\(kind.name), bytes of a frame / half blocks", ratios[kind.name] ?? [], atMost: 1.05),
      ]
    }
  }

  static func fit(_ bench: Workbench) throws -> [TableRow] {
    let samples = request(.blocks, isFitted: false)
    let image = try ReferenceFrames(bench.clips[0], samples).frame(at: seconds[0], samples).image
    return kinds.map { kind in
      let times = (0..<20 * bench.rounds).map { _ in
        let begin = threadTime()
        _ = image.fitted(to: kind.shapes, x: 0, y: 0)
        return (threadTime() - begin) * 1000
      }
      return TableRow(
        "fitting \(columns)×\(rows) cells, \(kind.name): median of \(times.count)", [median(times)], atMost: kind.fit,
        unit: " ms", note: "p95 \(text(percentile(times, 0.95), 2)) ms")
    }
  }

  /// Frames in updates of limited bytes: what is shown against the whole frame.
  static func link(_ bench: Workbench, _ long: [String]) throws -> [TableRow] {
    var gains: [String: [Double]] = [:]
    for (clip, start) in bench.clips.map({ ($0, seconds[0]) }) + long.map({ ($0, laterSeconds[0]) }) {
      let half = try link(clip, from: start, nil)
      for kind in kinds { gains[kind.name, default: []].append(try link(clip, from: start, kind.shapes) - half) }
    }
    return kinds.map { kind in
      let values = gains[kind.name] ?? []
      return TableRow(
        "\(kind.name) in \(budget / 1000) kB an update, PSNR above half blocks", values, atLeast: 1, unit: " dB", digits: 2,
        note: "worst \(text(values.min() ?? 0, 2))")
    }
  }

  private static func link(_ clip: String, from start: Double, _ shapes: CellShapes?) throws -> Double {
    let frames = ReferenceFrames(clip, whole), small = ReferenceFrames(clip, request(shapes))
    var (encoder, grid, sum) = (makeEncoder(), CellGrid(columns: columns, rows: rows), 0.0)
    encoder.quality = .high
    for n in 0..<updates {
      let second = start + Double(n) / 10
      draw(try small.frame(at: second, request(shapes)).image, shapes, into: &grid)
      var bytes: [UInt8] = []
      _ = encoder.encode(grid, imageBudget: budget, into: &bytes)
      sum += psnr(encoder.shown, try frames.frame(at: second, whole).image)
    }
    return sum / Double(updates)
  }

  static func cost(_ bench: Workbench) throws -> [TableRow] {
    var ratios: [String: [Double]] = [:]
    for round in 1...bench.rounds {
      progress("cost \(round)/\(bench.rounds)")
      func run(_ style: String) throws -> Double {
        try bench.run(bench.program, ["--cells", style, "--sound", "off", "--exit-at-end", "--no-loop", bench.clips[0]]).cpu
      }
      let half = try run("half")
      for kind in kinds { ratios[kind.name, default: []].append(try run(kind.style) / half) }
    }
    return kinds.map { TableRow("playing, \($0.name): CPU / half blocks", ratios[$0.name] ?? [], atMost: 1.2) }
  }

  private static func threadTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
