import CellGraphics
import Pixels

/// Sends images in pixels to a terminal, beside the cells of `DifferenceEncoder`. Screen thread only.
///
/// The grid has holes (`Cell.hole`) where images are seen. Images follow the cells of an update, since these may remove what of an
/// image is under them. Output moves the cursor (`DifferenceEncoder.forgetCursor`) and changes no other state of the terminal.
public final class PixelTransport {
  /// Makes files of images, for the protocols that transmit them.
  public struct Codec: Sendable {
    let png: @Sendable (PixelImage) -> [UInt8]?
    let jpeg: @Sendable (PixelImage) -> [UInt8]?

    public init(png: @escaping @Sendable (PixelImage) -> [UInt8]?, jpeg: @escaping @Sendable (PixelImage) -> [UInt8]?) {
      (self.png, self.jpeg) = (png, jpeg)
    }
  }

  /// The result of an update.
  public struct Outcome: Equatable, Sendable {
    public var bytes = 0
    /// True if a picture has changed and has not been sent, for lack of bytes.
    public var isLeft = false
    /// Those shown with less detail than they have.
    public var reduced: Set<ObjectIdentifier> = []

    public init() {}
  }

  /// A picture as a terminal shows it.
  private struct Shown {
    var picture: PixelPicture
    /// The parts of it that are seen.
    var parts: [CellRect]
    /// Images of kitty's protocol.
    var ids: [UInt32] = []
    var detail = Detail.full
    /// The colours of sixels while the picture moves.
    var palette: SixelPalette?

    /// Returns true if it is this picture in this place, whatever its detail.
    func shows(_ other: PixelPicture, _ others: [CellRect]) -> Bool {
      picture.looksLike(other) && picture.cells == other.cells && parts == others
    }
  }

  private enum Detail: Equatable {
    case full
    /// Pixels are means, because there are not enough bytes. A resting picture gets the rest cell by cell.
    ///
    /// - Parameter exactCells: The number of cells, row by row, that have been sent in full since.
    case reduced(exactCells: Int)
  }

  public let format: GraphicsProtocol
  private let graphics: TerminalGraphics
  private let codec: Codec
  private var shown: [ObjectIdentifier: Shown] = [:]
  private var mustClear = true
  /// The result of the latest update.
  public private(set) var latest = Outcome()
  /// Names of objects that the terminal may not have read yet, oldest first.
  private var objects: [String] = []
  private var objectCount = firstObject
  private var idCount: UInt32 = 0
  private var sizes = ImageSizes()
  /// True if pictures get coarser for lack of bytes. A terminal on this machine rather shows fewer frames.
  private let savesBytes: Bool

  /// Earlier numbers belong to `ImageTrial`.
  private static let firstObject = 2
  /// Objects that may wait for the terminal.
  private static let maxObjects = 32
  /// The first number of an image; other programs use small ones.
  private static let firstID: UInt32 = 0x51_4400_00
  private static let idLimit: UInt32 = 1 << 16

  public init(_ format: GraphicsProtocol, _ graphics: TerminalGraphics, codec: Codec, savesBytes: Bool) {
    self.savesBytes = savesBytes
    self.format = format
    self.graphics = graphics
    self.codec = codec
  }

  deinit { removeObjects() }

  /// The sequences that remove all images, and undo what they needed.
  public var removal: [UInt8] {
    switch format {
    case .kitty: KittyCommands.removeAll
    // Cells remove them.
    case .iterm: []
    case .sixel: SixelEncoder.leave
    }
  }

  /// Forgets what is shown: the terminal has been cleared, or belonged to others.
  public func invalidate() { mustClear = true }

  /// Removes objects that the terminal has not read; it will not any more.
  public func removeObjects() {
    for name in objects { ImageObject.remove(name) }
    objects.removeAll()
  }

