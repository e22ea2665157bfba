import CellGraphics
import Pixels
import Playback
import Terminal

/// The pane as a model.
extension Pane {
  /// A snapshot of the pane.
  ///
  /// - Parameters:
  ///   - number: Pane number, from 1.
  ///   - offset: Offset from the first aligned pane.
  ///   - withFigures: Includes statistics, which cost more than everything else.
  func model(number: Int, isFocused: Bool, offset: MediaTime?, facts: Inspection.FactsShown = .none, blitter: Blitter, withFigures: Bool) -> PaneModel {
    let now = player.snapshot
    var model = PaneModel(number: number, clip: .init(title: title, path: spokenPath, media: clip.media))
    model.clip.isAnonymous = clips.list.alias != nil
    (model.clip.place, model.clip.count) = (clips.list.place + 1, clips.list.count)
    model.view.geometry = geometry
    model.view.isFocused = isFocused
    model.view.gravity = view.gravity
    model.view.magnification = magnificationLabel
    (model.view.scope, model.view.look) = (view.scope?.rect, view.look.words)
    // Sizes and quantizers would tell the clips of a blind test apart.
    let facts = clips.list.alias == nil ? facts : .none
    if facts != .none { model.inspected.facts = player.displayedFrameFacts?.words ?? "no facts" }
    if facts == .strip, let width = geometry?.body.width {
      model.inspected.packets = PacketStrip(
        player.packetFacts(around: now.displayedTiming?.pts ?? now.currentTime, limit: width), number: now.displayedTiming?.number)
    }
    if let comparison = view.comparison {
      model.comparison = .init(heading: comparison.heading(self), words: comparison.words(for: self), sides: sides(comparison))
    }
    model.view.thumbnails = thumbnailRect(blitter: blitter)
    model.playback.state = state(now)
    model.playback.rate = now.rate
    model.playback.defaultRate = now.defaultRate
    (model.playback.repetition, model.playback.maxRounds) = (clips.list.repetition, clips.list.maxRounds)
    model.playback.loop = story != nil ? .off : now.loopRange.map { .on($0) } ?? (session.loopStart == nil ? .off : .begun)
    (model.playback.inPoint, model.playback.outPoint) = (session.marks.start, session.marks.end)
    model.playback.offset = offset
    model.playback.droppedPerSecond = drops.perSecond
    model.playback.liveDelay = player.currentItem?.liveEdge.map { $0 - now.currentTime }
    model.playback.behind = now.lateness.seconds
    model.time = clip.time
    model.clip.length = clip.length(found: now.duration)
    model.clip.frameCount = approximateFrameCount(in: model.clip.length)
    model.frame = frameModel(now, detail: frameBlitter(blitter).blockHeight / blitter.blockHeight)
    model.meter = .init(overview: session.overview, loudness: display.frame?.loudness)
    model.cachedRanges = clip.cachedRanges
    model.loading = player.currentItem?.loading
    model.subtitles = subtitles.blocks
    model.notice = notice
    model.clip.part = clips.list.alias == nil ? story?.part : nil
    model.story = story?.model(isFocused: isFocused)
    model.clip.earlyEnd = clip.earlyEnd
    model.figures = withFigures ? figures(now) : nil
    return model
  }

  /// True if data of the clip have yet to arrive.
  var isLoading: Bool { error == nil && player.currentItem?.isLoading == true }

  /// The labels of the sides of a frame that shows two clips in different places.
  private func sides(_ comparison: Comparison) -> PaneModel.Comparison.Sides? {
    let (a, b) = comparison.titles(of: self)
    switch comparison.settings.mode {
    case .wipe: return .init(leading: a, trailing: b, areBeside: comparison.settings.axis == .columns)
    case .butterfly: return .init(leading: a, trailing: b, areBeside: true)
    case .difference, .errors, .flicker, .mix, .checkerboard: return nil
    }
  }

  private func state(_ now: PlayerSnapshot) -> PaneModel.State {
    // The title names the clip.
    if error != nil, clips.list.alias != nil { return .failed("cannot be played") }
    if let error { return .failed(error.line == nil && error.file == nil ? error.message : error.message(naming: clips.list.clip.fileName)) }
    switch now.status {
    case .playing: return now.rate < 0 ? .reversing : .playing
    case .waiting(.buffering) where player.currentItem?.isLive == true && player.currentItem?.isPlaybackBufferEmpty == false:
      // At the edge, each frame may come a little late.
      return .playing
    case .waiting(let reason): return .waiting(reason)
    case .paused: return clip.hasEnded ? .ended : .paused
    }
  }

