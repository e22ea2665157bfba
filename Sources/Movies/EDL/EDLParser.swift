import Playback

/// Splits an edit decision list into events, without knowing its rate.
struct EDLParser {
  let file: String
  var title: String?
  var events: [EDLEvent] = []
  /// The rate stated in a comment.
  var rate: Ratio?
  /// True if any timecode is drop-frame.
  var dropsFrames = false
  var remarks = Warnings()
  private var locatorCount = 0
  /// True if the last FCM line states drop-frame.
  private var isDropFrame = false
  /// True if the list marks drop-frame timecodes with a semicolon, so that a colon means non-drop-frame.
  private let marksDropFrames: Bool

  init(_ bytes: [UInt8], file: String) throws(FileError) {
    self.file = file
    marksDropFrames = bytes.split(separator: UInt8(ascii: "\n")).contains { line in
      let words = line.split { $0 <= 0x20 }
      guard let first = words.first?.first, (48...57).contains(first) else { return false }
      return words.suffix(4).contains { Timecode(String(decoding: $0.prefix(16), as: UTF8.self))?.isDropFrame == true }
    }
    var number = 0
    for var line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      func isSpace(_ byte: UInt8) -> Bool { byte <= 0x20 }
      line = line.drop(while: isSpace)
      while let last = line.last, isSpace(last) { line.removeLast() }
      guard let first = line.first else { continue }
      guard line.count <= MovieLimits.textBytes else {
        throw FileError(file: file, line: number, message: "line longer than \(MovieLimits.textBytes) bytes")
      }
      guard !line.contains(0) else {
        throw FileError(file: file, line: number, message: "not text: contains a zero byte")
      }
      // Names need not be UTF-8.
      let text = Asset.path(ofBytes: line)
      if (48...57).contains(first) {
        try event(text, number)
      } else {
        try other(text, number)
      }
    }
  }

  // MARK: - Events

  /// The frame numbers in all timecodes of events.
  var frameNumbers: Set<Int> {
    var numbers: Set<Int> = []
    for event in events {
      for case .timecode(let code) in [event.sourceIn, event.sourceOut, event.recordIn, event.recordOut] { numbers.insert(code.frames) }
    }
    return numbers
  }

  private mutating func event(_ text: String, _ line: Int) throws(FileError) {
    guard events.count < MovieLimits.pieces else {
      throw FileError(file: file, line: line, message: "more than \(MovieLimits.pieces) events")
    }
    let fields = text.split { $0 == " " || $0 == "\t" }.map(String.init)
    func expected(_ what: String) -> FileError {
      FileError(file: file, line: line, message: "\"\(text.prefix(120))\": expected \(what)")
    }
    guard fields.count >= 7 else { throw expected("an event: number, reel, track, C (or D or W001 with a frame count), four timecodes") }
    var points: [EDLEvent.Point] = []
    for field in fields.suffix(4) {
      guard let point = point(field) else { throw expected("a timecode such as 01:00:03:05, not \"\(field.prefix(40))\"") }
      points.append(point)
    }
    // A reel name may contain spaces, so the other fields are counted from the end.
    let head = Self.joiningKeys(fields.dropLast(4))
    let isLonger = head.count >= 5 && Int64(head[head.count - 1]) != nil && kind(head[head.count - 2]) != nil
    let kindAt = isLonger ? head.count - 2 : head.count - 1
    guard kindAt >= 2, let kind = kind(head[kindAt]) else { throw expected("C, D, W and three digits, K, KB or KO") }
    let frames = isLonger ? Int64(head[head.count - 1]) ?? 0 : 0
    guard (0...1_000_000).contains(frames) else { throw expected("a transition duration in frames") }
    if case .cut = kind {} else if !isLonger, kind != .key("KB") { throw expected("a transition duration in frames") }
    let reel = kindAt == 2 ? "AX" : head[1..<(kindAt - 1)].joined(separator: " ")
    events.append(
      EDLEvent(
        line: line, number: fields[0], reel: reel, track: head[kindAt - 1].uppercased(), kind: kind, transitionFrames: frames,
        sourceIn: points[0], sourceOut: points[1], recordIn: points[2], recordOut: points[3]))
  }

  /// The fields with a final "K B" or "K O", possibly followed by a duration, joined into one word.
  private static func joiningKeys(_ fields: ArraySlice<String>) -> [String] {
    let last = fields.endIndex - (fields.last.flatMap { Int64($0) } == nil ? 1 : 2)
    guard last >= 3, fields[last - 1].uppercased() == "K", ["B", "O"].contains(fields[last].uppercased()) else {
      return Array(fields)
    }
    let key = fields[last - 1] + fields[last]
    return fields[..<(last - 1)] + [key] + fields[(last + 1)...]
  }

  private func kind(_ text: String) -> EDLEvent.Kind? {
    switch text.uppercased() {
    case "C": return .cut
    case "D": return .dissolve
    case "K", "KB", "KO": return .key(text.uppercased())
    default:
      return EDLWipe.code(ofText: text).map { .wipe($0) }
    }
  }

  private mutating func point(_ text: String) -> EDLEvent.Point? {
    if text.utf8.allSatisfy({ (48...57).contains($0) }) { return Int64(text).flatMap { $0 < 1 << 40 ? .frames($0) : nil } }
    guard let code = timecode(text) else { return nil }
    if code.isDropFrame { dropsFrames = true }
    return .timecode(code)
  }

  /// A timecode, drop-frame or not according to the lines before it.
  private func timecode(_ text: String) -> Timecode? {
    guard let code = Timecode(text), isDropFrame, !marksDropFrames else { return Timecode(text) }
    return Timecode(hours: code.hours, minutes: code.minutes, seconds: code.seconds, frames: code.frames, isDropFrame: true)
  }

  // MARK: - Lines between events

  private mutating func other(_ text: String, _ line: Int) throws(FileError) {
    if let said = Self.body(of: text, "TITLE") {
      title = said
    } else if let said = Self.body(of: text, "FCM") {
      isDropFrame = said.uppercased().hasPrefix("DROP")
    } else if text.utf8.first == UInt8(ascii: "*") {
      try comment(String(text.dropFirst().drop { $0 == " " || $0 == "\t" }), line)
    } else if text.uppercased().hasPrefix("M2") {
      motion(text, line)
    } else if ["SPLIT", "AUD", ">>>", "GPI", "FINAL CUT"].contains(where: text.uppercased().hasPrefix) {
      // For sound or for machines: ignored.
    } else if events.isEmpty, Self.body(of: text, "FRAME RATE") == nil {
      guard text.utf8.first.map({ $0 < 0x80 }) == true, line < 1000 else {
        throw FileError(file: file, line: line, message: "not an edit decision list (CMX 3600)")
      }
      remarks.add("line \(line): not understood, ignored: \"\(text.prefix(80))\"")
    } else {
      // Some programs omit the asterisk.
      try comment(text, line)
    }
  }

  private mutating func keep(_ comment: String) {
    guard !events.isEmpty, events[events.count - 1].comments.count < 100 else { return }
    events[events.count - 1].comments.append(comment)
  }

  /// The text after a keyword and its colon.
  private static func body(of text: String, _ keyword: String) -> String? {
    guard text.utf8.count > keyword.utf8.count, text.prefix(keyword.count).uppercased() == keyword else { return nil }
    let rest = text.dropFirst(keyword.count).drop { $0 == " " }
    guard rest.first == ":" else { return nil }
    return String(rest.dropFirst().drop { $0 == " " || $0 == "\t" })
  }

  private mutating func comment(_ comment: String, _ line: Int) throws(FileError) {
    if let said = Self.body(of: comment, "FRAME RATE") {
      if let rate = TimeText.rate(said) {
        self.rate = rate
      } else {
        remarks.add("line \(line): \"\(said.prefix(80))\" is not a frame rate; ignored")
      }
      return
    }
    guard !events.isEmpty else { return }
    let last = events.count - 1
    if let said = Self.body(of: comment, "FROM CLIP NAME") {
      events[last].fromName = said
    } else if let said = Self.body(of: comment, "TO CLIP NAME") {
      events[last].toName = said
    } else if let said = Self.body(of: comment, "SOURCE FILE") ?? Self.body(of: comment, "FROM FILE")
      ?? Self.body(of: comment, "FROM CLIP") ?? Self.body(of: comment, "OTIO REFERENCE FROM")
    {
      events[last].fromFile = said
    } else if let said = Self.body(of: comment, "TO FILE") ?? Self.body(of: comment, "TO CLIP")
      ?? Self.body(of: comment, "OTIO REFERENCE TO")
    {
      events[last].toFile = said
    } else if let said = Self.body(of: comment, "MISSING") {
      events[last].missing = said
    } else if let said = Self.body(of: comment, "LOC") {
      locatorCount += 1
      guard locatorCount <= MovieLimits.pieces else {
        throw FileError(file: file, line: line, message: "more than \(MovieLimits.pieces) markers")
      }
      let words = said.split(separator: " ", maxSplits: 1)
      events[last].locators.append(
        EDLEvent.Locator(line: line, place: words.first.flatMap { timecode(String($0)) }, text: words.count > 1 ? String(words[1]) : ""))
    } else if comment.drop(while: { $0 == "*" || $0 == " " }).uppercased() == "FREEZE FRAME" {
      events[last].isFrozen = true
    } else if !comment.isEmpty {
      keep(comment)
    }
  }

  private mutating func motion(_ text: String, _ line: Int) {
    let fields = text.split { $0 == " " || $0 == "\t" }.map(String.init)
    guard !events.isEmpty, events[events.count - 1].speeds.count < 100, fields.count >= 3, fields[0].uppercased() == "M2",
      let speed = Double(fields[fields.count - 2]), abs(speed) < 1_000_000
    else {
      remarks.add("line \(line): not understood, ignored: \"\(text.prefix(80))\"")
      return
    }
    events[events.count - 1].speeds.append(
      EDLEvent.Speed(name: fields[1..<(fields.count - 2)].joined(separator: " "), text: fields[fields.count - 2]))
  }
}
