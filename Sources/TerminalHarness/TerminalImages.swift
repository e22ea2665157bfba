import Foundation

/// The images in pixels of an emulated terminal: kitty's protocol, iTerm2's, and sixels.
///
/// Receives a program's output before the emulator, which gets the rest of it.
final class TerminalImages {
  /// An image that is decoded when it is looked at, in the size in which it is shown.
  final class Image {
    private let decode: () -> TerminalPicture?
    private let size: (width: Int, height: Int)
    private var decoded: TerminalPicture??

    init(width: Int, height: Int, _ decode: @escaping () -> TerminalPicture?) {
      (size, self.decode) = ((width, height), decode)
    }

    /// Nil if it is damaged.
    var picture: TerminalPicture? {
      if let decoded { return decoded }
      let picture = decode()?.scaled(width: size.width, height: size.height)
      decoded = .some(picture)
      return picture
    }
  }

  /// The images that a terminal has, and shows.
  struct Placement {
    var id: Int
    var column: Int
    var row: Int
    var columns: Int
    var rows: Int
    var z: Int
    var image: Image
  }

  private let support: TerminalProcess.ImageSupport
  private let cell: (width: Int, height: Int)
  private(set) var placements: [Placement] = []
  /// Images that cells are parts of, in the order in which they were sent. Text removes them cell by cell.
  private var inCells: [Int: (image: Image, column: Int, row: Int)] = [:]
  /// Keys and data of an image of kitty's protocol that is not complete.
  private var unfinished: (keys: [String: String], data: [UInt8])?
  private var pending: [UInt8] = []
  /// The first faults in what was sent.
  private(set) var faults: [String] = []
  /// Images displayed so far, and bytes of the sequences that did it.
  private(set) var count = 0
  private(set) var bytes = 0

  init(_ support: TerminalProcess.ImageSupport, cell: (width: Int, height: Int)) {
    (self.support, self.cell) = (support, cell)
  }

  // MARK: - Output

  /// Passes output to the emulator, without images, and replies to queries.
  func feed(_ output: UnsafeBufferPointer<UInt8>, to emulator: Emulator, reply: ([UInt8]) -> Void) {
    pending.append(contentsOf: output)
    var start = 0
    func passOn(_ end: Int) {
      guard start < end else { return }
      pending[start..<end].withUnsafeBufferPointer { emulator.feed($0) }
      for place in emulator.takeDamage() { inCells[place] = nil }
      reply(rewritten(emulator.takeReplies()))
      start = end
    }
    var index = 0
    while index < pending.count {
      guard pending[index] == 0x1B else {
        index += 1
        continue
      }
      // A sequence that is not complete stays for the next call.
      guard index + 1 < pending.count else { break }
      if pending[index + 1] == UInt8(ascii: "[") {
        guard let end = pending[(index + 2)...].firstIndex(where: { (0x40...0x7E).contains($0) || $0 == 0x1B }) else { break }
        let sequence = pending[(index + 2)...end]
        passOn(end + 1)
        if sequence.elementsEqual(">q".utf8), let name = support.name { reply(Array("\u{1B}P>|\(name)\u{1B}\\".utf8)) }
        if sequence.elementsEqual("2J".utf8) { placements.removeAll() }
        index = end + 1
      } else if "P_]".utf8.contains(pending[index + 1]) {
        guard let (end, next) = stringEnd(after: index + 2) else { break }
        let introducer = pending[index + 1]
        let contents = Array(pending[(index + 2)..<end])
        if let perform = action(introducer, contents) {
          passOn(index)
          bytes += next - index
          perform(emulator.cursor, reply)
          start = next
        }
        index = next
      } else {
        index += 2
      }
    }
    passOn(index)
    pending.removeFirst(start)
  }

  /// The end of a string's contents, and that of its terminator; nil if it is not complete.
  private func stringEnd(after start: Int) -> (end: Int, next: Int)? {
    for index in start..<pending.count {
      if pending[index] == 0x07 { return (index, index + 1) }
      guard pending[index] == 0x1B, index + 1 < pending.count else { continue }
      return (index, index + (pending[index + 1] == UInt8(ascii: "\\") ? 2 : 0))
    }
    return nil
  }

