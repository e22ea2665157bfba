import Movies
import Pixels
import Playback
import YAML

/// Reading of session files.
extension SessionDocument {
  /// Maximum size of a file, in bytes.
  private static let longest = 1 << 24

  /// Returns true if there is a file, or anything else, with this name.
  public static func exists(_ path: String) -> Bool { FolderListing.Entry(path: path) != nil }

  /// Reads a file. Blocks until it is read.
  ///
  /// - Throws: `FileError`.
  public static func read(_ path: String) throws(FileError) -> SessionDocument {
    let bytes: [UInt8]?
    do {
      bytes = try InputText.read(path, limit: longest)
    } catch {
      throw FileError(file: path, line: nil, message: (error as? PlaybackError)?.message ?? "cannot be read")
    }
    guard let bytes else { throw FileError(file: path, line: nil, message: "no such file") }
    return try SessionDocument(text: String(decoding: bytes, as: UTF8.self), file: path)
  }

  /// Reads the text of a file.
  ///
  /// - Parameter file: The file's path, which its paths are relative to.
  init(text: String, file: String) throws(FileError) {
    let root: YAMLNode?
    do {
      root = try YAMLNode.read(text)
    } catch {
      let failure = error as? YAMLNode.Failure
      throw FileError(file: file, line: failure?.line, message: failure?.problem ?? "cannot be read")
    }
    guard let root, case .mapping(let entries) = root.content, entries.first?.key.text == "quadrille",
      let kind = entries.first?.value.text, kind.hasPrefix("session")
    else {
      throw FileError(file: file, line: root?.line, message: "not a session; the first line of a session is \"quadrille: \(Self.kind)\"")
    }
    let fields = try YAMLFields(
      root, of: "a session",
      known: ["quadrille", "layout", "linked", "speed", "focus", "alone", "titles", "reference", "panes"], file: file)
    guard kind == Self.kind else { throw fields.unexpected("quadrille", expected: "\"\(Self.kind)\"; other versions cannot be read") }
    let nodes = try fields.items("panes")
    guard (1...PlayOptions.maxPanes).contains(nodes.count) else { throw fields.error("panes", "expected one to four panes") }
    var panes: [Pane] = []
    for (index, node) in nodes.enumerated() { panes.append(try Pane(node, index, of: nodes.count, file: file)) }
    self.init(panes: panes)
    layout = try fields.name("layout") ?? layout
    isLinked = try fields.flag("linked") ?? isLinked
    isAlone = try fields.flag("alone") ?? isAlone
    showsChrome = try fields.flag("titles") ?? showsChrome
    speed = try fields.number("speed", Player.rates) ?? speed
    focus = try fields.index("focus", count: panes.count) ?? focus
    reference = try fields.index("reference", count: panes.count)
  }
}

extension SessionDocument.Pane {
  private static let maxClips = 10_000

  fileprivate init(_ node: YAMLNode, _ index: Int, of count: Int, file: String) throws(FileError) {
    let fields = try YAMLFields(
      node, of: "a pane",
      known: [
        "clips", "lists", "current", "repeat", "at", "paused", "offset", "gravity", "zoom", "grid", "crop", "center", "filter",
        "plane", "fields", "compare",
      ], file: file)
    let folder = FolderListing.folder(ofPath: file)
    let nodes = try fields.items("clips")
    guard (1...Self.maxClips).contains(nodes.count) else { throw fields.error("clips", "expected 1 to \(Self.maxClips) clips") }
    var clips: [Clip] = []
    for node in nodes {
      let clip = try YAMLFields(node, of: "a clip", known: ["clip", "title", "fps"], file: file)
      let rate = try clip.value("fps", expected: "a frame rate such as 24 or 24000/1001") { MovieOutput.rate($0) }
      clips.append(Clip(path: try clip.path("clip", fromFolder: folder), title: try clip.text("title"), imageRate: rate))
    }
    self.init(clips: clips)
    for node in try fields.items("lists") {
      lists.append(try YAMLFields(node, of: "a list", known: ["file"], file: file).path("file", fromFolder: folder))
    }
    current = try fields.index("current", count: clips.count) ?? current
    let repetitions: [String: ClipList.Repetition] = ["off": .off, "clip": .clip, "list": .list]
    repetition = try fields.value("repeat", expected: "off, clip or list") { repetitions[$0] } ?? repetition
    time = try fields.time("at")
    if let time, time < .zero { throw fields.unexpected("at", expected: "a time from 0 on") }
    isPaused = try fields.flag("paused") ?? isPaused
    offset = try fields.time("offset")
    gravity = try fields.value("gravity", expected: Gravity.commandLineNames.joined(separator: ", ")) { Gravity(commandLineName: $0) } ?? gravity
    magnification = try Self.magnification(fields)
    look.plane = try fields.name("plane") ?? look.plane
    look.fields = try fields.name("fields") ?? look.fields
    comparison = try fields.node("compare").map { (node) throws(FileError) in
      try SessionDocument.Comparison(node, index, of: count, file: file)
    }
  }

