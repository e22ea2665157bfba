/// The sound of a composition: which clips are heard when, in samples.
struct SoundPlan: Sendable {
  /// A range of a clip that is heard.
  struct Piece: Sendable {
    let asset: Asset
    /// The samples of the composition.
    fileprivate(set) var samples: Range<Int64>
    let motion: Motion
    let gain: SoundGain
    /// True if nothing of the clip is seen.
    let isSoundOnly: Bool
    /// On the clip's timeline, and on the composition's.
    fileprivate var source: TimeRange
    fileprivate var target: TimeRange

    /// The index among the clip's own samples of a sample of the composition.
    func sourceIndex(of sample: Int64) -> Int64 {
      switch motion {
      case .plays(let offset): sample + offset
      case .stretched(let start, let speed): start + Int64((Double(sample - samples.lowerBound) * speed).rounded())
      }
    }

    /// Returns true if a piece goes on exactly where this one ends.
    func leads(to next: Piece) -> Bool {
      guard case .plays(let offset) = motion, case .plays(let other) = next.motion else { return false }
      return asset === next.asset && offset == other && samples.upperBound == next.samples.lowerBound
    }
  }

  enum Motion: Sendable {
    /// At its own speed; the number is added to an index of the composition's samples.
    case plays(offset: Int64)
    /// The pitch is kept. The start is the index of the first of the clip's samples.
    case stretched(start: Int64, speed: Double)
  }

  /// In the order of their starts.
  private(set) var pieces: [Piece] = []
  let form: SoundForm
  /// The number of samples.
  let end: Int64

  init(_ composition: Composition, form: SoundForm) {
    self.form = form
    end = max(0, form.index(of: composition.duration))
    let (mix, video) = (composition.audioMix, composition.videoComposition)
    let instructions = video.instructions.filter { $0.from != $0.to }.sorted { $0.timeRange.start < $1.timeRange.start }
    for (number, track) in composition.tracks.enumerated() {
      var gain = SoundGain(mix.volumes[number] ?? AudioVolume(), rate: form.rate)
      for item in instructions where item.from == number || item.to == number {
        if item.from == number { gain.fade(in: item.timeRange, rises: false, mix.crossfade) }
        if item.to == number { gain.fade(in: item.timeRange, rises: true, mix.crossfade) }
      }
      add(track, gain, isSoundOnly: false)
    }
    for (number, track) in composition.audioTracks.enumerated() {
      add(track, SoundGain(mix.audioTrackVolumes[number] ?? AudioVolume(), rate: form.rate), isSoundOnly: true)
    }
    for overlay in video.overlays {
      guard case .clip(let clip) = overlay.content else { continue }
      var gain = SoundGain(overlay.volume, rate: form.rate)
      let range = overlay.timeRange
      let fades = [
        (range: TimeRange(start: range.start, duration: overlay.fadeIn), rises: true),
        (range: TimeRange(start: range.end - overlay.fadeOut, duration: overlay.fadeOut), rises: false),
      ]
      for fade in fades.sorted(by: { $0.range.start < $1.range.start }) { gain.fade(in: fade.range, rises: fade.rises, mix.crossfade) }
      add(clip, range, gain, isSoundOnly: false)
    }
    pieces.sort { $0.samples.lowerBound < $1.samples.lowerBound }
  }

  private mutating func add(_ track: CompositionTrack, _ gain: SoundGain, isSoundOnly: Bool) {
    var isAfterClip = false
    for segment in track.segments {
      guard case .clip(let clip) = segment.content else {
        isAfterClip = false
        continue
      }
      isAfterClip = add(clip, segment.timeRange, gain, isSoundOnly: isSoundOnly, mayContinue: isAfterClip)
    }
  }

  /// Returns true if something was added.
  @discardableResult private mutating func add(
    _ clip: CompositionClip, _ target: TimeRange, _ gain: SoundGain, isSoundOnly: Bool, mayContinue: Bool = false
  ) -> Bool {
    let source = clip.timeRange
    guard clip.direction == .forward, target.start.isNumeric, target.duration > .zero, source.duration > .zero else { return false }
    let samples = form.index(of: target.start).clamped(to: 0, end)..<form.index(of: target.end).clamped(to: 0, end)
    if mayContinue, let last = pieces.last, last.asset === clip.asset, last.source.end == source.start,
      last.target.end == target.start,
      last.target.duration.scaled(by: source.duration, over: target.duration) == last.source.duration {
      pieces[pieces.count - 1].samples = last.samples.lowerBound..<max(last.samples.lowerBound, samples.upperBound)
      pieces[pieces.count - 1].source = TimeRange(start: last.source.start, end: source.end)
      pieces[pieces.count - 1].target = TimeRange(start: last.target.start, end: target.end)
      return true
    }
    let motion: Motion
    if source.duration == target.duration {
      motion = .plays(offset: form.index(of: source.start - target.start))
    } else {
      let speed = source.duration.seconds / target.duration.seconds
      guard TimeStretcher.speeds.contains(speed) else { return false }
      motion = .stretched(start: form.index(of: source.start), speed: speed)
    }
    guard !samples.isEmpty else { return false }
    pieces.append(
      Piece(
        asset: clip.asset, samples: samples, motion: motion, gain: gain, isSoundOnly: isSoundOnly, source: source, target: target))
    return true
  }

  /// Removes the pieces of which nothing is heard, whatever their clips are.
  func audible() -> SoundPlan {
    var plan = self
    plan.pieces.removeAll { $0.gain.isSilent(in: $0.samples) }
    return plan
  }
}

extension SoundForm {
  /// Returns the index of the sample at a time; times out of reach count as the limit.
  func index(of time: MediaTime) -> Int64 {
    let limit: Int64 = 1 << 50
    guard let index = time.ticks(timeBaseNumerator: 1, timeBaseDenominator: Int32(clamping: rate)) else {
      return time < .zero ? -limit : limit
    }
    return index.clamped(to: -limit, limit)
  }
}

extension Int64 {
  fileprivate func clamped(to first: Int64, _ last: Int64) -> Int64 { Swift.min(Swift.max(self, first), last) }
}
