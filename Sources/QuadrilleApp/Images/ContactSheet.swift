import CellGraphics
import Pixels
import Playback

/// Frames of one clip at even intervals, in rows, each with its time.
public struct ContactSheet: Sendable {
  /// The frames in order; nil for missing ones.
  let images: [PixelImage?]
  /// The time of each frame, as text that leads back to it; nil for missing ones.
  let times: [String?]
  /// The first reason that frames are missing; nil if none are.
  public let failure: PlaybackError?
  let columns: Int
  /// Space for each frame; frames of another shape are centred.
  let tile: PixelSize

  /// Fetches the frames from the middle of each of `count` equal parts of the clip; blocks.
  ///
  /// - Parameters:
  ///   - frameRate: That of an image sequence.
  ///   - network: Access to servers; nil for local files only.
  ///   - size: Maximum size of frames; a side of 0 is unlimited.
  ///   - isFixed: Makes `size` the space for each frame even if frames are smaller; a side of 0 is derived
  ///     from the frames.
  /// - Throws: `PlaybackError` if the clip cannot be opened, has no frames or the sheet would be too large.
  public init(
    clip: String, frameRate: Ratio = ImageSequence.defaultFrameRate, network: Network? = nil, count: Int, columns: Int, size: PixelSize, isFixed: Bool
  ) throws {
    // One asset, so that a pipe is opened once.
    let header = Asset.clip(clip, frameRate: frameRate, options: .init(network: network))
    let duration = try header.measuredDuration()
    try Self.refuseLargeSheet(of: header, count: count, size: size)
    let times = Self.times(count: count, duration: duration)
    // In long clips, a frame nearby saves decoding up to the exact one.
    let part = duration.seconds / Double(max(1, count))
    let tolerance = part > 10 ? MediaTime(seconds: part / 4, preferredTimescale: 1000) : .zero
    let answers = StillMaker(asset: header, maximumSize: size).stills(at: times, tolerance: tolerance)
    images = answers.map(\.image)
    self.times = answers.map { try? $0.get().timing.clockText() }
    failure = answers.lazy.compactMap { answer in
      if case .failed(let error) = answer.outcome { error } else { nil }
    }.first.map { error in
      let missing = answers.count { $0.image == nil }
      return PlaybackError(
        error.reason, "\(missing) of \(answers.count) frames are missing: \(error.message)", file: error.file, line: error.line)
    }
    let shown = images.compactMap { $0 }
    guard let width = shown.map(\.width).max(), let height = shown.map(\.height).max() else {
      _ = try answers[0].get()
      throw PlaybackError.nothingDecodable
    }
    self.columns = min(columns, count)
    // Frame shapes may change within a clip.
    tile = PixelSize(
      width: isFixed && size.width > 0 ? size.width : width, height: isFixed && size.height > 0 ? size.height : height)
    guard Self.size(count: count, columns: columns, tile: tile).area <= Self.maxPixels else { throw Self.tooLarge }
  }

  /// Makes a sheet of images, with a label below each; nil without images.
  public init?(images: [PixelImage], labels: [String], columns: Int) {
    guard let width = images.map(\.width).max(), let height = images.map(\.height).max() else { return nil }
    self.images = images
    times = labels
    failure = nil
    self.columns = min(columns, images.count)
    tile = PixelSize(width: width, height: height)
  }

  /// Maximum number of pixels in all frames of a sheet.
  public static let maxPixels = 100_000_000

  /// An unlimited side depends on the clip, which may have any shape.
  private static func refuseLargeSheet(of header: Asset, count: Int, size: PixelSize) throws {
    guard let own = try header.wait(for: .facts).preferredVideoTrack?.presentationSize, !own.isEmpty else { return }
    func scale(_ side: Int, _ own: Int) -> Double { side > 0 ? Double(side) / Double(own) : 1 }
    let factor = min(1, scale(size.width, own.width), scale(size.height, own.height))
    let pixels = Double(own.width) * factor * Double(own.height) * factor * Double(count)
    guard pixels <= Double(maxPixels) else { throw tooLarge }
  }

  private static let tooLarge = PlaybackError(
    .tooLarge, "would make a sheet of more than \(maxPixels / 1_000_000) million pixels")

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

