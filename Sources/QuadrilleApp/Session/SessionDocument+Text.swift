import Movies
import Pixels
import Playback

/// The text of a session file: YAML whose first line is `quadrille: session 1`.
extension SessionDocument {
  static let kind = "session 1"

  /// Returns true if a file does not exist or is a session, by its first key.
  static func mayReplace(_ path: String) -> Bool {
    FolderListing.Entry(path: path) == nil || FileHeader.value(of: path)?.hasPrefix("session") == true
  }

  /// The text, with paths relative to the session's folder if they are below it, otherwise absolute.
  ///
  /// Looks up folders if a path leads upwards, which may block on disk access.
  ///
  /// - Parameter file: The path of the session.
  func text(inFileAt file: String) -> String {
    let folder = FilePath.currentFolder
    let session = FilePath.absolute(file, in: folder)
    return text { path in
      // A network address has no folder.
      if let scheme = ClipName.scheme(path), path.utf8.dropFirst(scheme.utf8.count).starts(with: "://".utf8) { return path }
      return MoviePaths.name(of: FilePath.absolute(path, in: folder), inMovieAt: session)
    }
  }

  /// - Parameter name: The name in the file for a path.
  private func text(_ name: (String) -> String) -> String {
    var lines = ["quadrille: \(Self.kind)", "layout: \(layout.rawValue)", "linked: \(isLinked)", "speed: \(speed)", "focus: \(focus + 1)"]
    if isAlone { lines.append("alone: true") }
    if !showsChrome { lines.append("titles: false") }
    if let reference { lines.append("reference: \(reference + 1)") }
    lines.append("panes:")
    for pane in panes {
      lines.append("  - clips:")
      for clip in pane.clips {
        lines.append("      - clip: \(YAMLText.value(name(clip.path)))")
        if let rate = clip.imageRate { lines.append("        fps: \(rate.numerator)/\(rate.denominator)") }
        if let title = clip.title { lines.append("        title: \(YAMLText.value(title))") }
      }
      if !pane.lists.isEmpty {
        lines.append("    lists:")
        lines += pane.lists.map { "      - file: \(YAMLText.value(name($0)))" }
      }
      lines += pane.fields.map { "    \($0.0): \($0.1)" }
      if let comparison = pane.comparison {
        lines.append("    compare:")
        lines += comparison.fields.map { "      \($0.0): \($0.1)" }
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension SessionDocument.Pane {
  fileprivate var fields: [(String, String)] {
    var fields: [(String, String)] = []
    if clips.count > 1 { fields.append(("current", "\(current + 1)")) }
    switch repetition {
    case .off: break
    case .clip: fields.append(("repeat", "clip"))
    case .list: fields.append(("repeat", "list"))
    }
    if let time { fields.append(("at", TimeText.text(time))) }
    fields.append(("paused", "\(isPaused)"))
    if let offset { fields.append(("offset", TimeText.text(offset))) }
    if gravity != .resizeAspect { fields.append(("gravity", gravity.commandLineName)) }
    switch magnification.scale {
    case .fit: break
    case .pixels(let factor, let grid):
      fields.append(("zoom", "\(factor)"))
      if let grid { fields.append(("grid", "\(grid.width)x\(grid.height)")) }
    case .crop(let rect): fields.append(("crop", "\(rect.width)x\(rect.height)+\(rect.x)+\(rect.y)"))
    }
    if magnification.center != .init() { fields.append(("center", "\"\(magnification.center.x),\(magnification.center.y)\"")) }
    if look.plane != .picture { fields.append(("plane", look.plane.rawValue)) }
    if look.fields != .automatic { fields.append(("fields", look.fields.rawValue)) }
    if let filter = magnification.filter { fields.append(("filter", filter.rawValue)) }
    return fields
  }
}

extension SessionDocument.Comparison {
  fileprivate var fields: [(String, String)] {
    let difference = settings.difference
    return [
      ("with", "\(reference + 1)"), ("mode", settings.mode.rawValue), ("swapped", "\(settings.leading == .clip)"),
      ("axis", settings.axis.rawValue), ("edge", "\(settings.edge)"), ("share", "\(settings.share)"),
      ("squares", "\(settings.squares)"), ("alternations", "\(settings.alternations)"), ("gain", "\(difference.gain)"),
      ("style", difference.style.rawValue), ("planes", difference.planes.rawValue), ("reduction", difference.reduction.rawValue),
    ]
  }
}