  /// - Parameter detail: Pixels of a frame's box for each of the screen's, along a side.
  private func frameModel(_ now: PlayerSnapshot, detail: Int) -> PaneModel.Frame? {
    // A viewer who sees a position expects keys to work.
    guard clip.isOpen, let frame = display.frame, let known = now.displayedTiming, let timing = shownTiming(known) else { return nil }
    let (seen, box) = (frame.rect, frame.request.box)
    let sent = PixelSize(width: min(seen.width, box.width), height: min(seen.height, box.height))
    return PaneModel.Frame(
      timing: timing, isApproximate: frame.isApproximate, isWhole: display.delivery == .whole,
      shownSize: PixelSize(width: sent.width / detail, height: sent.height / detail), sentSize: view.cellPixels.map { _ in sent })
  }

  private func figures(_ now: PlayerSnapshot) -> PaneFigures {
    // A list's clips and a clip's tracks are items of their own.
    let statistics = player.totalStatistics
    var figures = PaneFigures()
    figures.decoded = statistics.decoded
    figures.shown = statistics.shown
    figures.dropped = statistics.dropped
    figures.played = statistics.playedNanoseconds
    figures.lateness = .init(statistics.lateness)
    figures.seeks = .init(statistics.seeks)
    figures.cacheBytes = now.cacheByteCount
    figures.cacheBudget = now.cacheBudget
    figures.story = story?.player.trace
    figures.facts = player.displayedFrameFacts?.words
    figures.droppedPairs = view.comparison?.output.droppedPairs
    figures.sound = soundFigures
    figures.index = player.currentItem?.isSegmented == true ? nil : player.frameIndex.map { index in
      guard index.hasEnded else { return .underway(index.progress) }
      return index.timeline.map { .complete(frames: $0.frameCount) } ?? .missing
    }
    return figures
  }
}

extension MediaModel {
  private init(_ facts: AssetFacts, _ track: AssetTrack, path: String) {
    container = facts.containerName(path: path)
    bitRate = facts.bitRate
    chapters = facts.chapters.map(\.timeRange.start).filter { $0 > .zero }
    markers = facts.markers.map(\.timeRange.start)
    codec = track.codecDescription
  }

  init(_ facts: AssetFacts, video track: AssetTrack, path: String) {
    self.init(facts, track, path: path)
    codedSize = track.codedSize
    presentationSize = track.presentationSize
    frameRate = track.nominalFrameRate
    pixelFormat = track.pixelFormat
    color = track.colorWords
  }

  init(_ facts: AssetFacts, sound track: AssetTrack, path: String) {
    self.init(facts, track, path: path)
    isSoundOnly = true
    sampleRate = track.sampleRate
    channelCount = track.channelCount
  }
}

extension PaneFigures.Durations {
  init(_ histogram: DurationHistogram) {
    self.init(
      count: histogram.count, median: histogram.percentile(0.5), percentile95: histogram.percentile(0.95),
      maximum: histogram.maximum)
  }
}

extension AssetFacts {
  /// One name of the container, from the several that libav gives to formats it cannot tell apart: the file extension, if
  /// listed.
  fileprivate func containerName(path: String) -> String {
    let names = format.split(separator: ",")
    let ending = path.split(separator: ".").last?.lowercased()
    return (names.first { $0 == ending ?? "" } ?? names.first).map(String.init) ?? format
  }
}

extension AssetTrack {
  fileprivate var colorWords: String {
    let words = Self.colorWords(matrix: colorSpace, transfer: colorTransfer, primaries: colorPrimaries, range: colorRange)
    return words ?? "no colour tags"
  }

  /// Matrix, range, transfer and primaries in libav's names, as far as they are specified; nil if none is.
  static func colorWords(matrix: String, transfer: String, primaries: String, range: String) -> String? {
    func isKnown(_ name: String) -> Bool { !["", "unknown", "reserved"].contains(name) }
    let range = isKnown(range) ? ["\(range) range"] : []
    let names = [matrix, transfer, primaries]
    let known = zip(["matrix", "transfer", "primaries"], names).filter { isKnown($1) }
    // Usually all three follow one standard.
    let standard = known.count == 3 && Set(names).count == 1 ? [names[0]] : known.map { "\($0) \($1)" }
    let parts = standard + range
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}