  /// Adds sixels to the attributes of libvterm's terminal.
  private func rewritten(_ replies: [UInt8]) -> [UInt8] {
    guard support.kinds.contains(.sixel) else { return replies }
    return Array(String(decoding: replies, as: UTF8.self).replacingOccurrences(of: "\u{1B}[?1;2c", with: "\u{1B}[?62;4;22c").utf8)
  }

  private func fault(_ text: String) { if faults.count < 20 { faults.append(text) } }

  // MARK: - Sequences

  private typealias Action = ((column: Int, row: Int), ([UInt8]) -> Void) -> Void

  private func action(_ introducer: UInt8, _ contents: [UInt8]) -> Action? {
    if introducer == UInt8(ascii: "_"), contents.first == UInt8(ascii: "G") {
      // Terminals ignore what they do not know; all may be asked.
      let isQuery = String(decoding: contents.prefix(64), as: UTF8.self).contains("a=q")
      guard support.kinds.contains(.kitty) else { return { [self] _, _ in if !isQuery { fault("kitty") } } }
      return { [self] cursor, reply in kitty(contents.dropFirst(), at: cursor, reply) }
    }
    if introducer == UInt8(ascii: "P"), let q = contents.firstIndex(of: UInt8(ascii: "q")),
      contents[..<q].allSatisfy({ (0x30...0x3B).contains($0) })
    {
      return { [self] cursor, _ in
        guard support.kinds.contains(.sixel), let image = SixelDecoder.image(contents[(q + 1)...]) else { return fault("sixels") }
        put(
          Image(width: image.width, height: image.height) { image }, at: cursor,
          columns: (image.width + cell.width - 1) / cell.width, rows: (image.height + cell.height - 1) / cell.height)
      }
    }
    let head = "1337;File="
    if introducer == UInt8(ascii: "]"), contents.starts(with: Array(head.utf8)) {
      return { [self] cursor, _ in iterm(String(decoding: contents.dropFirst(head.utf8.count), as: UTF8.self), at: cursor) }
    }
    return nil
  }

  private func put(_ image: Image, at cursor: (column: Int, row: Int), columns: Int, rows: Int) {
    count += 1
    for row in 0..<rows {
      for column in 0..<columns {
        inCells[(cursor.row + row) * Self.stride + cursor.column + column] = (image, column, row)
      }
    }
  }

  /// The distance between rows in numbers of cells.
  static let stride = 1 << 16

  private func iterm(_ text: String, at cursor: (column: Int, row: Int)) {
    let parts = text.split(separator: ":", maxSplits: 1)
    guard support.kinds.contains(.iterm), parts.count == 2, let file = Data(base64Encoded: String(parts[1]))
    else { return fault("inline image") }
    let keys = Self.keys(String(parts[0]), separator: ";")
    guard let columns = keys["width"].flatMap(Int.init), let rows = keys["height"].flatMap(Int.init),
      keys["size"] == String(file.count)
    else { return fault("keys of an inline image") }
    let image = Image(width: columns * cell.width, height: rows * cell.height) { [support] in support.decode(Array(file)) }
    put(image, at: cursor, columns: columns, rows: rows)
  }

  private static func keys(_ text: String, separator: Character) -> [String: String] {
    var keys: [String: String] = [:]
    for pair in text.split(separator: separator) {
      let parts = pair.split(separator: "=", maxSplits: 1)
      if parts.count == 2 { keys[String(parts[0])] = String(parts[1]) }
    }
    return keys
  }

  // MARK: - kitty

