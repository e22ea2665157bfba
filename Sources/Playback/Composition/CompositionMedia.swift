import Libav
import Pixels

/// A composition's media as an asset plays it. Safe to use from any thread.
final class CompositionMedia: Sendable {
  let composition: Composition
  let plan: CompositionPlan
  let failures = CompositionFailures()
  let soundFailures = SoundFailures()
  let soundPresence: SoundPresence
  /// The overlay text, and the names of media known to be missing.
  let text: SubtitleTimeline
  /// The parts of transitions in which either side dominates.
  let shares: TransitionShares

  /// The size of a composition that has none.
  private static let defaultSize = PixelSize(width: 1280, height: 720)
  private static let defaultRate = 25.0
  /// The maximum rate of changes over slow clips, in steps per second; a 240 fps clip is not mixed that often.
  private static let maxStepRate = 60.0
  /// The maximum number of clips examined for the composition's format.
  private static let maxAsked = 8

  init(_ composition: Composition) {
    self.composition = composition
    plan = CompositionPlan(composition)
    soundPresence = SoundPresence(composition)
    let overlays = composition.videoComposition.overlays.compactMap { overlay -> SubtitleCue? in
      guard case .text(let lines, let placement) = overlay.content else { return nil }
      var cue = SubtitleCue(timeRange: overlay.timeRange, lines: lines, placement: placement)
      cue.fade = overlay.fade
      return cue
    }
    let shares = TransitionShares(composition.videoComposition.instructions)
    let missing = composition.tracks.enumerated().flatMap { number, track in
      track.segments.compactMap { segment -> SubtitleCue? in
        guard case .missing(let name, let reason) = segment.content else { return nil }
        let range = shares.main(of: segment.timeRange, track: number)
        return range.isEmpty ? nil : .missing(name, reason, range)
      }
    }
    self.shares = shares
    text = SubtitleTimeline(overlays + missing)
  }

  /// The clips examined in turn for the composition's format; the first that can be opened decides.
  var models: [CompositionPlan.Clip] { Array(plan.spans.lazy.compactMap(\.clips.first).prefix(Self.maxAsked)) }

  /// Loads the composition's facts from its first readable clip, and calls back once.
  func loadFacts(_ completion: @escaping @Sendable (AssetFacts) -> Void) { ask(models[...], completion) }

  private func ask(_ clips: ArraySlice<CompositionPlan.Clip>, _ completion: @escaping @Sendable (AssetFacts) -> Void) {
    guard let first = clips.first else { return completion(facts(nil, rate: 0)) }
    first.clip.asset.load(.facts) { [self] result in
      guard let facts = try? result.get(), let track = facts.videoTrack(first.clip.videoTrack) else {
        return ask(clips.dropFirst(), completion)
      }
      let speed = first.speed
      completion(self.facts(track, rate: track.nominalFrameRate * (speed > 0 ? speed : 1)))
    }
  }

  private func facts(_ model: AssetTrack?, rate: Double) -> AssetFacts {
    let video = composition.videoComposition
    var info = StreamInfo(of: .video, index: 0, timeBase: Ratio(1, 1000))
    let pieces = pieceCount
    info.codecName = "composition"
    info.codecDescription = pieces == 1 ? "1 piece" : "\(pieces) pieces"
    info.hasDecoder = true
    info.size = video.renderSize.map(Self.renderable) ?? model?.presentationSize ?? Self.defaultSize
    info.startTime = 0
    if let model {
      (info.pixelFormat, info.colorRange) = (model.pixelFormat, model.colorRange)
      (info.colorSpace, info.colorTransfer, info.colorPrimaries) = (model.colorSpace, model.colorTransfer, model.colorPrimaries)
    }
    info.realFrameRate = Self.ratio(plan.frameDuration.map { 1 / $0.seconds } ?? (rate > 0 ? rate : Self.defaultRate))
    return AssetFacts(
      composition: AssetTrack(info), title: composition.title, duration: plan.duration, chapters: composition.chapters,
      markers: composition.markers, step: Self.step(of: model), isPlayable: model != nil || !isAllMissing)
  }

  /// Returns the nearest size that can be rendered.
  private static func renderable(_ size: PixelSize) -> PixelSize {
    PixelSize(
      width: min(max(1, size.width), FrameGeometry.maxSide), height: min(max(1, size.height), FrameGeometry.maxSide))
  }

  /// Returns the plan, with the step known once the composition is loaded.
  func plan(_ facts: AssetFacts) -> CompositionPlan {
    var plan = plan
    if let step = facts.compositionStep { plan.step = step }
    return plan
  }

  /// The frame rate from which a clip's own frames suffice for a fade.
  private static let minStepRate = 8.0

  /// Returns the frame duration of the first clip at normal speed, clamped to what suits transitions.
  private static func step(of model: AssetTrack?) -> MediaTime {
    guard let rate = model?.nominalFrameRate, rate >= minStepRate else { return CompositionPlan.animationFrame }
    if rate > maxStepRate { return MediaTime(value: 1, timescale: Int32(maxStepRate)) }
    if let exact = model?.frameRate { return MediaTime(ticks: 1, in: exact.inverse) }
    return MediaTime(value: 1, timescale: Int32(rate.rounded()))
  }