  /// Appends the sequences that show pictures, and remove those that are no longer there.
  ///
  /// - Parameters:
  ///   - grid: The cells as sent.
  ///   - budget: Maximum number of bytes; nil for no limit. Pictures get coarser, not later, unless it is 0.
  public func encode(_ pictures: [PixelPicture], _ grid: CellGrid, budget: Int?, into bytes: inout [UInt8]) -> Outcome {
    let start = bytes.count
    if mustClear {
      mustClear = false
      shown.removeAll()
      bytes += format == .sixel ? SixelEncoder.enter : removal
    }
    let ids = Set(pictures.map(\.id))
    for id in shown.keys where !ids.contains(id) { hide(id, into: &bytes) }
    var outcome = Outcome()
    let wanted = pictures.compactMap { picture -> (picture: PixelPicture, parts: [CellRect], isNew: Bool)? in
      let parts = parts(of: picture, grid)
      let isNew = shown[picture.id].map { !$0.shows(picture, parts) } ?? true
      return isNew || needsDetail(picture) ? (picture, parts, isNew) : nil
    }
    var area = wanted.reduce(0) { $0 + $1.picture.cells.width * $1.picture.cells.height }
    for (picture, parts, isNew) in wanted {
      let own = picture.cells.width * picture.cells.height
      let share = budget.map { max(0, $0 - (bytes.count - start)) * own / max(1, area) }
      area -= own
      // None at all is said by a closed window.
      let limit = savesBytes && !sendsObjects || budget == 0 ? share : nil
      // Images of kitty's protocol lie over cells.
      let coversCells = shown[picture.id].map { $0.parts != parts } ?? false
      if isNew, limit != 0 || (coversCells && sendsObjects) {
        show(picture, parts, limit: limit == 0 ? nil : limit, into: &bytes)
      } else if isNew {
        outcome.isLeft = true
        if coversCells { hide(picture.id, into: &bytes) }
      } else if limit != 0 {
        refine(picture, limit: limit, into: &bytes)
      }
    }
    outcome.reduced = Set(shown.filter { $0.value.detail != .full }.keys)
    outcome.bytes = bytes.count - start
    latest = outcome
    return outcome
  }

  private func needsDetail(_ picture: PixelPicture) -> Bool {
    picture.isResting && shown[picture.id].map { $0.detail != .full } == true
  }

  // MARK: - A picture

  /// The parts of a picture that are sent.
  private func parts(of picture: PixelPicture, _ grid: CellGrid) -> [CellRect] {
    let parts = grid.holes(in: picture.cells)
    guard format == .sixel, let most = graphics.maxSixel else { return parts }
    let columns = max(1, most.width / picture.cell.width), rows = max(1, most.height / picture.cell.height)
    return parts.flatMap { part in
      stride(from: part.y, to: part.maxY, by: rows).flatMap { y in
        stride(from: part.x, to: part.maxX, by: columns).map { x in
          CellRect(x: x, y: y, width: min(columns, part.maxX - x), height: min(rows, part.maxY - y))
        }
      }
    }
  }

  /// True if the bytes of an image do not depend on its size.
  private var sendsObjects: Bool { format == .kitty && graphics.kittyMedium != .direct }

  private func show(_ picture: PixelPicture, _ parts: [CellRect], limit: Int?, into bytes: inout [UInt8]) {
    let former = shown[picture.id]?.ids ?? []
    var new = Shown(picture: picture, parts: parts)
    let area = parts.reduce(0) { $0 + picture.size(of: $1.size).area }
    let reduction = limit.map { sizes.reduction(of: area, to: $0) } ?? 1
    if reduction > 1 { new.detail = .reduced(exactCells: 0) }
    let isExact = reduction == 1 && picture.isResting
    new.palette = shown[picture.id]?.palette
    if format == .sixel, !isExact, new.palette?.fits(picture.image) != true { new.palette = SixelPalette(moving: picture.image) }
    let before = bytes.count
    for part in parts {
      send(
        picture, part, reduction: reduction, isExact ? .exact : .moving(new.palette), height: 0, ids: &new.ids, into: &bytes)
    }
    // JPEG and few colours are for moving pictures.
    if format != .kitty, !picture.isResting { new.detail = .reduced(exactCells: 0) }
    if !sendsObjects { sizes.learn(bytes.count - before, of: area, at: reduction) }
    remove(former, into: &bytes)
    shown[picture.id] = new
  }

