import Pixels

/// The frames of a composition: those of its clips at their times, and mixtures of them.
///
/// Clips are opened when they come near, and decoded up to their first frame while the previous one is shown, with a share
/// of that work done per frame. A missing clip shows a placeholder, and the rest continues.
final class CompositionSource: FrameSource {
  let info: SourceInfo
  let index: FrameIndex?
  private let plan: CompositionPlan
  private let readers: ClipReaders
  private let failures: CompositionFailures
  /// The cursors of the clips being shown, and of those that come next.
  private var cursors: [Int: any ClipCursor] = [:]
  private var place = Place.at(.zero)
  private var span = 0
  private var ahead = WorkAhead()
  private var numbering = Numbering()
  /// True if frames may have been left out since the last one was given.
  private var mayLackFrames = false

  /// The next position.
  private enum Place {
    /// The frame on display at a time of the span.
    case at(MediaTime)
    /// The first frame from the only visible clip, which has been sent close to the wanted time.
    case landing(ForwardCursor)
    /// The frame on display at a time that may lie in the middle of it.
    case within(MediaTime)
    case ended
  }

  /// - Parameters:
  ///   - index: the index of the composition's frames.
  ///   - size: their size.
  ///   - frameRate: frames per second, for information.
  ///   - open: opens a clip.
  init(
    _ plan: CompositionPlan, index: FrameIndex?, size: PixelSize, frameRate: Double, failures: CompositionFailures,
    open: @escaping ClipReaders.Open
  ) {
    self.plan = plan
    self.index = index
    self.failures = failures
    readers = ClipReaders(open)
    // Nothing is skipped on the way through clips of several kinds.
    info = SourceInfo(
      presentationSize: size, duration: plan.duration, nominalFrameRate: frameRate, codec: "composition", canSkipNonReference: false)
  }

  // MARK: - Going there

  func seek(to time: MediaTime, options: SeekOptions) throws -> SeekLanding {
    let time = plan.frameGrid(time)
    guard let number = plan.spanNumber(at: time) else { return SeekLanding() }
    go(toSpan: number)
    numbering = Numbering(index?.timeline, rate: info.nominalFrameRate)
    let item = plan.spans[number]
    guard time < item.end else {
      place = .ended
      return SeekLanding()
    }
    if plan.frameDuration != nil {
      place = .at(time)
    } else if let clip = item.onlyClip, clip.clip.direction == .forward, let cursor = cursor(for: clip) as? ForwardCursor {
      let went = attempt(clip) {
        try cursor.reader.seek(to: cursor.sourceTime(time), options: options)
        return true
      }
      place = went == nil ? .within(time) : .landing(cursor)
    } else {
      place = .within(time)
    }
    return SeekLanding()
  }

  func rewind() throws {
    go(toSpan: 0)
    numbering = Numbering(index?.timeline, rate: info.nominalFrameRate, isFromStart: true)
    place = plan.spans.isEmpty ? .ended : .at(.zero)
  }

  func retainDecoders(within bytes: Int) -> Int {
    guard plan.spans.indices.contains(span), let clip = plan.spans[span].onlyClip, let cursor = cursors[clip.number]
    else { return 0 }
    return cursor.reader.source.retainDecoders(within: bytes)
  }

  private func go(toSpan number: Int) {
    span = number
    for cursor in cursors.values { cursor.leave() }
    release(keeping: plan.spans.indices.contains(number) ? plan.spans[number].clips.map(\.number) : [])
    ahead = WorkAhead()
  }

  /// Releases clips that are not shown.
  private func release(keeping numbers: [Int]) {
    for (number, cursor) in cursors where !numbers.contains(number) {
      readers.giveBack(cursor.reader)
      cursors[number] = nil
    }
  }

  /// Returns the cursor of a clip; nil if the clip is missing.
  private func cursor(for clip: CompositionPlan.Clip) -> (any ClipCursor)? {
    if let cursor = cursors[clip.number] { return cursor }
    guard !failures.contains(clip.number) else { return nil }
    do {
      let (reader, tolerance) = try readers.take(for: clip.clip, near: clip.clip.timeRange.start)
      let cursor = plan.map(of: clip, tolerance: tolerance).makeCursor(reader)
      cursors[clip.number] = cursor
      return cursor
    } catch {
      failures.note(clip, error)
      return nil
    }
  }

  // MARK: - Decoding