  /// True if nothing but placeholders can be shown, as no clip could be opened.
  private var isAllMissing: Bool {
    let hasPieces = composition.tracks.lazy.flatMap(\.segments).contains { $0.content != .empty }
    return (hasPieces || !composition.videoComposition.overlays.isEmpty) && models.count < Self.maxAsked && !hasText
  }

  private var hasText: Bool {
    composition.videoComposition.overlays.contains { if case .text = $0.content { true } else { false } }
  }

  /// The number of pieces shown, including black between them.
  private var pieceCount: Int {
    let ranges = composition.tracks.flatMap(\.segments).filter { $0.content != .empty }.map(\.timeRange)
    var (count, end) = (ranges.count, MediaTime.zero)
    for range in ranges.sorted(by: { $0.start < $1.start }) {
      if range.start > end { count += 1 }
      end = max(end, range.end)
    }
    return composition.duration > end ? count + 1 : count
  }

  /// Returns a frame rate as a fraction: a television rate, or in thousandths.
  private static func ratio(_ rate: Double) -> Ratio {
    let nominal = (rate * 1.001).rounded()
    if nominal <= 240, abs(nominal / 1.001 - rate) < 0.001 { return Ratio(Int32(nominal) * 1000, 1001) }
    return Ratio(Int32(max(1, min(rate, 1e6) * 1000).rounded()), 1000)
  }
}

extension AssetFacts {
  /// Returns the video track at an index among all tracks; the preferred one for nil.
  package func videoTrack(_ number: Int?) -> AssetTrack? {
    guard let number else { return preferredVideoTrack }
    return tracks.first { $0.index == number && $0.mediaType == .video }
  }
}

extension Asset {
  /// The clips of a composition found missing so far, in time order.
  public var missingClips: [MissingClip] { composition?.failures.all ?? [] }

  /// Problems in building a composition, and clips found so far to be missing or shorter than the range used, followed by
  /// those of nested movies. Empty before the asset is loaded. For an image sequence, the numbers missing and damaged so far.
  public var remarks: [String] {
    guard let media = composition else { return input.sequence.map(SequenceRemarks.init)?.all ?? [] }
    let composition = media.composition
    var missing: [String] = []
    for clip in media.failures.all where missing.count < Self.maxRemarks {
      let remark = clip.namedError.sentence
      if missing.last != remark, !missing.contains(remark) { missing.append(remark) }
    }
    let silent = media.soundFailures.remarks.prefix(Self.maxRemarks)
    let own = composition.remarks + missing + silent + composition.unmeasured.lazy.compactMap(\.remark).prefix(Self.maxRemarks)
    return own + composition.movies.flatMap(\.remarks).prefix(Self.maxRemarks)
  }

  /// The maximum number of remarks about missing or short clips; with more, only the first are read.
  private static let maxRemarks = 100

  /// Opens the frames of a video track; blocks until done or interrupted.
  ///
  /// - Parameters:
  ///   - session: ends all reading.
  ///   - threads: additional threads for a decoder.
  ///   - keepsAlpha: true to keep an alpha layer that only some decoders support.
  ///   - features: what decoders report or leave out; measured, quantisers cost less than a hundredth of decoding.
  /// - Throws: `PlaybackError`, or an error of the layer below.
  func openSource(
    of track: AssetTrack, _ facts: AssetFacts, session: InputSession, threads: Int, keepsAlpha: Bool = true,
    features: Decoder.Features = [.quantizers]
  ) throws -> any FrameSource {
    if let composition {
      return CompositionSource(
        composition.plan(facts), index: frameIndex(of: track, facts, mayJump: false), size: track.presentationSize,
        frameRate: track.nominalFrameRate, failures: composition.failures
      ) { clip, openCount in
        // Many clips at the same time keep all processors busy without threads of their own.
        let threads = openCount < OpenClips.maxIdle ? threads : 1
        return try clip.asset.openClip(
          clip.videoTrack, session: session, threads: threads, keepsAlpha: keepsAlpha, features: features)
      }
    }
    let opened = try openInput(session)
    let index = frameIndex(of: track, facts, mayJump: opened.demuxer.mayBeDiscontinuous)
    return try MovieSource(
      opened, session: session, facts: facts, track: track, index: index, threads: threads, keepsAlpha: keepsAlpha,
      features: input.live == nil ? features : features.union(.lowDelay))
  }

  /// Opens the frames of a video track for a composition; blocks until done or interrupted.
  private func openClip(
    _ number: Int?, session: InputSession, threads: Int, keepsAlpha: Bool, features: Decoder.Features
  ) throws -> OpenedClip {
    let facts = try wait(for: .facts)
    guard let track = facts.videoTrack(number) else { throw MovieSource.noVideo(facts) }
    let own = InputSession(input, as: .playback)
    session.add(own)
    let source = try openSource(of: track, facts, session: own, threads: threads, keepsAlpha: keepsAlpha, features: features)
    return OpenedClip(source: source, tolerance: track.stampTolerance, session: own)
  }
}