  /// Pixels between frames and around the sheet.
  static let gap = 8
  /// A dark background that differs from black frames.
  private static let ground: (UInt8, UInt8, UInt8) = (24, 27, 34)
  private static let ink: (UInt8, UInt8, UInt8) = (214, 219, 228)

  /// The size of a sheet, including gaps.
  public static func size(count: Int, columns: Int, tile: PixelSize) -> PixelSize {
    let columns = max(1, min(columns, count))
    let rows = (count + columns - 1) / columns
    return PixelSize(
      width: columns * (tile.width + gap) + gap,
      height: rows * (tile.height + DigitFont.rowHeight(tileWidth: tile.width) + gap) + gap)
  }

  /// The sheet as an image, in reading order, with times below the frames.
  public func image() -> PixelImage {
    let size = Self.size(count: images.count, columns: columns, tile: tile)
    let scale = DigitFont.scale(tileWidth: tile.width)
    return PixelImage(size: size) { out in
      fill(out)
      for (i, image) in images.enumerated() {
        guard let image else { continue }
        let x = Self.gap + (i % columns) * (tile.width + Self.gap)
        let y = Self.gap + (i / columns) * (tile.height + DigitFont.rowHeight(tileWidth: tile.width) + Self.gap)
        place(image, x: x + (tile.width - image.width) / 2, y: y + (tile.height - image.height) / 2, out, size)
        guard let time = times[i], DigitFont.width(of: time, scale: scale) <= tile.width else { continue }
        let left = x + (tile.width - DigitFont.width(of: time, scale: scale)) / 2
        DigitFont.draw(time, x: left, y: y + tile.height + DigitFont.space(scale: scale), scale: scale) { x, y in
          let at = 3 * (y * size.width + x)
          (out[at], out[at + 1], out[at + 2]) = Self.ink
        }
      }
    }
  }

  private func fill(_ out: UnsafeMutableBufferPointer<UInt8>) {
    for at in stride(from: 0, to: out.count, by: 3) { (out[at], out[at + 1], out[at + 2]) = Self.ground }
  }

  private func place(
    _ image: PixelImage, x: Int, y: Int, _ out: UnsafeMutableBufferPointer<UInt8>, _ size: PixelSize
  ) {
    image.withBytes { bytes in
      for row in 0..<image.height {
        let pixels = UnsafeBufferPointer(rebasing: bytes[(row * image.width * 3)..<((row + 1) * image.width * 3)])
        let start = ((y + row) * size.width + x) * 3
        _ = UnsafeMutableBufferPointer(rebasing: out[start..<(start + pixels.count)]).update(fromContentsOf: pixels)
      }
    }
  }

  /// The sheet as lines of text, with frames of `tile` cells, one cell apart, and times below.
  ///
  /// Times wider than their frames are omitted.
  public func text(depth: ColorDepth, glyphSet: GlyphSet) -> String {
    let blitter = Blitter.best(for: glyphSet)
    let palette = Palette(depth: depth)
    let cells = CellSize(
      width: (tile.width + blitter.blockWidth - 1) / blitter.blockWidth,
      height: (tile.height + blitter.blockHeight - 1) / blitter.blockHeight)
    let hasTimes = times.contains { $0.map { $0.count <= cells.width } ?? false }
    let pitch = cells.height + (hasTimes ? 2 : 1)
    let rows = (images.count + columns - 1) / columns
    var grid = CellGrid(columns: columns * (cells.width + 1) - 1, rows: rows * pitch - 1)
    for (i, image) in images.enumerated() {
      guard let image else { continue }
      let place = CellRect(
        x: (i % columns) * (cells.width + 1), y: (i / columns) * pitch, width: cells.width, height: cells.height)
      let box = blitter.pixelSize(ofCells: cells)
      blitter.blit(
        FrameLayer(
          image: image, cells: place,
          imageRect: PixelRect(
            x: (box.width - image.width) / 2, y: (box.height - image.height) / 2, width: image.width,
            height: image.height)), into: &grid, palette: palette)
      guard let time = times[i], time.count <= cells.width else { continue }
      let left = place.x + (cells.width - time.count) / 2
      for (offset, scalar) in time.unicodeScalars.enumerated() { grid[column: left + offset, row: place.maxY] = Cell(scalar) }
    }
    return PlainLines(depth: depth, glyphSet: glyphSet).text(grid)
  }
}
