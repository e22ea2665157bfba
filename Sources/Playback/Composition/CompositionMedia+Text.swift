/// Text over a composition's frames.
extension CompositionMedia {
  /// The text that lies over the frame at a time, that of a movie which is a piece of this one included.
  func text(at time: MediaTime) -> [SubtitleCue] {
    let missing = failures.all.filter { $0.timeRange.contains(time) && mainRange(of: $0).contains(time) }
      .map { SubtitleCue.missing($0.path, $0.error.message, $0.timeRange) }
    guard let piece = movie(at: time) else { return text.cues(at: time) + missing }
    let within = piece.media.text(at: piece.map.momentShown(at: time)).map { piece.map.shown($0, at: time) }
    return within.filter { $0.timeRange.contains(time) } + text.cues(at: time) + missing
  }

  /// When other text lies over the frames than at a time, or the same more or less opaque.
  func nextTextChange(after time: MediaTime) -> MediaTime? {
    let fades = text.cues(at: time).lazy.compactMap { $0.fade.nextChange(after: time, in: $0.timeRange) }
    return ([text.nextChange(after: time), nextChangeWithin(after: time)].compactMap { $0 } + fades).min()
  }

  /// All text over the frames in the order in which it is seen, each with the times from when to when it is, that of movies which are
  /// pieces included.
  ///
  /// - Parameters:
  ///   - frames: the composition's; at each of them other text of a movie within it may be seen than before.
  ///   - check: called often; what it throws ends the work.
  func textSeen(with frames: PresentationTimeline?, _ check: () throws -> Void) rethrows -> [SubtitleCue] {
    guard composition.hasText else { return [] }
    let frames = composition.movies.isEmpty ? nil : frames
    // In the order in which they begin; the end is known of those that are not there any more.
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
        // It may have begun since the moment that was looked at before.
        seen.append((cue, cue.timeRange.start > former ? cue.timeRange.start : time, nil))
      }
      former = time
      while let frame = frames?.time(ofFrame: number), frame <= time { number += 1 }
      next = [nextTextChange(after: time), frames?.time(ofFrame: number)].compactMap { $0 }.min()
    }
    close(composition.duration, unlessIn: [])
    return seen.map { $0.cue.cut(to: TimeRange(start: $0.start, end: $0.end ?? composition.duration)) }
  }

  /// When other text of a movie that is a piece of this one is to be seen, at the latest where the piece ends; nil where there is
  /// none. Going backwards its frames tell.
  private func nextChangeWithin(after time: MediaTime) -> MediaTime? {
    guard let (map, media) = movie(at: time), map.planned.clip.direction == .forward else { return nil }
    let next = media.nextTextChange(after: map.momentShown(at: time)).map { map.shown($0) }
    return [next, map.planned.timeRange.end].compactMap { $0 }.filter { $0 > time }.min()
  }

  /// The movie that is mainly seen at a time as a piece of this one, and when its frames are shown; nil where there is none.
  private func movie(at time: MediaTime) -> (map: ClipMap, media: CompositionMedia)? {
    guard let number = plan.spanNumber(at: time), plan.spans[number].timeRange.contains(time) else { return nil }
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
  /// The moment of the clip that is shown at a time.
  fileprivate func momentShown(at time: MediaTime) -> MediaTime {
    switch planned.clip.direction {
    case .forward: sourceTime(time)
    // A moment goes up to where it would begin forwards.
    case .backward: max(first, sourceTimeBackwards(time) - MediaTime(value: 1, timescale: 1_000_000_000))
    case .freeze: first
    }
  }

  /// A cue of the clip that is seen at a time, when it is seen.
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

  /// Says what is missing where it would be seen.
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
