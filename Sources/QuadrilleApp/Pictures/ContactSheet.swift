import CellGraphics
import Pixels
import Playback

/// Pictures of one clip at even distances, in rows.
public struct ContactSheet: Sendable {
  /// The pictures in order; nil where there is none.
  let images: [PixelImage?]
  let columns: Int
  /// The room for each picture; pictures of another shape lie in its middle.
  let tile: PixelSize

  /// Fetches the pictures from the middle of each of `count` equal parts of the clip; blocks meanwhile.
  ///
  /// - Parameters:
  ///   - size: what pictures are scaled down to fit in; a side of 0 is free.
  ///   - isFixed: whether `size` is the room for each picture also where they are smaller; a side of 0 follows
  ///     from the pictures.
  /// - Throws: `PlaybackError` when the clip cannot be opened, gives no picture at all or would make too large a sheet.
  public init(clip: String, count: Int, columns: Int, size: PixelSize, isFixed: Bool) throws {
    // One asset, so that a pipe is opened once.
    let header = Asset(path: clip)
    let duration = try Self.duration(header)
    try Self.refuseLargeSheet(of: header, count: count, size: size)
    let times = Self.times(count: count, duration: duration)
    // In long clips a picture nearby saves decoding up to the very one.
    let part = duration.seconds / Double(max(1, count))
    let tolerance = part > 10 ? MediaTime(seconds: part / 4, preferredTimescale: 1000) : .zero
    let answers = StillMaker(asset: header, maximumSize: size).stills(at: times, tolerance: tolerance)
    images = answers.map(\.image)
    guard let first = images.lazy.compactMap({ $0 }).first else {
      _ = try answers[0].get()
      throw PlaybackError(.nothingDecodable, "has no picture that can be decoded")
    }
    self.columns = min(columns, count)
    tile = PixelSize(
      width: isFixed && size.width > 0 ? size.width : first.width,
      height: isFixed && size.height > 0 ? size.height : first.height)
  }

  /// Pixels of all pictures of a sheet.
  public static let mostPixels = 100_000_000

  /// Where a side is free it follows from the clip, whose shape may be any.
  private static func refuseLargeSheet(of header: Asset, count: Int, size: PixelSize) throws {
    guard let own = try header.wait(for: .facts).preferredVideoTrack?.presentationSize, !own.isEmpty else { return }
    func scale(_ side: Int, _ own: Int) -> Double { side > 0 ? Double(side) / Double(own) : 1 }
    let factor = min(1, scale(size.width, own.width), scale(size.height, own.height))
    let pixels = Double(own.width) * factor * Double(own.height) * factor * Double(count)
    guard pixels <= Double(mostPixels) else {
      throw PlaybackError(.tooLarge, "would make a sheet of more than \(mostPixels / 1_000_000) million pixels")
    }
  }

  /// The middles of `count` equal parts.
  static func times(count: Int, duration: MediaTime) -> [MediaTime] {
    (0..<count).map { i in
      let (scale, overflow) = duration.timescale.multipliedReportingOverflow(by: Int32(2 * count))
      let middle = duration * (2 * i + 1)
      guard !overflow, middle.timescale == duration.timescale else {
        return duration * (Double(2 * i + 1) / Double(2 * count))
      }
      return MediaTime(value: middle.value, timescale: scale)
    }
  }

  /// The length, from the packets where the header does not tell.
  private static func duration(_ header: Asset) throws -> MediaTime {
    let facts = try header.wait(for: .facts)
    let own = facts.preferredVideoTrack?.duration ?? .indefinite
    if !facts.durationIsEstimate {
      let lengths = [own, facts.duration].filter { $0.isNumeric && $0 > .zero }
      if let length = lengths.min() { return length }
    }
    let asset = Asset(path: header.path, options: .init(prefersPreciseDurationAndTiming: true))
    let duration = try asset.wait(for: .duration)
    return duration.isNumeric ? max(.zero, duration) : .zero
  }

  private var rows: Int { (images.count + columns - 1) / columns }

  /// All pictures on one, without gaps, in the order of reading.
  public func image() -> PixelImage {
    PixelImage(size: PixelSize(width: columns * tile.width, height: rows * tile.height)) { out in
      let stride = columns * tile.width * 3
      for (i, image) in images.enumerated() {
        guard let image else { continue }
        let left = (i % columns) * tile.width + (tile.width - image.width) / 2
        let top = (i / columns) * tile.height + (tile.height - image.height) / 2
        image.withBytes { bytes in
          for y in 0..<image.height {
            let row = UnsafeBufferPointer(
              rebasing: bytes[(y * image.width * 3)..<((y + 1) * image.width * 3)])
            let start = (top + y) * stride + left * 3
            _ = UnsafeMutableBufferPointer(rebasing: out[start..<(start + row.count)]).update(
              fromContentsOf: row)
          }
        }
      }
    }
  }

  /// The sheet as lines of text, each picture in cells as `tile` says, one cell apart.
  public func text(depth: ColorDepth, glyphSet: GlyphSet) -> String {
    let blitter = Blitter.best(for: glyphSet)
    let palette = Palette(depth: depth)
    let cells = PixelSize(
      width: (tile.width + blitter.blockWidth - 1) / blitter.blockWidth,
      height: (tile.height + blitter.blockHeight - 1) / blitter.blockHeight)
    var grid = CellGrid(columns: columns * (cells.width + 1) - 1, rows: rows * (cells.height + 1) - 1)
    for (i, image) in images.enumerated() {
      guard let image else { continue }
      let place = PixelRect(
        x: (i % columns) * (cells.width + 1), y: (i / columns) * (cells.height + 1), width: cells.width,
        height: cells.height)
      let box = blitter.pixelSize(ofCells: cells)
      blitter.blit(
        PictureLayer(
          image: image, cells: place,
          imageRect: PixelRect(
            x: (box.width - image.width) / 2, y: (box.height - image.height) / 2, width: image.width,
            height: image.height)), into: &grid, palette: palette)
    }
    return PlainLines(depth: depth, glyphSet: glyphSet).text(grid)
  }
}
