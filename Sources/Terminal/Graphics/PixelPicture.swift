import CellGraphics
import Pixels

/// An image in pixels, and the cells that it lies on.
public struct PixelPicture: Sendable {
  /// Identifies what shows the image, such as a pane.
  public let id: ObjectIdentifier
  public let image: PixelImage
  /// The cells that the image touches. What of them it does not cover is black.
  public let cells: CellRect
  /// The pixels of a cell.
  public let cell: PixelSize
  /// The place of the image, in pixels relative to `cells`. An image of another size is scaled by nearest neighbour.
  public let place: PixelRect
  /// True if no other image is about to follow.
  public let isResting: Bool

  /// Creates a picture of a layer drawn by a blitter that leaves room for it (`Blitter.pixels`); nil for any other layer.
  public init?(id: ObjectIdentifier, layer: FrameLayer, isResting: Bool) {
    guard let blitter = layer.blitter, blitter.isPixels else { return nil }
    let cells = layer.imageCells(blitter).intersection(layer.cells)
    guard !cells.isEmpty, !layer.imageRect.size.isEmpty else { return nil }
    self.id = id
    image = layer.image
    self.cells = cells
    cell = PixelSize(width: blitter.blockWidth, height: blitter.blockHeight)
    place = PixelRect(
      x: layer.imageRect.x - (cells.x - layer.cells.x) * cell.width,
      y: layer.imageRect.y - (cells.y - layer.cells.y) * cell.height, width: layer.imageRect.width, height: layer.imageRect.height)
    self.isResting = isResting
  }

  /// The size in pixels of a number of cells.
  func size(of cells: CellSize) -> PixelSize { PixelSize(width: cells.width * cell.width, height: cells.height * cell.height) }

  /// Returns true if another picture looks the same, wherever it is.
  func looksLike(_ other: PixelPicture) -> Bool {
    image.isCopy(of: other.image) && place == other.place && cells.size == other.cells.size && cell == other.cell
  }

  /// The pixels of some of the cells.
  ///
  /// - Parameters:
  ///   - part: Cells of the screen that lie in `cells`.
  ///   - reduction: The number of pixels, in each direction, that one of the result is the mean of.
  func pixels(of part: CellRect, reduction: Int = 1) -> PixelImage {
    let whole = size(of: part.size)
    let offset = (x: (part.x - cells.x) * cell.width, y: (part.y - cells.y) * cell.height)
    let isWhole = image.size == whole && place == PixelRect(origin: (offset.x, offset.y), size: whole)
    if reduction == 1, image.cells == nil, isWhole { return image }
    let full = PixelImage(size: whole) { bytes in
      guard let to = bytes.baseAddress else { return }
      image.withBytes { source in
        guard let from = source.baseAddress else { return }
        copy(from, offset, whole, to)
      }
    }
    return reduction == 1 ? full : Self.reduced(full, by: reduction)
  }

  private func copy(
    _ from: UnsafePointer<UInt8>, _ offset: (x: Int, y: Int), _ whole: PixelSize, _ to: UnsafeMutablePointer<UInt8>
  ) {
    let columns = max(0, place.x - offset.x)..<max(0, min(whole.width, place.maxX - offset.x))
    let rows = max(0, place.y - offset.y)..<max(0, min(whole.height, place.maxY - offset.y))
    guard !columns.isEmpty, !rows.isEmpty else { return }
    let isScaled = place.size != image.size
    for row in rows {
      let y = row + offset.y - place.y
      let source = from + 3 * image.width * (isScaled ? FrameLayer.nearest(y, of: place.height, in: image.height) : y)
      let target = to + 3 * (row * whole.width + columns.lowerBound)
      let first = columns.lowerBound + offset.x - place.x
      guard isScaled else {
        target.update(from: source + 3 * first, count: 3 * columns.count)
        continue
      }
      for n in 0..<columns.count {
        let pixel = source + 3 * FrameLayer.nearest(first + n, of: place.width, in: image.width)
        for k in 0..<3 { target[3 * n + k] = pixel[k] }
      }
    }
  }

  /// An image whose pixels are the means of squares of another one's.
  private static func reduced(_ image: PixelImage, by side: Int) -> PixelImage {
    let size = PixelSize(width: (image.width + side - 1) / side, height: (image.height + side - 1) / side)
    return PixelImage(size: size) { bytes in
      image.withBytes { source in
        for y in 0..<size.height {
          let rows = y * side..<min(image.height, (y + 1) * side)
          for x in 0..<size.width {
            let columns = x * side..<min(image.width, (x + 1) * side)
            var sum = (0, 0, 0)
            for row in rows {
              for column in columns {
                let pixel = 3 * (row * image.width + column)
                sum = (sum.0 + Int(source[pixel]), sum.1 + Int(source[pixel + 1]), sum.2 + Int(source[pixel + 2]))
              }
            }
            let count = rows.count * columns.count, to = 3 * (y * size.width + x)
            (bytes[to], bytes[to + 1], bytes[to + 2]) = (
              UInt8((sum.0 + count / 2) / count), UInt8((sum.1 + count / 2) / count), UInt8((sum.2 + count / 2) / count))
          }
        }
      }
    }
  }
}

extension CellGrid {
  /// The parts of a rectangle in which an image in pixels is seen, as few rectangles as follow from going through its rows.
  func holes(in rect: CellRect) -> [CellRect] {
    let rect = rect.intersection(bounds)
    var parts: [CellRect] = []
    /// Those that reach down to the row before.
    var open: [CellRect] = []
    for row in rect.y..<rect.maxY {
      var spans: [CellRect] = []
      withCells { cells in
        var column = rect.x
        while column < rect.maxX {
          guard cells[row * columns + column].isHole else {
            column += 1
            continue
          }
          let start = column
          while column < rect.maxX, cells[row * columns + column].isHole { column += 1 }
          spans.append(CellRect(x: start, y: row, width: column - start, height: 1))
        }
      }
      if spans.elementsEqual(open, by: { $0.x == $1.x && $0.width == $1.width }) {
        for index in open.indices { open[index].height += 1 }
      } else {
        parts += open
        open = spans
      }
    }
    return parts + open
  }
}
