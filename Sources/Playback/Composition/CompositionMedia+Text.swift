/// Text over a composition's frames.
extension CompositionMedia {
  /// Returns the overlay text at a time, including that of nested compositions.
  func text(at time: MediaTime) -> [SubtitleCue] {
    let missing = failures.all.filter { $0.timeRange.contains(time) && mainRange(of: $0).contains(time) }
      .map { SubtitleCue.missing($0.path, $0.error.message, $0.timeRange) }
    guard let piece = movie(at: time) else { return text.cues(at: time) + missing }
    let within = piece.media.text(at: piece.map.momentShown(at: time)).map { piece.map.shown($0, at: time) }
    return within.filter { $0.timeRange.contains(time) } + text.cues(at: time) + missing
  }

  /// Returns when the overlay text or its opacity next changes.
  func nextTextChange(after time: MediaTime) -> MediaTime? {
    let fades = text.cues(at: time).lazy.compactMap { $0.fade.nextChange(after: time, in: $0.timeRange) }
    return ([text.nextChange(after: time), nextChangeWithin(after: time)].compactMap { $0 } + fades).min()
  }

  /// Returns all overlay text in display order, with the ranges in which it is visible, including that of nested
  /// compositions.
  ///
  /// - Parameters:
  ///   - frames: the composition's frames, at each of which nested text may change.
  ///   - check: called often; errors it throws end the work.
  func textSeen(with frames: PresentationTimeline?, _ check: () throws -> Void) rethrows -> [SubtitleCue] {
    guard composition.hasText else { return [] }
    let frames = composition.movies.isEmpty ? nil : frames
    // In order of their starts; the end is known for those that are no longer visible.
    var seen: [(cue: SubtitleCue, start: MediaTime, end: MediaTime?)] = []
    var open: [Int] = []
    func close(_ end: MediaTime, unlessIn now: [SubtitleCue]) {
      for i in open where !now.contains(seen[i].cue) { seen[i].end = min(end, seen[i].cue.timeRange.end) }
      open.removeAll { seen[$0].end != nil }
    }
    var (next, number): (MediaTime?, Int) = (.zero, 0)
    var former = MediaTime.negativeInfinity
    while let time = next, time < composition.duration {
      try check()
      let now = text(at: time)
      close(time, unlessIn: now)
      for cue in now where !open.contains(where: { seen[$0].cue == cue }) {
        open.append(seen.count)
        // It may have started since the time examined before.
        seen.append((cue, cue.timeRange.start > former ? cue.timeRange.start : time, nil))
      }
      former = time
      while let frame = frames?.time(ofFrame: number), frame <= time { number += 1 }
      next = [nextTextChange(after: time), frames?.time(ofFrame: number)].compactMap { $0 }.min()
    }
    close(composition.duration, unlessIn: [])
    return seen.map { $0.cue.cut(to: TimeRange(start: $0.start, end: $0.end ?? composition.duration)) }
  }

  /// Returns when a nested composition's text next changes, at the latest the end of its piece; nil if there is none. In
  /// reverse playback, its frames determine the times.
  private func nextChangeWithin(after time: MediaTime) -> MediaTime? {
    guard let (map, media) = movie(at: time), map.planned.clip.direction == .forward else { return nil }
    let next = media.nextTextChange(after: map.momentShown(at: time)).map { map.shown($0) }
    return [next, map.planned.timeRange.end].compactMap { $0 }.filter { $0 > time }.min()
  }

  /// Returns the nested composition mainly visible at a time, with the mapping of its frames; nil if there is none.
  private func movie(at time: MediaTime) -> (map: ClipMap, media: CompositionMedia)? {
    guard let number = plan.spanNumber(at: time), plan.spans[number].contains(time) else { return nil }
    let clip: CompositionPlan.Clip? =
      switch plan.spans[number].base {
      case .black, .missing: nil
      case .clip(let clip): clip
      case .transition(_, let range, let from, let to):
        time - range.start < range.end - time ? from.clip : to.clip
      }
    guard let clip, let media = clip.clip.asset.composition else { return nil }
    return (plan.map(of: clip, tolerance: .zero), media)
  }

