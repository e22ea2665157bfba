import CAss

/// Owns an `ASS_Library`: fonts that came with a clip, beside the system's. Not thread-safe.
final class FontCollection {
  let handle: OpaquePointer
  let functions: qd_ass_functions
  private var room = maxBytes

  /// The maximum size of a font, and of all of them.
  static let maxFont = 16 << 20
  static let maxBytes = 64 << 20

  init(_ library: TypesettingLibrary) throws(TypesettingError) {
    functions = library.functions
    guard let handle = withUnsafePointer(to: functions, { qd_ass_silent_library($0) }) else { throw .outOfMemory }
    self.handle = handle
    functions.set_extract_fonts(handle, 1)
  }

  deinit { functions.library_done(handle) }

  /// Adds the bytes of a font's file, which are copied. Those that are too large are left out.
  func add(_ font: TypesettingFont) {
    guard !font.bytes.isEmpty, font.bytes.count <= min(Self.maxFont, room) else { return }
    room -= font.bytes.count
    font.bytes.withUnsafeBytes { bytes in
      guard let data = bytes.bindMemory(to: CChar.self).baseAddress else { return }
      functions.add_font(handle, font.name, data, Int32(bytes.count))
    }
  }
}

/// A font that came with a clip.
public struct TypesettingFont: Sendable {
  public var name: String
  /// The contents of its file.
  public var bytes: [UInt8]

  public init(name: String, bytes: [UInt8]) { (self.name, self.bytes) = (name, bytes) }
}

/// A reason that text cannot be drawn.
public enum TypesettingError: Error, CaseIterable, Sendable {
  /// libass is not installed.
  case noLibrary
  case outOfMemory
  /// The system has no font.
  case noFont
  /// A script, its lines at one time, or what they draw exceeds a limit.
  case tooLarge
  /// The text of one time takes longer to draw than anyone would wait.
  case tooSlow
  /// The process that draws cannot be started, or has ended.
  case failed
}
