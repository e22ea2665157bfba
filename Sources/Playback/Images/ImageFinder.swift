/// Finds single pictures in a source, in steps as short as the source's own.
///
/// `@unchecked Sendable`: made by the thread that opened the source, handed over once, and then used only
/// inside one lane's steps, which never overlap.
final class ImageFinder: @unchecked Sendable {
  enum Target: Hashable, Sendable {
    /// A picture that is on display at some time in time − before … time + after.
    case time(MediaTime, before: MediaTime, after: MediaTime)
    /// Zero-based, in display order.
    case number(Int)
    /// The very picture that a player showed.
    case shown(FrameTiming)

    /// Whether only one picture will do.
    var isExact: Bool {
      switch self {
      case .time(_, let before, let after): before == .zero && after == .zero
      case .number, .shown: true
      }
    }
  }

  let source: any FrameSource
  private let index: FrameIndex?
  private var run: Run?
  private var search: Search?

  /// Decoding from a place on.
  private struct Run {
    var isFromStart: Bool
    /// Whether it began where decoding is known to be right.
    var isCertain = true
    /// Pictures that have come out.
    var count = 0
    var previous: (any SourceFrame)?
    var latest: (any SourceFrame)?
    var hasEnded = false
  }

  private struct Search {
    var target: Target
    /// How often it was begun further back, because what came out was too late.
    var retreats = 0
    /// How often what was found turned out not to be what a decode from the beginning gives.
    var doubts = 0
  }

  /// Further decoding rather than seeking for what is so near.
  private static let near = MediaTime(value: 1, timescale: 2)
  /// How far behind its time a shown picture may still come.
  private static let beyond = MediaTime(value: 1, timescale: 1)
  /// Places to begin at that may prove wrong one after another.
  private static let mostDoubts = 4
  /// How far before the target to begin when seeking to it led behind it.
  private static let retreats = [1, 5, 25].map { MediaTime(value: $0, timescale: 1) }

  init(_ box: SourceBox) {
    source = box.source
    index = box.index
  }

  /// Does a short piece of work for a target; begins anew when it is another one than the last time.
  ///
  /// - Returns: the frame, once it has been found.
  /// - Throws: `PlaybackError` when there is none, or an error of the source; the search is then over.
  func step(_ wanted: Target) throws -> (any SourceFrame)? {
    let target = try known(wanted)
    do {
      if search?.target != target {
        search = Search(target: target)
        if let frame = try begin(target) { return end(frame) }
      }
      guard let frame = try decode(target) else { return nil }
      if try isDoubtful(frame, target) { return nil }
      return end(frame)
    } catch {
      search = nil
      // What can be read once only goes on from where it is.
      if source.info.canSeek { run = nil }
      throw error
    }
  }

  /// Begins anew where the picture is not the right one: by now the source knows a better place to begin at.
  private func isDoubtful(_ frame: any SourceFrame, _ target: Target) throws -> Bool {
    guard target.isExact, !frame.timing.isCertain, source.info.canSeek, search?.doubts ?? 0 < Self.mostDoubts else {
      return false
    }
    search?.doubts += 1
    run = nil
    return try begin(target) == nil
  }

  private func end(_ frame: any SourceFrame) -> any SourceFrame {
    search = nil
    return frame
  }

  /// Numbers become times where times are known; odd times become times of the clip.
  private func known(_ target: Target) throws -> Target {
    switch target {
    case .number(let number):
      guard let timeline = index?.timeline, timeline.isComplete, timeline.isCountable else { return target }
      guard let time = timeline.time(ofFrame: number) else {
        throw PlaybackError.noSuchFrame(of: timeline.frameCount)
      }
      return .time(time, before: .zero, after: .zero)
    case .time(let time, let before, let after):
      return .time(max(.zero, time), before: before, after: after)
    case .shown(let timing):
      // Without a stamp of its own it can be told by its time only.
      return timing.originalPTS != nil ? target : .time(max(.zero, timing.pts), before: .zero, after: .zero)
    }
  }

  // MARK: - Going there

  /// Goes to where decoding is to begin, unless the picture is held or comes next.
  private func begin(_ target: Target) throws -> (any SourceFrame)? {
    switch target {
    case .time(let time, let before, _):
      if let run, !run.hasEnded, let frame = run.latest, case let latest = frame.timing, latest.pts <= time,
        run.isCertain || !target.isExact,
        time - latest.pts <= Self.near || !source.info.canSeek || (run.isFromStart && mustReadAll(target))
          || (before.isNumeric && isOnTheWay(from: latest, to: time))
      {
        return latest.endIsExact && time < latest.end ? frame : nil
      }
      try seek(to: time, target)
    case .shown(let timing):
      if let run, !run.hasEnded, let latest = run.latest, latest.timing.originalPTS == timing.originalPTS {
        return latest
      }
      try seek(to: timing.pts, target)
    case .number(let number):
      if let run, run.isFromStart, !run.hasEnded, run.count <= number { return nil }
      try rewind()
    }
    return nil
  }