  func decodeNext(discard: DiscardLevel) throws -> DecodeStep {
    if discard != .nothing {
      numbering.stopCounting()
      mayLackFrames = true
    }
    if ahead.isDue, try workAhead() { return .progress }
    switch place {
    case .ended: return .endOfStream(isCutOff: false)
    case .landing(let cursor):
      guard let isThere = attempt(cursor.planned, { try cursor.land(discard: discard) }) else {
        place = .within(cursor.planned.timeRange.start)
        return .progress
      }
      if isThere {
        let item = plan.spans[span]
        place = cursor.start < item.end ? .at(max(item.start, cursor.start)) : next(after: item.end)
      }
      return .progress
    case .within(let time):
      if let start = frameStart(at: time) { place = .at(start) }
      return .progress
    case .at(let time):
      let item = plan.spans[span]
      for clip in item.clips { _ = cursor(for: clip) }
      // For clips that do not determine the times themselves, anything that starts within a tick has started.
      let master = plan.frameDuration == nil ? master(of: item)?.planned.number : nil
      for clip in item.clips {
        let margin = clip.number == master ? .zero : cursors[clip.number]?.map.margin ?? .zero
        let isThere = bring(clip, to: time + margin, discard: item.onlyClip == nil ? .nothing : discard)
        guard isThere else { return .progress }
      }
      // Frames that were skipped or are damaged are not frames of the composition either.
      if let clip = item.onlyClip, plan.frameDuration == nil, let start = cursors[clip.number]?.start, start != time,
        time > item.start
      {
        let end = item.end
        place = next(after: start > time ? min(start, end) : end)
        return .progress
      }
      return .frame(compose(item, at: time))
    }
  }

  /// Moves a clip to a time; also returns true if the clip is missing.
  private func bring(_ clip: CompositionPlan.Clip, to time: MediaTime, discard: DiscardLevel) -> Bool {
    guard let cursor = cursor(for: clip) else { return true }
    return attempt(clip) { try cursor.stand(at: time, discard: discard) } ?? true
  }

  /// Runs `body` on a clip; returns nil and abandons the clip if it fails.
  private func attempt(_ clip: CompositionPlan.Clip, _ body: () throws -> Bool) -> Bool? {
    do {
      return try body()
    } catch {
      failures.note(clip, error)
      if let cursor = cursors.removeValue(forKey: clip.number) { readers.giveBack(cursor.reader) }
      return nil
    }
  }

  private func master(of item: CompositionPlan.Span) -> (any ClipCursor)? {
    item.master { [cursors] in cursors[$0.number]?.reader.source.info.nominalFrameRate ?? 0 }
      .flatMap { cursors[$0.number] }
  }

  /// Returns the start of the frame on display at a time of the span; nil while it is unknown.
  private func frameStart(at time: MediaTime) -> MediaTime? {
    let item = plan.spans[span]
    for clip in item.clips { _ = cursor(for: clip) }
    if let master = master(of: item) {
      // If that clip is missing, another one decides, or none.
      guard bring(master.planned, to: time, discard: .nothing), cursors[master.planned.number] != nil else { return nil }
    }
    return steps(of: item).start(at: time)
  }

  /// Returns when the image changes while the current frame of the determining clip is shown.
  private func steps(of item: CompositionPlan.Span) -> FrameSteps {
    guard let master = master(of: item) else {
      return plan.steps(in: item, from: item.start, to: item.end)
    }
    return plan.steps(in: item, from: master.start, to: master.end)
  }

  private func compose(_ item: CompositionPlan.Span, at time: MediaTime) -> CompositedFrame {
    let end = frameEnd(item, at: time)
    let ownEnd = mayLackFrames ? ownEnd(item, at: time) : nil
    mayLackFrames = false
    var timing = FrameTiming(pts: time, duration: CompositionPlan.duration(from: time, to: min(end, ownEnd ?? end)))
    timing.endIsExact = ownEnd == nil && timing.end == end
    (timing.number, timing.numberIsExact) = numbering.number(at: time)
    if ownEnd != nil, let timeline = index?.timeline { timing = timeline.numbered(timing) }
    timing.isCertain = item.clips.allSatisfy { cursors[$0.number]?.frame?.timing.isCertain ?? true }
    let base: CompositedFrame.Base =
      switch item.base {
      case .black: .black
      case .missing: .missing
      case .clip(let clip): layer(clip).map { .frame($0) } ?? .missing
      case .transition(let transition, let range, let from, let to):
        .transition(
          transition, progress: (time - range.start).seconds / range.duration.seconds, from: layer(from, timing),
          to: layer(to, timing))
      }
    let overlays = item.overlays.compactMap { item in
      layer(item.clip).map {
        CompositedFrame.Overlay(layer: $0, region: item.overlay.region, opacity: item.overlay.opacity(at: time))
      }
    }
    let missing = plan.missing(at: time, in: item) ?? item.clips.lazy.filter { self.layer($0) == nil }
      .compactMap { self.failures.error(of: $0.number) }.first
    let frame = CompositedFrame(
      base, overlays: overlays, missing: missing, size: info.presentationSize, timing: timing, blending: plan.blending)
    place = next(after: end)
    planAhead(after: end)
    return frame
  }