  private func mainRange(of missing: MissingClip) -> TimeRange {
    let track = composition.tracks.firstIndex { track in
      guard let segment = track.segment(at: missing.timeRange.start), case .clip(let clip) = segment.content else { return false }
      return segment.timeRange == missing.timeRange && clip.asset.path == missing.path
    }
    // Overlays have no transitions.
    return track.map { shares.main(of: missing.timeRange, track: $0) } ?? missing.timeRange
  }
}

extension ClipMap {
  /// Returns the time of the clip that is shown at a time.
  fileprivate func momentShown(at time: MediaTime) -> MediaTime {
    switch planned.clip.direction {
    case .forward:
      let own = moment(at: time)
      return max(first, own + error(of: own))
    // A moment goes up to where it would begin forwards.
    case .backward:
      let own = momentBackwards(at: time)
      return max(first, own - error(of: own) - MediaTime(value: 1, timescale: 1_000_000_000))
    case .freeze: return first
    }
  }

  /// Returns a cue of the clip that is visible at a time, with its display range.
  fileprivate func shown(_ cue: SubtitleCue, at time: MediaTime) -> SubtitleCue {
    let (source, target) = (planned.clip.timeRange, planned.timeRange)
    var shown = cue
    guard planned.clip.direction != .freeze else {
      shown.fade = OverlayFade(opacity: cue.opacity(at: first))
      shown.timeRange = target
      return shown
    }
    func length(_ time: MediaTime) -> MediaTime { time.scaled(by: target.duration, over: source.duration) }
    shown.timeRange = TimeRange(
      start: cue.timeRange.start.mapped(from: source, to: target), end: cue.timeRange.end.mapped(from: source, to: target))
    (shown.fade.fadeIn, shown.fade.fadeOut) = (length(cue.fade.fadeIn), length(cue.fade.fadeOut))
    if planned.clip.direction == .backward {
      shown.timeRange = TimeRange(
        start: target.start + length(source.end - cue.timeRange.end), end: target.start + length(source.end - cue.timeRange.start))
      (shown.fade.fadeIn, shown.fade.fadeOut) = (shown.fade.fadeOut, shown.fade.fadeIn)
    }
    return shown
  }
}

extension Composition {
  /// True if the composition or a nested one has overlay text.
  fileprivate var hasText: Bool {
    videoComposition.overlays.contains { if case .text = $0.content { true } else { false } }
      || movies.contains { $0.composition?.composition.hasText ?? false }
  }
}

extension SubtitleCue {
  /// Returns the part of the cue within a range; cuts at the range's ends are not faded.
  fileprivate func cut(to range: TimeRange) -> SubtitleCue {
    var cue = self
    cue.timeRange = range
    if range.start > timeRange.start { cue.fade.fadeIn = .zero }
    if range.end < timeRange.end { cue.fade.fadeOut = .zero }
    return cue
  }

  /// Returns a cue that names missing media.
  static func missing(_ name: String, _ reason: String, _ range: TimeRange) -> SubtitleCue {
    var placement = SubtitlePlacement()
    placement.vertical = .middle
    return SubtitleCue(
      timeRange: range, lines: [SubtitleLine([SubtitleSpan("\(name): \(reason)")])], placement: placement)
  }
}

extension PlayerItem {
  /// Returns the text over a composition's frame at a time, and the names of media missing there. Untrusted text.
  ///
  /// `SubtitleCue.opacity(at:)` is its opacity.
  public func overlayText(at time: MediaTime) -> [SubtitleCue] { asset?.composition?.text(at: time) ?? [] }

  /// Returns when the overlay text or its opacity next changes; nil if never.
  public func nextOverlayTextChange(after time: MediaTime) -> MediaTime? {
    asset?.composition?.nextTextChange(after: time)
  }
}
