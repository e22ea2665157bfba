import Pixels

/// The kinds of messages to a `TypesettingServer`.
enum Request: Int {
  case font, scene
}

/// The answers of a `TypesettingServer`.
enum Reply {
  enum Outcome: Int {
    case unchanged, drawn
  }

  static let unchanged = integers([Outcome.unchanged.rawValue])

  static func failure(_ error: TypesettingError) -> [UInt8] {
    integers([-1 - (TypesettingError.allCases.firstIndex(of: error) ?? 0)])
  }

  static func drawn(_ text: TypesetText) -> [UInt8] {
    var message = MessageWriter()
    message.put(Outcome.drawn.rawValue)
    message.put(text.bands.count)
    for band in text.bands {
      for value in [band.rect.x, band.rect.y, band.rect.width, band.rect.height] { message.put(value) }
      message.put(band.pixels)
    }
    return message.bytes
  }

  private static func integers(_ values: [Int]) -> [UInt8] {
    var message = MessageWriter()
    for value in values { message.put(value) }
    return message.bytes
  }

  /// The longest answer for a picture.
  static func maxLength(_ size: PixelSize) -> Int { 4 * size.area + 40 * size.height + 16 }

  /// - Throws: the failure that an answer tells.
  @discardableResult static func check(_ bytes: [UInt8]) throws(TypesettingError) -> Outcome {
    var message = MessageReader(bytes)
    guard let code = message.int() else { throw .failed }
    let errors = TypesettingError.allCases
    if code < 0 { throw errors.indices.contains(-1 - code) ? errors[-1 - code] : .failed }
    guard let outcome = Outcome(rawValue: code) else { throw .failed }
    return outcome
  }

  /// The text in an answer; nil if it cannot be that of a picture of this size.
  static func text(in bytes: [UInt8], size: PixelSize) -> TypesetText? {
    var message = MessageReader(bytes)
    guard message.int() == Outcome.drawn.rawValue, let count = message.int(), (0...size.height).contains(count) else {
      return nil
    }
    var bands: [TypesetText.Band] = []
    for _ in 0..<count {
      guard let x = message.int(), let y = message.int(), let width = message.int(), let height = message.int(),
        (0..<size.width).contains(x), (1...size.width - x).contains(width),
        (0..<size.height).contains(y), (1...size.height - y).contains(height),
        let pixels = message.data(), pixels.count == 4 * width * height
      else { return nil }
      bands.append(.init(rect: PixelRect(x: x, y: y, width: width, height: height), pixels: pixels))
    }
    return TypesetText(bands, size: size)
  }
}

extension MessageWriter {
  mutating func put(_ scene: TypesettingScene, withHeader: Bool) {
    put(withHeader ? 1 : 0)
    if withHeader { put(scene.header) }
    let crop = scene.crop
    for value in [
      scene.time, scene.size.width, scene.size.height, crop.top, crop.bottom, crop.left, crop.right, scene.storage.width,
      scene.storage.height,
    ] { put(value) }
    put(scene.pixelAspect)
    put(scene.lift)
    put(scene.lines.count)
    for line in scene.lines {
      put(line.text)
      put(line.start)
      put(line.start + line.duration)
    }
  }
}

extension MessageReader {
  /// - Parameter formerHeader: the header of the scene before, which is not repeated.
  mutating func scene(formerHeader: String) -> TypesettingScene? {
    guard let hasHeader = int(), let header = hasHeader == 1 ? text() : formerHeader else { return nil }
    let numbers = (0..<9).compactMap { _ in int() }
    guard numbers.count == 9, let aspect = double(), let lift = double(), let count = int() else { return nil }
    var lines: [TypesettingScene.Line] = []
    for _ in 0..<max(0, count) {
      guard let text = text(), let start = int(), let end = int() else { return nil }
      lines.append(.init(text: text, start: start, end: end))
    }
    let size = PixelSize(width: numbers[1], height: numbers[2])
    var scene = TypesettingScene(header: header, lines: lines, time: numbers[0], size: size)
    (scene.crop.top, scene.crop.bottom, scene.crop.left, scene.crop.right) = (numbers[3], numbers[4], numbers[5], numbers[6])
    scene.storage = PixelSize(width: numbers[7], height: numbers[8])
    (scene.pixelAspect, scene.lift) = (aspect, lift)
    return scene
  }
}