  /// Returns one side of a transition; nil for black.
  private func layer(_ side: CompositionPlan.Side, _ timing: FrameTiming) -> CompositedFrame.Layer? {
    if case .black = side { return nil }
    let size = info.presentationSize
    return side.clip.flatMap { layer($0) }
      ?? CompositedFrame.Layer(
        frame: CompositedFrame(.missing, overlays: [], size: size, timing: timing),
        aspect: Double(size.width) / Double(max(1, size.height)))
  }

  private func layer(_ clip: CompositionPlan.Clip) -> CompositedFrame.Layer? {
    guard let cursor = cursors[clip.number], let frame = cursor.frame else { return nil }
    let size = cursor.reader.source.info.presentationSize
    return CompositedFrame.Layer(frame: frame, aspect: Double(size.width) / Double(max(1, size.height)))
  }

  private func frameEnd(_ item: CompositionPlan.Span, at time: MediaTime) -> MediaTime {
    if let frame = plan.frameDuration { return min(time + frame, plan.duration) }
    return steps(of: item).next(after: time)
  }

  /// Returns the end of the frame according to the clip, if later frames may be skipped; nil if none are.
  private func ownEnd(_ item: CompositionPlan.Span, at time: MediaTime) -> MediaTime? {
    guard plan.frameDuration == nil, let clip = item.onlyClip, let cursor = cursors[clip.number] as? ForwardCursor,
      let end = cursor.frame.map({ cursor.map.shown($0.timing.end) }), end > time
    else { return nil }
    return end
  }

  /// Moves to a time at which a frame ends.
  private func next(after time: MediaTime) -> Place {
    guard time < plan.duration else { return .ended }
    while time >= plan.spans[span].end, span + 1 < plan.spans.count { span += 1 }
    return .at(time)
  }

  // MARK: - What comes next

  /// The distance ahead for which clips are prepared, in the composition's time, and the number prepared at the same time.
  private static let horizon = MediaTime(value: 3, timescale: 1)
  private static let maxAhead = 2

  /// Decides how much of the work for upcoming clips is done before the next frame.
  private func planAhead(after time: MediaTime) {
    let present = plan.spans[span].clips
    var wanted = present.map(\.number)
    var work: [(clip: CompositionPlan.Clip, start: MediaTime)] = []
    search: for item in plan.spans[(span + 1)...] {
      guard item.start - time < Self.horizon, work.count < Self.maxAhead else { break }
      for clip in item.clips where !wanted.contains(clip.number) {
        // Its turn does not come next: until then the reader is free that is at work now.
        if !work.isEmpty, present.contains(where: { $0.clip.hasSameSource(as: clip.clip) }) { break search }
        wanted.append(clip.number)
        work.append((clip, item.start))
      }
    }
    release(keeping: wanted)
    ahead.plan(work.filter { !followsOn($0.clip) }, at: time, frameRate: info.nominalFrameRate) { clip in
      guard let timeline = cursors[clip.number]?.reader.timeline else { return nil }
      let number = timeline.frameNumber(at: clip.clip.timeRange.start)
      return number - timeline.randomAccessFrame(for: number)
    }
  }

  /// Returns true if a clip starts where one being shown arrives by itself, so that its reader is the best one.
  private func followsOn(_ clip: CompositionPlan.Clip) -> Bool {
    guard cursors[clip.number] == nil, clip.clip.direction == .forward, let former = plan.spans[span].onlyClip, former.clip.direction == .forward, former.clip.hasSameSource(as: clip.clip),
      former.clip.timeRange.end <= clip.clip.timeRange.start, let cursor = cursors[former.number]
    else { return false }
    return cursor.reader.leadsOn(to: clip.clip.timeRange.start)
  }

  /// Does a short piece of the work; returns false if there is none.
  private func workAhead() throws -> Bool {
    guard let (clip, start) = ahead.take() else { return false }
    if bring(clip, to: start, discard: .nothing) { ahead.didPrepare(clip) }
    return true
  }
}