  private static func magnification(_ fields: YAMLFields) throws(FileError) -> Magnification {
    var result = Magnification()
    if let scale = try fields.value("zoom", expected: "\"fit\" or a number from 1 to 32", { Magnification.scale($0) }) { result.scale = scale }
    let grid = try fields.value("grid", expected: "a size such as 640x360") { text in
      Magnification.crop(text).flatMap { $0.x == 0 && $0.y == 0 ? PixelSize(width: $0.width, height: $0.height) : nil }
    }
    if case .pixels(let factor, _) = result.scale, let grid { result.scale = .pixels(factor, grid: grid) }
    if let rect = try fields.value("crop", expected: "a part such as 640x360+100+50", { Magnification.crop($0) }) { result.scale = .crop(rect) }
    if let center = try fields.value("center", expected: "fractions such as 0.3,0.7", { Magnification.center($0) }) { result.center = center }
    result.filter = try fields.name("filter")
    return result
  }
}

extension SessionDocument.Comparison {
  fileprivate init(_ node: YAMLNode, _ index: Int, of count: Int, file: String) throws(FileError) {
    let fields = try YAMLFields(
      node, of: "a comparison",
      known: [
        "with", "mode", "swapped", "axis", "edge", "share", "squares", "alternations", "gain", "style", "planes", "reduction",
      ], file: file)
    guard let reference = try fields.index("with", count: count), reference != index else {
      throw fields.unexpected("with", expected: "the number of another pane")
    }
    var settings = CompareSettings()
    settings.mode = try fields.name("mode") ?? settings.mode
    settings.leading = try fields.flag("swapped") == true ? .clip : .reference
    settings.axis = try fields.name("axis") ?? settings.axis
    settings.edge = try fields.number("edge", 0...1) ?? settings.edge
    settings.share = try fields.number("share", 0...1) ?? settings.share
    settings.squares = try fields.count("squares", 1...1000) ?? settings.squares
    settings.alternations = try fields.count("alternations", 0...60) ?? settings.alternations
    settings.difference.gain = try fields.count("gain", DifferenceRequest.gains) ?? settings.difference.gain
    settings.difference.style = try fields.name("style") ?? settings.difference.style
    settings.difference.planes = try fields.name("planes") ?? settings.difference.planes
    settings.difference.reduction = try fields.name("reduction") ?? settings.difference.reduction
    self.init(reference: reference, settings: settings)
  }
}

extension YAMLFields {
  fileprivate func flag(_ key: String) throws(FileError) -> Bool? {
    try value(key, expected: "true or false") { YAMLNode.flag($0.lowercased()) }
  }

  fileprivate func time(_ key: String) throws(FileError) -> MediaTime? {
    try value(key, expected: "a time such as 0:03.2 or 1001/30000 (seconds)") { TimeText.time($0, rate: nil) }
  }

  fileprivate func number(_ key: String, _ range: ClosedRange<Double>) throws(FileError) -> Double? {
    try value(key, expected: "a number from \(range.lowerBound) to \(range.upperBound)") { text in
      Double(text).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  fileprivate func count(_ key: String, _ range: ClosedRange<Int>) throws(FileError) -> Int? {
    try value(key, expected: "a number from \(range.lowerBound) to \(range.upperBound)") { text in
      Int(text).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// A zero-based index, from a number that starts at 1.
  fileprivate func index(_ key: String, count: Int) throws(FileError) -> Int? { try self.count(key, 1...count).map { $0 - 1 } }

  /// A case, by its name.
  fileprivate func name<Name: RawRepresentable & CaseIterable>(_ key: String) throws(FileError) -> Name? where Name.RawValue == String {
    try value(key, expected: "one of \(Name.allCases.map(\.rawValue).joined(separator: ", "))") { Name(rawValue: $0) }
  }

  fileprivate func path(_ key: String, fromFolder folder: String) throws(FileError) -> String {
    guard let name = try text(key, limit: 4096) else { throw unexpected(key, expected: "a file name") }
    guard !name.isEmpty, !name.utf8.contains(0) else { throw unexpected(key, expected: "a file name") }
    if let scheme = ClipName.scheme(name), name.utf8.dropFirst(scheme.utf8.count).starts(with: "://".utf8) { return name }
    return ClipName.path(name, fromFolder: folder)
  }
}
