/// Constant borders around the pictures of a clip.
enum BorderDetection {
  /// Returns the part of the frames inside borders that are flat, dark and the same in all frames.
  ///
  /// A logo or a timecode in a border does not hide it: two thirds of a row decide.
  static func picture(in pictures: Pictures) -> PictureRect {
    let sample = pictures.frames(spread(pictures.count, 48))
    let grid = pictures.grid, width = grid.width, height = grid.height
    let frames = sample.resampled(.whole, on: grid).rows
    let equal = [Float](repeating: 1 / Float(grid.count), count: grid.count)
    let live = zip(0..<frames.count, frames.variances(equal)).filter { $0.1 > 144 }.map(\.0)
    guard live.count >= 4 else { return .whole }
    var all: [Float] = []
    for i in live { all += frames[i] }
    let dark = min(max(quantile(all, 0.01) + 8, 26), 70)

    func isBorder(_ line: (Int) -> [Float]) -> Bool {
      var lowest = Float.infinity, highest = -Float.infinity
      for i in live {
        let values = line(i)
        guard quantile(values, 0.66) < dark else { return false }
        let middle = median(values)
        lowest = min(lowest, middle)
        highest = max(highest, middle)
      }
      return highest - lowest < 4
    }
    func row(_ y: Int) -> (Int) -> [Float] {
      { i in Array(frames.values[i * grid.count + y * width..<i * grid.count + (y + 1) * width]) }
    }
    func column(_ x: Int) -> (Int) -> [Float] {
      { i in (0..<height).map { frames.values[i * grid.count + $0 * width + x] } }
    }
    var top = 0, bottom = height, left = 0, right = width
    while top < height * 2 / 5, isBorder(row(top)) { top += 1 }
    while bottom > height * 3 / 5, isBorder(row(bottom - 1)) { bottom -= 1 }
    while left < width * 2 / 5, isBorder(column(left)) { left += 1 }
    while right > width * 3 / 5, isBorder(column(right - 1)) { right -= 1 }
    return PictureRect(
      left: Double(left) / Double(width), right: Double(right) / Double(width), top: Double(top) / Double(height),
      bottom: Double(bottom) / Double(height))
  }
}
