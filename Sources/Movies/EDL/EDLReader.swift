import Playback

/// Converts an edit decision list (CMX 3600) into a movie.
struct EDLReader {
  let parser: EDLParser
  let rate: Ratio
  /// Set if the rate is guessed.
  private var guess: EDLRateGuess?
  var remarks: Warnings
  var pieces: [MoviePiece] = []
  /// The event of the last piece; nil if that is a gap.
  var last: EDLEvent?
  /// The start of the next piece, in frames of the record.
  private var cursor: Int64 = 0
  /// The pieces made of each video event.
  private(set) var made: [EDLSoundKey: Range<Int>] = [:]

  /// - Parameter rate: the frame rate; nil uses what the list states, or a guess.
  static func read(_ bytes: [UInt8], file: String, rate: Ratio?) throws(FileError) -> MovieFile.Reading {
    var reader = try EDLReader(EDLParser(bytes, file: file), rate)
    let movie = try reader.movie()
    return MovieFile.Reading(document: movie, remarks: reader.remarks.all, rateGuess: reader.guess)
  }

  private init(_ parser: EDLParser, _ wanted: Ratio?) throws(FileError) {
    self.parser = parser
    remarks = parser.remarks
    guard !parser.events.isEmpty else {
      throw FileError(file: parser.file, line: nil, message: "no events; expected an edit decision list (CMX 3600)")
    }
    if let said = wanted ?? parser.rate {
      rate = said
    } else {
      let numbers = parser.frameNumbers
      if parser.dropsFrames {
        rate = numbers.contains { $0 >= 30 } ? Ratio(60000, 1001) : Ratio(30000, 1001)
      } else {
        let guess = EDLRateGuess(numbers)
        self.guess = guess
        rate = guess.rate
        remarks.add(guess.remark(assuming: rate, clips: []))
      }
    }
    if parser.dropsFrames, !Timecode.canDropFrames(at: rate) {
      throw FileError(
        file: parser.file, line: nil,
        message: "drop-frame timecode requires 30000/1001 or 60000/1001 fps, not \(TimeText.text(rate))")
    }
  }

  var file: String { parser.file }

  // MARK: - The movie

  private mutating func movie() throws(FileError) -> MovieDocument {
    var movie = MovieDocument(title: parser.title, output: MovieOutput(rate: rate))
    guard parser.events.contains(where: \.isVideo) else {
      throw FileError(file: file, line: nil, message: "has no video, only sound events")
    }
    let entries = try self.entries(of: parser.events.filter(\.isVideo))
    let start = entries.first { $0.event.videoTrack <= 1 } ?? entries.first
    let first = start?.recordIn ?? 0
    movie.startTimecode = start.flatMap {
      Timecode(frameNumber: first, at: rate, isDropFrame: Self.isDropFrame($0.event.recordIn))
    }
    if movie.startTimecode == Timecode(hours: 0, minutes: 0, seconds: 0, frames: 0) { movie.startTimecode = nil }
    cursor = first
    for entry in entries where entry.event.videoTrack <= 1 {
      let count = pieces.count
      try add(entry)
      made[EDLSoundKey(entry.event)] = count..<pieces.count
    }
    let listsSound = parser.events.contains(where: \.isHeard)
    if listsSound { try addSounds(to: &movie, after: first) }
    for index in MovieDocument.overlap(&pieces) {
      remarks.add("line \(pieces[index].line.number ?? 0): the transition uses no frames beyond the cut")
    }
    movie.pieces = pieces.map(Self.fromTheFirstFrame)
    for entry in entries where entry.event.videoTrack > 1 {
      guard case .clip(let clip) = try content(entry.event, isTarget: false, frames: entry.recordOut - entry.recordIn) else {
        continue
      }
      guard entry.recordIn >= first else {
        remarks.add("line \(entry.event.line): starts before the first track; ignored")
        continue
      }
      if entry.event.kind != .cut { remarks.add("line \(entry.event.line): transition on \(entry.event.track) replaced by a cut") }
      movie.overlays.append(
        MovieOverlay(
          .clip(clip), start: time(entry.recordIn - first), place: .named(.full),
          sound: MovieSound(isMuted: listsSound && !entry.event.isHeard), line: SourceLine(entry.event.line)))
    }
    for event in parser.events where event.isVideo {
      for locator in event.locators { movie.markers += try marker(locator, after: first) }
    }
    return movie
  }

  /// The piece, moved to its clip's first frame if a transition needs frames from before it.
  private static func fromTheFirstFrame(_ piece: MoviePiece) -> MoviePiece {
    guard case .clip(var clip) = piece.content, case .time(let start) = clip.start, start < .zero else { return piece }
    clip.start = .time(.zero)
    var piece = piece
    piece.content = .clip(clip)
    return piece
  }

  func time(_ frames: Int64) -> MediaTime { MediaTime(frames: frames, at: rate) }

  private static func isDropFrame(_ point: EDLEvent.Point) -> Bool {
    if case .timecode(let code) = point { code.isDropFrame } else { false }
  }

  func frames(_ point: EDLEvent.Point, _ line: Int) throws(FileError) -> Int64 {
    switch point {
    case .frames(let count): return count
    case .timecode(let code):
      guard let number = code.frameNumber(at: rate) else {
        throw FileError(file: file, line: line, message: "\(code) is not a valid timecode at \(TimeText.text(rate)) fps")
      }
      return number
    }
  }

