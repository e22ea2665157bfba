import Playback

/// Converts events into pieces of a movie.
extension EDLReader {
  mutating func piece(_ event: EDLEvent, isTarget: Bool, frames: Int64) throws(FileError) -> MoviePiece {
    var piece = MoviePiece(try content(event, isTarget: isTarget, frames: frames), line: SourceLine(event.line))
    let name = isTarget ? event.toName ?? event.fromName : event.fromName
    if let name, case .clip(let clip) = piece.content, name != clip.path, name != FolderListing.name(ofPath: clip.path) { piece.name = name }
    var kept: JSONValue = .object([])
    if event.reel != "AX", !event.isBlack { kept["reel"] = .string(event.reel) }
    if !event.comments.isEmpty { kept["comments"] = .array(event.comments.map(JSONValue.string)) }
    if kept != .object([]) { piece.foreign = ["metadata": ["cmx_3600": kept]] }
    return piece
  }

  mutating func content(_ event: EDLEvent, isTarget: Bool, frames: Int64) throws(FileError) -> MoviePiece.Content {
    if event.isBlack { return .empty(time(frames)) }
    let file = isTarget ? event.toFile ?? (event.toName == nil ? event.fromFile : nil) : event.fromFile
    let name = isTarget ? event.toName ?? event.fromName : event.fromName
    let reel = event.reel == "AX" ? nil : event.reel
    func missing(_ reason: String) -> MoviePiece.Content {
      .missing(MissingPiece(name: name ?? file ?? event.reel, reason: reason, length: time(frames)))
    }
    if let reason = event.missing { return missing(reason) }
    if event.reel == "BARS" { return missing("colour bars are not supported") }
    guard let path = file ?? name ?? reel, !path.isEmpty, path.utf8.count <= MovieLimits.pathBytes else {
      remarks.add("line \(event.line): the event names no clip")
      return missing("the list names no clip")
    }
    if ClipName.networkScheme(path) != nil { return missing("network sources are not supported yet") }
    let start = try position(event.sourceIn, event.line)
    return .clip(MovieClip(path: path, start: start, motion: try motion(event, name: name, frames: frames)))
  }

  /// A point of the source, which runs at the list's rate, like the record.
  private func position(_ point: EDLEvent.Point, _ line: Int) throws(FileError) -> ClipPosition {
    switch point {
    case .frames(let count): return .time(time(count))
    case .timecode(let code):
      _ = try frames(point, line)
      return .listed(code, at: rate)
    }
  }

  /// Returns true if a name is that of the previous clip, which the transition comes from, and not of the event's own clip.
  private func isOther(_ name: String, than event: EDLEvent) -> Bool {
    let others = [event.toName == nil ? nil : event.fromName, last?.reel, last?.toName ?? last?.fromName]
    return event.transitionFrames > 0 && event.reel != name && others.contains(name)
  }

  private mutating func motion(_ event: EDLEvent, name: String?, frames: Int64) throws(FileError) -> MovieClip.Motion {
    let source = try self.frames(event.sourceIn, event.sourceOut, event.line)
    // Names may be shortened. A speed of the transition's other clip does not apply to this one.
    let said = event.speeds.last { $0.name == event.reel || $0.name == name } ?? event.speeds.last { !isOther($0.name, than: event) }
    if let said {
      guard let number = Double(said.text), number != 0 else { return .freezes(time(frames)) }
      guard let speed = EDLSpeed.ratio(said.text, rate: rate, source: source, record: frames) else {
        throw FileError(file: file, line: event.line, message: "M2: cannot represent the speed \"\(said.text)\"")
      }
      if speed != Ratio(1, 1) || source != frames { return .plays(speed: speed, until: .length(time(frames))) }
    } else if event.isFrozen {
      return .freezes(time(frames))
    }
    if source != frames {
      remarks.add("line \(event.line): source and record differ in duration; using the record's")
    }
    return .plays(speed: Ratio(1, 1), until: .length(time(frames)))
  }

  mutating func marker(_ locator: EDLEvent.Locator, after first: Int64) throws(FileError) -> [MovieMarker] {
    let line = locator.line
    guard let number = locator.place?.frameNumber(at: rate), number >= first else {
      remarks.add("line \(line): the marker is outside the record; ignored")
      return []
    }
    let rest = locator.text.drop { $0 == " " || $0 == "\t" }
    let color = rest.prefix { $0 != " " && $0 != "\t" }
    let name = rest.dropFirst(color.count).drop { $0 == " " || $0 == "\t" }
    var marker = MovieMarker(time: time(number - first), name: String(name), line: SourceLine(line))
    if !color.isEmpty {
      marker.foreign = ["color": .string(color.uppercased()), "metadata": ["cmx_3600": ["color": .string(String(color))]]]
    }
    return [marker]
  }
}
