import CAss

/// Owns an `ASS_Track`: a script's header, and the lines that are visible. Not thread-safe.
final class ScriptTrack {
  let handle: OpaquePointer
  let header: String
  private let fonts: FontCollection
  private var lines: [TypesettingScene.Line] = []

  /// The maximum size of a header, which may have fonts in it.
  private static let maxHeader = 8 << 20
  /// The maximum number of lines at one time, and of the bytes of their text.
  private static let maxLines = 1000
  private static let maxBytes = 1 << 20

  /// - Throws: `tooLarge` if a scene exceeds a limit.
  static func check(_ scene: TypesettingScene) throws(TypesettingError) {
    let sides = 1...Typesetter.maxSide
    guard sides.contains(scene.size.width), sides.contains(scene.size.height), scene.header.utf8.count <= maxHeader,
      scene.lines.count <= maxLines, scene.lines.reduce(0, { $0 + $1.text.utf8.count }) <= maxBytes
    else { throw .tooLarge }
  }

  /// - Parameter header: one that has been checked.
  init(_ header: String, _ fonts: FontCollection) throws(TypesettingError) {
    guard let handle = fonts.functions.new_track(fonts.handle) else { throw .outOfMemory }
    (self.handle, self.header, self.fonts) = (handle, header, fonts)
    // Lines are given once each.
    fonts.functions.set_check_readorder(handle, 0)
    Self.withBytes(header) { fonts.functions.process_codec_private(handle, $0, $1) }
  }

  deinit { fonts.functions.free_track(handle) }

  /// Replaces the lines, which have been checked.
  func show(_ lines: [TypesettingScene.Line]) {
    guard lines != self.lines else { return }
    fonts.functions.flush_events(handle)
    for line in lines {
      Self.withBytes(line.text) { fonts.functions.process_chunk(handle, $0, $1, Int64(line.start), Int64(line.duration)) }
    }
    self.lines = lines
  }

  private static func withBytes(_ text: String, _ body: (UnsafePointer<CChar>, Int32) -> Void) {
    var text = text
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { if let start = $0.baseAddress { body(start, Int32($0.count)) } }
    }
  }
}
