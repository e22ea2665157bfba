import CellGraphics
import Glibc
import Pixels
import Playback
import Terminal
import TerminalHarness

/// Frames in pixels, in a pane of 28 rows of 100 cells.
enum PixelCost {
  private static let cell = PixelSize(width: 8, height: 16)
  private static let (columns, rows) = (100, 30)
  private static let size = PixelSize(width: 800, height: 448)
  /// Seconds at which frames are taken.
  private static let seconds = [1.0, 2.5, 4]

  private final class Pane {}

  static func sixels(_ bench: Workbench, _ long: [String]) throws -> [TableRow] {
    let request = RenderRequest(box: size, gravity: .resize)
    let cells = CellRect(x: 0, y: 0, width: columns, height: size.height / cell.height)
    let codec = PixelTransport.Codec(png: { _ in nil }, jpeg: { _ in nil })
    var times: [Double] = [], qualities: [Double] = [], bytes: [Double] = []
    for (clip, seconds) in bench.clips.map({ ($0, seconds) }) + long.map({ ($0, [14.0, 20, 27]) }) {
      for second in seconds {
        let image = try ReferenceFrames(clip, request).frame(at: second, request).image
        let layer = FrameLayer(image: image, cells: cells, imageRect: PixelRect(size: image.size), blitter: .pixels(cell))
        var grid = CellGrid(columns: columns, rows: rows)
        Blitter.pixels(cell).makeRoom(for: layer, in: &grid)
        guard let picture = PixelPicture(id: ObjectIdentifier(Pane()), layer: layer, isResting: false) else { continue }
        var output: [UInt8] = []
        for _ in 0..<5 {
          let transport = PixelTransport(.sixel, TerminalGraphics(), codec: codec, savesBytes: false)
          output.removeAll(keepingCapacity: true)
          let begin = threadTime()
          _ = transport.encode([picture], grid, budget: nil, into: &output)
          times.append((threadTime() - begin) * 1000)
        }
        bytes.append(Double(output.count) / 1000)
        qualities.append(quality(output, image))
      }
    }
    return [
      TableRow(
        "sixels of \(size) pixels: median of \(times.count)", [median(times)], atMost: 10, unit: " ms",
        note: "p95 \(text(percentile(times, 0.95), 1)) ms"),
      TableRow("sixels, PSNR", qualities, atLeast: 25, unit: " dB", digits: 1, note: "worst \(text(qualities.min() ?? 0, 1))"),
      TableRow(what: "sixels, kB of a frame", figure: "\(text(median(bytes), 0)) kB", samples: "most \(text(bytes.max() ?? 0, 0))"),
    ]
  }

  private static func quality(_ output: [UInt8], _ image: PixelImage) -> Double {
    guard let start = output.firstIndex(of: UInt8(ascii: "q")),
      let shown = SixelDecoder.image(output[(start + 1)..<(output.count - 2)])
    else { return 0 }
    return shown.psnr(TerminalPicture(width: image.width, height: image.height, bytes: image.withBytes { Array($0) }))
  }

  /// The program's own CPU time by kitty's protocol, against half blocks.
  static func cost(_ bench: Workbench) throws -> [TableRow] {
    var ratios: [Double] = [], rates: [Double] = []
    for round in 1...bench.rounds {
      progress("pixels \(round)/\(bench.rounds)")
      let half = try play(bench, ["--cells", "half"]), pixels = try play(bench, ["--pixels", "kitty"])
      ratios.append(pixels.cpu / half.cpu)
      rates.append(pixels.rate)
    }
    return [
      TableRow("playing in \(size) pixels through shared memory: CPU / half blocks", ratios, atMost: 1),
      TableRow("playing in \(size) pixels through shared memory, frames a second", rates, atLeast: 29, digits: 1),
    ]
  }

  private static func play(_ bench: Workbench, _ arguments: [String]) throws -> (cpu: Double, rate: Double) {
    var options = bench.options
    (options.columns, options.rows, options.cellPixels) = (columns, rows, (cell.width, cell.height))
    options.images = .init([.kitty], name: "kitty(0.40.0)")
    let statistics = Statistics.file()
    let process = try bench.start(
      arguments + ["--stats", statistics.path, "--sound", "off", "--exit-at-end", "--no-loop", bench.clips[0]], options)
    guard process.runUntilExit(timeout: Workbench.patience) == .exited(0), let usage = process.usage else {
      throw BenchError("quadrille does not end")
    }
    let figures = try statistics.read()
    return (usage.cpuSeconds, Double(figures.panes[0].shown) / max(1, figures.panes[0].played_s))
  }

  private static func threadTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