  private func kitty(_ command: ArraySlice<UInt8>, at cursor: (column: Int, row: Int), _ reply: ([UInt8]) -> Void) {
    let parts = command.split(separator: UInt8(ascii: ";"), maxSplits: 1, omittingEmptySubsequences: false)
    var keys = Self.keys(String(decoding: parts[0], as: UTF8.self), separator: ",")
    var data = parts.count > 1 ? Array(parts[1]) : []
    if let former = unfinished {
      guard keys["a"] == nil else {
        unfinished = nil
        return fault("a command within an image")
      }
      let isLast = keys["m"] != "1"
      keys = former.keys
      data = former.data + data
      unfinished = isLast ? nil : (keys, data)
      guard isLast else { return }
    } else if keys["m"] == "1" {
      unfinished = (keys, data)
      return
    }
    switch keys["a"] {
    case "q":
      let isOK = keys["t"] == "d" || (support.readsObjects && object(keys, data) != nil)
      reply(Array("\u{1B}_Gi=\(keys["i"] ?? "0");\(isOK ? "OK" : "EBADF:not here")\u{1B}\\".utf8))
    case "T":
      func number(_ key: String) -> Int { keys[key].flatMap(Int.init) ?? 0 }
      let size = (width: number("c") * cell.width, height: number("r") * cell.height)
      guard let image = image(keys, data, size) else { return fault("image \(keys)") }
      guard keys["C"] == "1", keys["q"] == "2", number("c") > 0, number("r") > 0 else { return fault("keys \(keys)") }
      placements.removeAll { $0.id == number("i") }
      placements.append(
        Placement(
          id: number("i"), column: cursor.column, row: cursor.row, columns: number("c"), rows: number("r"), z: number("z"),
          image: image))
      count += 1
    case "d":
      if keys["d"] == "A" { placements.removeAll() } else { placements.removeAll { $0.id == keys["i"].flatMap(Int.init) } }
    default: fault("command \(keys)")
    }
  }

  private func image(_ keys: [String: String], _ data: [UInt8], _ size: (width: Int, height: Int)) -> Image? {
    guard let bytes = object(keys, data) else { return nil }
    if keys["f"] == "100" { return Image(width: size.width, height: size.height) { [support] in support.decode(bytes) } }
    guard let width = keys["s"].flatMap(Int.init), let height = keys["v"].flatMap(Int.init), bytes.count == 3 * width * height
    else { return nil }
    return Image(width: size.width, height: size.height) { TerminalPicture(width: width, height: height, bytes: bytes) }
  }

  /// The data of a command, or what they name, which is removed.
  private func object(_ keys: [String: String], _ data: [UInt8]) -> [UInt8]? {
    guard let decoded = Data(base64Encoded: Data(data)) else { return nil }
    let path: String
    switch keys["t"] {
    case "d": return Array(decoded)
    case "s": path = "/dev/shm" + String(decoding: decoded, as: UTF8.self)
    case "t": path = String(decoding: decoded, as: UTF8.self)
    default: return nil
    }
    guard keys["t"] == "s" || path.contains("tty-graphics-protocol") else { return nil }
    defer { try? FileManager.default.removeItem(atPath: path) }
    return FileManager.default.contents(atPath: path).map(Array.init)
  }

  // MARK: - Pixels

  /// The pixels of a rectangle of cells: images, and black where there are none.
  func picture(column: Int, row: Int, columns: Int, rows: Int) -> TerminalPicture {
    let (width, height) = (columns * cell.width, rows * cell.height)
    var result = TerminalPicture(width: width, height: height, bytes: Array(repeating: 0, count: 3 * width * height))
    func copy(_ image: Image, _ from: (x: Int, y: Int), cell place: (column: Int, row: Int)) {
      guard let image = image.picture else { return }
      for y in 0..<cell.height where from.y + y < image.height {
        for x in 0..<cell.width where from.x + x < image.width {
          let source = 3 * ((from.y + y) * image.width + from.x + x)
          let target = 3 * (((place.row - row) * cell.height + y) * width + (place.column - column) * cell.width + x)
          for part in 0..<3 { result.bytes[target + part] = image.bytes[source + part] }
        }
      }
    }
    let ordered = placements.sorted { ($0.z, $0.id) < ($1.z, $1.id) }
    for line in row..<(row + rows) {
      for place in column..<(column + columns) {
        if let (image, x, y) = inCells[line * Self.stride + place] {
          copy(image, (x * cell.width, y * cell.height), cell: (place, line))
        }
        for placement in ordered {
          let (x, y) = (place - placement.column, line - placement.row)
          guard (0..<placement.columns).contains(x), (0..<placement.rows).contains(y) else { continue }
          copy(placement.image, (x * cell.width, y * cell.height), cell: (place, line))
        }
      }
    }
    return result
  }

  /// True if no image is shown.
  var isEmpty: Bool { placements.isEmpty && inCells.isEmpty }
}
