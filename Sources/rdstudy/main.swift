import CellGraphics
import Foundation
@preconcurrency import Glibc
import Pixels

let args = CommandLine.arguments
let (w, h, budget) = (Int(args[1])!, Int(args[2])!, Int(args[3])!)
let depth: ColorDepth = args.count > 4 ? ColorDepth(rawValue: args[4])! : .trueColor
var encoder = DifferenceEncoder(columns: w, rows: h / 2, profile: .init(colorDepth: depth, erasesCells: true, backColorErase: true))
var grid = CellGrid(columns: w, rows: h / 2)
let palette = Palette(depth: depth)
var size = w * h * 3
var buffer = [UInt8](repeating: 0, count: size)
func rgb(_ c: CellColor) -> (Int, Int, Int) {
  switch c.kind {
  case .default: return (0, 0, 0)
  case .rgb(let r, let g, let b): return (Int(r), Int(g), Int(b))
  case .indexed(let i):
    if i >= 232 { let v = 8 + 10 * (Int(i) - 232); return (v, v, v) }
    let l = [0, 95, 135, 175, 215, 255]; let n = Int(i) - 16
    return n < 0 ? (0, 0, 0) : (l[n / 36], l[n / 6 % 6], l[n % 6])
  }
}
var sum = 0.0, least = 99.0, frames = 0, total = 0, times: [Double] = []
@MainActor func fill() -> Bool {
  var done = 0
  while done < size {
    let n = buffer.withUnsafeMutableBytes { read(0, $0.baseAddress! + done, size - done) }
    if n <= 0 { return false }
    done += n
  }
  return true
}
while fill() {
  let image = PixelImage(size: PixelSize(width: w, height: h)) { bytes in for i in 0..<size { bytes[i] = buffer[i] } }
  Blitter.halfBlocks.blit(FrameLayer(image: image, cells: grid.bounds, imageRect: PixelRect(size: image.size)), into: &grid, palette: palette)
  var bytes: [UInt8] = []
  let t = DispatchTime.now().uptimeNanoseconds
  let result = encoder.encode(grid, pictureBudget: budget, into: &bytes)
  times.append(Double(DispatchTime.now().uptimeNanoseconds - t) / 1e6)
  precondition(result.pictureBytes <= budget)
  var error = 0
  let shown = encoder.shown
  for y in 0..<(h / 2) {
    for x in 0..<w {
      let c = shown[column: x, row: y]
      let bg = rgb(c.background), fg = c.glyph == 0x20 ? bg : rgb(c.foreground)
      for (k, v) in [fg, bg].enumerated() {
        let at = ((2 * y + k) * w + x) * 3
        let (a, b, d) = (v.0 - Int(buffer[at]), v.1 - Int(buffer[at + 1]), v.2 - Int(buffer[at + 2]))
        error += a * a + b * b + d * d
      }
    }
  }
  let psnr = error == 0 ? 78 : 10 * log10(65025.0 * Double(size) / Double(error))
  frames += 1
  if frames > 3 { sum += psnr; total += bytes.count; least = min(least, psnr) }
}
times.sort()
print(String(format: "%.2f dB mean, %.2f least, %.2f kB a frame, p50 %.2f ms p95 %.2f ms", sum / Double(frames - 3), least, Double(total) / Double(frames - 3) / 1000, times[times.count / 2], times[times.count * 95 / 100]))
