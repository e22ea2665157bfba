/// The pictures that are given out, and when.
extension PlayerCore {
  /// Bytes of pictures that wait.
  var queuedBytes: Int { queue.reduce(0) { $0 + $1.picture.image.byteCount } }

  /// Stretches of media time whose pictures are in memory.
  var loadedRanges: [TimeRange] {
    guard let waiting = loadedRange else { return cache.ranges }
    var result = cache.ranges.filter { $0.end < waiting.start || $0.start > waiting.end }
    let touching = cache.ranges.filter { $0.end >= waiting.start && $0.start <= waiting.end }
    result.append(touching.reduce(waiting) { $0.union($1) })
    return result.sorted { $0.start < $1.start }
  }

  /// Media time from the displayed picture to the end of the last one that waits.
  private var loadedRange: TimeRange? {
    let mine = queue.filter { $0.iteration == iteration }
    guard let first = displayed ?? mine.first?.picture else { return nil }
    let last = mine.last?.picture ?? first
    guard last.timing.end > first.timing.pts else { return nil }
    return TimeRange(start: first.timing.pts, end: last.timing.end)
  }

  /// Takes the newest picture that is due, if it was not taken before, and when it was due.
  mutating func takePicture(at host: HostTime) -> (RenderedFrame, due: HostTime)? {
    advance(to: host)
    if isUntimed { return takeUntimed(at: host) }
    startFilling(at: host)
    let media = timebase.media(at: host)
    if let preview {
      self.preview = nil
      isPreviewing = true
      return (numbered(preview), host)
    }
    var due = rate < 0 ? showEarlier(at: host) : nil
    // What waits while a seek is under way belongs to the place that is being left.
    while rate >= 0, !seek.isUnderWay, let first = queue.first {
      if first.iteration < iteration {
        queue.removeFirst()
        // What lies behind a loop's end was never due.
        if !isPastRange(first.picture.timing) { statistics.skipped += 1 }
        continue
      }
      guard first.iteration == iteration, first.picture.timing.ptsNanoseconds <= media else { break }
      if displayedIsNew && timebase.isRunning { statistics.skipped += 1 }
      queue.removeFirst()
      rememberDisplayed()
      displayed = first.picture
      displayedSuccessor = first.successor
      displayedIsNew = true
      cache.moveCenter(to: first.picture.timing.pts)
      // After a jump into the middle of a picture it is due then, not when it would have begun.
      due = timebase.host(for: first.picture.timing.ptsNanoseconds).map { max($0, timebase.anchorHost) }
      effects.append(.feed)
    }
    guard displayedIsNew, let displayed else { return nil }
    displayedIsNew = false
    isPreviewing = false
    return (numbered(displayed), due ?? host)
  }

  /// With its exact number and end where the index knows them by now.
  private func numbered(_ picture: RenderedFrame) -> RenderedFrame {
    guard let map else { return picture }
    var picture = picture
    picture.timing = map.numbered(picture.timing)
    return picture
  }

  /// Learns where the pictures are.
  mutating func setMap(_ map: PresentationTimeline?, hasEnded: Bool) {
    self.map = map
    if let map, let timing = displayed?.timing { displayed?.timing = map.numbered(timing) }
    guard hasEnded else { return }
    if let map, map.origin == .decode { setDecodedTimes(map) }
    log.event(.framesIndexed)
    effects += [.observe, .display]
  }

  /// Times that were guesses until now are known.
  private mutating func setDecodedTimes(_ map: PresentationTimeline) {
    if let end = map.duration?.nanoseconds, knownEnd == nil, map.isCutOff || isEarly(end) {
      // What the file announces stays its length until playing has come to where the data ends.
      noteEarlyEnd(end)
    } else if let end = map.duration?.nanoseconds, end != knownEnd {
      knownEnd = end
      endIsGuess = false
      log.event(.durationChanged(MediaTime(nanoseconds: end)))
    }
    cache.removeAll()
    noteHeld()
    if displayed?.timing.numberIsExact == false, !timebase.isRunning { feed.needsRefresh = true }
    effects.append(.feed)
  }

  /// The pictures' places turn out to be unknown, until the clip has been decoded.
  mutating func loseOrder() {
    guard map?.origin == .packets else { return }
    setMap(nil, hasEnded: true)
    effects.append(.index)
  }

  private mutating func takeUntimed(at host: HostTime) -> (RenderedFrame, due: HostTime)? {
    guard rate != 0 || displayed == nil || displayedIsNew else { return nil }
    if !displayedIsNew, let first = queue.popFirst() {
      displayed = first.picture
      displayedIsNew = true
      log.played(to: first.picture.timing.ptsNanoseconds)
      effects += [.feed, .observe]
    }
    if queue.isEmpty, feed.phase == .atEnd, rate != 0, !displayedIsNew { endUntimed() }
    guard displayedIsNew, let displayed else { return nil }
    displayedIsNew = false
    return (displayed, host)
  }

  /// The end event of the untimed mode, where no clock passes it.
  private mutating func endUntimed() {
    log.event(.playedToEnd)
    rate = 0
    log.event(.rateChanged(0))
    noteStatus()
    effects += [.observe, .display]
  }

  /// When the next picture that waits is due; nil when none is or the clock stands.
  func nextPictureHost(after host: HostTime) -> HostTime? {
    let next = nextDueHost(after: host)
    guard let fill = fillHost else { return next }
    return min(fill, next ?? fill)
  }

  private func nextDueHost(after host: HostTime) -> HostTime? {
    if displayedIsNew || preview != nil { return host }
    if seek.isUnderWay { return nil }
    if isUntimed { return rate != 0 && (!queue.isEmpty || feed.phase == .atEnd) ? host : nil }
    if rate < 0 {
      // At the very first picture only the end of the way is left.
      guard let displayed, !isFirst(displayed) else { return timebase.host(for: playStart) }
      return timebase.host(for: max(playStart, displayed.timing.ptsNanoseconds - 1))
    }
    guard timebase.isRunning else {
      let media = timebase.anchorMedia
      guard let first = queue.first, first.iteration == iteration else { return nil }
      return first.picture.timing.ptsNanoseconds <= media ? host : nil
    }
    for queued in queue where queued.iteration == iteration {
      return timebase.host(for: queued.picture.timing.ptsNanoseconds)
    }
    return playEnd.flatMap { timebase.host(for: $0) }
  }
}