  /// Whether no other start leads to a time sooner than decoding on.
  private func isOnTheWay(from latest: FrameTiming, to time: MediaTime) -> Bool {
    guard let timeline = index?.timeline, time < timeline.end else { return false }
    return timeline.randomAccessFrame(for: timeline.frameNumber(at: time)) <= timeline.frameNumber(at: latest.pts)
  }

  /// Whether only a decode from the beginning tells which picture is the wanted one.
  private func mustReadAll(_ target: Target) -> Bool {
    guard case .time = target, target.isExact, let index, index.hasPackets else { return false }
    return index.timeline == nil
  }

  private func seek(to time: MediaTime, _ target: Target) throws {
    // A single picture that was asked for exactly has time to be right.
    let isExact = target.isExact
    let end = source.info.duration
    let place = time.isNumeric ? time : end.isNumeric ? end : .zero
    guard place > .zero, source.info.canSeek, !mustReadAll(target) else { return try rewind() }
    do {
      _ = try source.seek(to: place, options: isExact ? .mustBeCertain : [])
      run = Run(isFromStart: false, isCertain: isExact)
    } catch {
      try rewind()
    }
  }

  private func rewind() throws {
    if !source.info.canSeek, run != nil {
      throw PlaybackError(.system, "can be read only once, and this picture has gone by")
    }
    guard source.info.canSeek else {
      run = Run(isFromStart: true)
      return
    }
    try source.rewind()
    run = Run(isFromStart: true)
  }

  /// Begins earlier; at last at the beginning.
  private func retreat(from time: MediaTime, _ target: Target) throws {
    let count = search?.retreats ?? 0
    search?.retreats = count + 1
    let end = source.info.duration
    let place = end.isNumeric ? min(time, end) : time
    guard count < Self.retreats.count, place.isNumeric else { return try rewind() }
    try seek(to: place - Self.retreats[count], target)
  }

  // MARK: - Looking at what comes

  private func decode(_ target: Target) throws -> (any SourceFrame)? {
    // Two frames are held at the most.
    run?.previous = nil
    switch try source.decodeNext(discard: .nothing) {
    case .progress:
      return nil
    case .frame(let frame):
      var run = run ?? Run(isFromStart: false)
      run.count += 1
      run.previous = run.latest
      run.latest = frame
      self.run = run
      return try judge(frame, target)
    case .endOfStream:
      return try judgeEnd(target)
    }
  }

  private func judge(_ frame: any SourceFrame, _ target: Target) throws -> (any SourceFrame)? {
    let timing = frame.timing
    switch target {
    case .number(let number):
      return (run?.count ?? 0) > number ? frame : nil
    case .shown(let wanted):
      if timing.originalPTS == wanted.originalPTS { return frame }
      // Times that a stream of jumping stamps got in playing are found again only by reading all of it.
      if timing.pts > wanted.pts + Self.beyond, run?.isFromStart == false { try retreat(from: wanted.pts, target) }
      return nil
    case .time(let time, let before, let after):
      if timing.pts <= time {
        if before > .zero && timing.end > time - before { return frame }
        return timing.endIsExact && time < timing.end ? frame : nil
      }
      // The one before is on display until this one.
      if let previous = run?.previous { return previous }
      if run?.isFromStart ?? true || (after > .zero && timing.pts <= time + after) { return frame }
      try retreat(from: time, target)
      return nil
    }
  }

  private func judgeEnd(_ target: Target) throws -> (any SourceFrame)? {
    run?.hasEnded = true
    if case .shown(let wanted) = target {
      guard run?.isFromStart == false else {
        throw PlaybackError(.damaged, "does not give this picture again")
      }
      try retreat(from: wanted.pts, target)
      return nil
    }
    if case .number = target, let run, run.latest != nil { throw PlaybackError.noSuchFrame(of: run.count) }
    if let latest = run?.latest { return latest }
    guard case .time(let time, _, _) = target, run?.isFromStart == false else {
      throw PlaybackError(.nothingDecodable, "has no picture that can be decoded")
    }
    try retreat(from: time, target)
    return nil
  }
}