  /// Sends the next cells of a resting picture in full.
  private func refine(_ picture: PixelPicture, limit: Int?, into bytes: inout [UInt8]) {
    guard var now = shown[picture.id], case .reduced(var done) = now.detail else { return }
    let width = picture.cells.width, all = width * picture.cells.height
    let most = limit.map { max(1, sizes.pixels(in: $0) / picture.cell.area) } ?? all
    let (row, column) = (done / width, done % width)
    var band = CellRect(x: picture.cells.x + column, y: picture.cells.y + row, width: min(most, width - column), height: 1)
    if column == 0, most >= width { band.height = min(most / width, picture.cells.height - row) }
    let before = bytes.count
    var area = 0
    for part in now.parts.map({ $0.intersection(band) }) where !part.isEmpty {
      send(picture, part, reduction: 1, .exact, height: 1, ids: &now.ids, into: &bytes)
      area += picture.size(of: part.size).area
    }
    if area > 0 { sizes.learn(bytes.count - before, of: area, at: 1) }
    done += band.width * band.height
    now.detail = done >= all ? .full : .reduced(exactCells: done)
    shown[picture.id] = now
  }

  private enum Quality {
    /// As well as the protocol can.
    case exact
    /// - Parameter palette: The colours of sixels.
    case moving(_ palette: SixelPalette?)
  }

  /// Sends a part of a picture.
  ///
  /// - Parameter height: Images with greater numbers cover others.
  private func send(
    _ picture: PixelPicture, _ part: CellRect, reduction: Int, _ quality: Quality, height: Int, ids: inout [UInt32],
    into bytes: inout [UInt8]
  ) {
    bytes += Array("\u{1B}[\(part.y + 1);\(part.x + 1)H".utf8)
    if format == .kitty { ids.append(nextID()) }
    if sendsObjects, reduction == 1, let id = ids.last, let name = object(picture, part) {
      return KittyCommands.show(
        object: name, in: graphics.kittyMedium, picture.size(of: part.size), id: id, cells: part.size, height: height,
        into: &bytes)
    }
    let image = picture.pixels(of: part, reduction: reduction)
    switch format {
    case .kitty:
      guard let id = ids.last, let png = codec.png(image) else { break }
      KittyCommands.show(png: png, id: id, cells: part.size, height: height, into: &bytes)
    case .iterm:
      let isExact = if case .exact = quality { true } else { false }
      guard let file = isExact ? codec.png(image) : codec.jpeg(image) else { break }
      ITermCommands.show(file, cells: part.size, into: &bytes)
    case .sixel:
      var palette: SixelPalette?
      if case .moving(let held) = quality { palette = held }
      SixelEncoder.encode(
        image, size: picture.size(of: part.size), enlargement: reduction, palette ?? SixelPalette(resting: image), into: &bytes)
    }
  }

  private func object(_ picture: PixelPicture, _ part: CellRect) -> String? {
    objectCount += 1
    guard let name = picture.withPixels(of: part, { ImageObject.create(number: objectCount, $0) }) else { return nil }
    objects.append(name)
    // One that the terminal has not read by now was sent to a terminal that no longer reads.
    if objects.count > Self.maxObjects { ImageObject.remove(objects.removeFirst()) }
    return name
  }

  private func nextID() -> UInt32 {
    idCount = (idCount + 1) % Self.idLimit
    return Self.firstID + idCount
  }

  /// Removes a picture; of protocols other than kitty's, cells have done so.
  private func hide(_ id: ObjectIdentifier, into bytes: inout [UInt8]) {
    remove(shown.removeValue(forKey: id)?.ids ?? [], into: &bytes)
  }

  private func remove(_ ids: [UInt32], into bytes: inout [UInt8]) {
    for id in ids { KittyCommands.remove(id, into: &bytes) }
  }
}