  /// The number of frames between two points; an end below the start is after midnight.
  func frames(_ from: EDLEvent.Point, _ to: EDLEvent.Point, _ line: Int) throws(FileError) -> Int64 {
    let count = try frames(to, line) - frames(from, line)
    guard count < 0,
      let day = Timecode(hours: 24, minutes: 0, seconds: 0, frames: 0, isDropFrame: Self.isDropFrame(to))?.frameNumber(at: rate)
    else { return count }
    guard count + day >= 0, count < -day / 2 else {
      throw FileError(file: file, line: line, message: "ends before it starts")
    }
    return count + day
  }

  // MARK: - Events in record order

  /// An event, with the preceding event of the same number, which gives the source of its transition.
  struct Entry {
    var event: EDLEvent
    var source: EDLEvent?
    var recordIn: Int64
    var recordOut: Int64
  }

  mutating func entries(of events: [EDLEvent]) throws(FileError) -> [Entry] {
    var entries: [Entry] = []
    var waiting: EDLEvent?
    func entry(_ event: EDLEvent, from source: EDLEvent? = nil) throws(FileError) -> Entry {
      let start = try frames(event.recordIn, event.line)
      let length = try frames(event.recordIn, event.recordOut, event.line)
      return Entry(event: event, source: source, recordIn: start, recordOut: start + length)
    }
    for event in events {
      if case .key(let name) = event.kind {
        let isShown = name == "KB"
        let what = isShown ? "only the background is shown" : "event ignored"
        remarks.add("line \(event.line): keys (\(name)) are not supported; \(what)")
        if !isShown { continue }
      }
      if let source = waiting {
        waiting = nil
        if source.number == event.number, event.kind != .cut, try frames(source.recordIn, source.recordOut, source.line) == 0 {
          entries.append(try entry(event, from: source))
          continue
        }
        entries.append(try entry(source))
      }
      if event.kind == .cut { waiting = event } else { entries.append(try entry(event)) }
    }
    if let waiting { entries.append(try entry(waiting)) }
    let main = entries.filter { $0.event.videoTrack <= 1 }
    if zip(main, main.dropFirst()).contains(where: { $0.recordIn > $1.recordIn }) {
      remarks.add("the events were sorted by record time")
      // The sort is stable.
      entries.sort { $0.recordIn < $1.recordIn }
    }
    return entries
  }

  private mutating func add(_ entry: Entry) throws(FileError) {
    let event = entry.event
    if entry.recordIn > cursor {
      pieces.append(MoviePiece(.empty(time(entry.recordIn - cursor)), line: SourceLine(event.line)))
      last = nil
      cursor = entry.recordIn
    } else if entry.recordIn < cursor {
      remarks.add("line \(event.line): starts before the previous event ends; moved after it")
    }
    let length = entry.recordOut - entry.recordIn
    var transition = try self.transition(event, length: length)
    if length == 0 {
      remarks.add("line \(event.line): empty event ignored")
      return
    }
    if transition != nil {
      try addSource(of: entry)
    }
    var piece = try self.piece(event, isTarget: entry.source != nil || event.toName != nil, frames: length)
    if case .wipe(let code) = event.kind, EDLWipe.angle(of: code) == nil {
      remarks.add("line \(event.line): wipe \(code) is shown as a wipe to the right")
      transition?.foreign = ["metadata": ["cmx_3600": ["transition": .string(EDLWipe.text(code))]]]
    }
    piece.transition = transition
    pieces.append(piece)
    last = event
    cursor += length
  }

  private mutating func transition(_ event: EDLEvent, length: Int64) throws(FileError) -> MovieTransition? {
    var frames = event.transitionFrames
    if frames > length {
      remarks.add("line \(event.line): the transition is longer than the event; shortened to \(length) frames")
      frames = length
    }
    guard frames > 0 else { return nil }
    switch event.kind {
    case .cut, .key: return nil
    case .dissolve: return MovieTransition(.dissolve, length: time(frames))
    case .wipe(let code):
      return MovieTransition(.wipe(angle: EDLWipe.angle(of: code) ?? 0, softness: 0), length: time(frames))
    }
  }

  /// Adds a piece for the source of a transition, as long as the transition, unless the previous piece is the source.
  private mutating func addSource(of entry: Entry) throws(FileError) {
    guard let source = entry.source else {
      if pieces.isEmpty { pieces.append(MoviePiece(.empty(.zero), line: SourceLine(entry.event.line))) }
      return
    }
    var named = source
    // The lines after both events describe the first one, too.
    named.fromName = entry.event.fromName ?? source.fromName
    named.fromFile = entry.event.fromFile ?? source.fromFile
    named.comments = []
    if let last {
      let isRetimed = !last.speeds.isEmpty || last.isFrozen
      if last.isBlack, source.isBlack { return }
      let goesOn = try frames(last.sourceOut, last.line) == frames(source.sourceIn, source.line)
      if last.reel == source.reel, isRetimed || goesOn { return }
    } else if !pieces.isEmpty, source.isBlack {
      return
    }
    pieces.append(try piece(named, isTarget: false, frames: 0))
  }
}
