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
    let isWhole = image.size == whole && place == PixelRect(origin: origin(of: part), size: whole)
    if reduction == 1, image.cells == nil, isWhole { return image }
    let full = isScaled ? scaled(part) : PixelImage(size: whole) { bytes in
      withPixels(of: part) { pieces in
        guard var to = UnsafeMutableRawPointer(bytes.baseAddress) else { return }
        for piece in pieces {
          guard let from = piece.baseAddress else { continue }
          to.copyMemory(from: from, byteCount: piece.count)
          to += piece.count
        }
      }
    }
    return reduction == 1 ? full : Self.reduced(full, by: reduction)
  }

  /// Calls `body` with the pixels of some of the cells, as pieces of memory that follow each other. Those of the image are not
  /// copied unless it is scaled.
  ///
  /// - Parameter part: Cells of the screen that lie in `cells`.
  func withPixels<R>(of part: CellRect, _ body: ([UnsafeRawBufferPointer]) -> R) -> R {
    if isScaled { return scaled(part).withBytes { body([UnsafeRawBufferPointer($0)]) } }
    let whole = size(of: part.size), origin = origin(of: part)
    let (left, top) = (place.x - origin.x, place.y - origin.y), columns = columns(from: origin.x, width: whole.width)
    return [UInt8](repeating: 0, count: 3 * whole.width).withUnsafeBytes { black in
      image.withBytes { bytes in
        let bytes = UnsafeRawBufferPointer(bytes)
        var pieces: [UnsafeRawBufferPointer] = []
        func add(_ piece: UnsafeRawBufferPointer.SubSequence) {
          let piece = UnsafeRawBufferPointer(rebasing: piece)
          if let last = pieces.last, let start = last.baseAddress, start + last.count == piece.baseAddress {
            pieces[pieces.count - 1] = UnsafeRawBufferPointer(start: start, count: last.count + piece.count)
          } else if !piece.isEmpty {
            pieces.append(piece)
          }
        }
        for row in 0..<whole.height {
          guard (top..<top + place.height).contains(row), !columns.isEmpty else {
            add(black[...])
            continue
          }
          let first = 3 * ((row - top) * image.width + columns.lowerBound - left)
          add(black.prefix(3 * columns.lowerBound))
          add(bytes[first..<first + 3 * columns.count])
          add(black.prefix(3 * (whole.width - columns.upperBound)))
        }
        return body(pieces)
      }
    }
  }

  /// The place of some of the cells, in pixels relative to `cells`.
  private func origin(of part: CellRect) -> (x: Int, y: Int) {
    ((part.x - cells.x) * cell.width, (part.y - cells.y) * cell.height)
  }

  /// The columns of pixels, counted from one relative to `cells`, that the image covers.
  private func columns(from origin: Int, width: Int) -> Range<Int> {
    let first = max(0, place.x - origin)
    return first..<max(first, min(width, place.maxX - origin))
  }

  private var isScaled: Bool { place.size != image.size }

  /// The pixels of some of the cells, of an image that is scaled.
  private func scaled(_ part: CellRect) -> PixelImage {
    let whole = size(of: part.size), origin = origin(of: part)
    let columns = columns(from: origin.x, width: whole.width)
    return PixelImage(size: whole) { bytes in
      guard let bytes = bytes.baseAddress else { return }
      image.withBytes { source in
        guard let source = source.baseAddress else { return }
        for y in 0..<whole.height where (place.y..<place.maxY).contains(y + origin.y) {
          let row = source + 3 * image.width * FrameLayer.nearest(y + origin.y - place.y, of: place.height, in: image.height)
          var to = bytes + 3 * (y * whole.width + columns.lowerBound)
          for x in columns {
            let pixel = row + 3 * FrameLayer.nearest(x + origin.x - place.x, of: place.width, in: image.width)
            (to[0], to[1], to[2]) = (pixel[0], pixel[1], pixel[2])
            to += 3
          }
        }
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
