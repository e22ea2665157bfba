import Libav
import Pixels

/// The frames of a video track of a local file: a demuxer, a decoder and a scaler.
///
/// The clip's packets are indexed during playback. From then on, seeks start at verified random access points, and the
/// times and numbers of frames come from the index instead of the decoder's guesses.
final class MovieSource: FrameSource {
  let info: SourceInfo
  private let track: AssetTrack
  private let startTime: MediaTime
  private let reader: StreamReader
  private let renderer: FrameRenderer
  let index: FrameIndex?
  /// The version of the index adopted last.
  private var adopted = 0
  private var proof = RandomAccessProof()
  /// The group of the latest frame, if its random access point is only flagged.
  private var group: RandomAccessProof.Group?
  private var timeline: PacketTimeline?
  /// True if frames may differ from those of an index, whose decode adds film grain.
  private let omitsFilmGrain: Bool
  private var verifier = RunVerifier()
  /// True if the run started at a random access point, rather than continuing a retained one.
  private var hasJustBegun = false
  /// The display index of the run's latest frame, −1 before there is one, and how often it went back.
  private var lastDisplayIndex = -1
  private var stepsBack = 0
  private var clock: TimestampRepair
  /// The frame to decode into next; nil once it has been given away.
  private var shell: DecodedFrame?

  /// Opens the decoder.
  ///
  /// - Parameters:
  ///   - index: of the track's frames; not used if the file can be read only once.
  ///   - session: the session that opened the input.
  /// - Throws: `PlaybackError` if there is nothing to play, or an error of the layer below.
  init(
    _ opened: OpenedInput, session: InputSession, facts: AssetFacts, track: AssetTrack, index: FrameIndex?, threads: Int,
    keepsAlpha: Bool = true, features: Decoder.Features = [.quantizers]
  ) throws {
    guard track.isDecodable else { throw DecoderError.unknownCodec(name: track.codec) }
    self.track = track
    startTime = facts.startTime
    let demuxer = opened.demuxer
    // If the file has been replaced meanwhile, its known properties would be misleading.
    let stream = demuxer.streams.first { $0.index == track.index }
    guard stream?.codecName == track.codec, stream?.timeBase == track.timeBase else { throw DecoderError.noStream }
    omitsFilmGrain = features.contains(.omitsFilmGrain)
    reader = try StreamReader(
      opened, session: session, stream: track.index, threads: threads, keepsAlpha: keepsAlpha, features: features)
    renderer = FrameRenderer(track)
    clock = TimestampRepair(of: track, start: facts.startTime, mayJump: demuxer.mayBeDiscontinuous)
    // A source that can be read only once, such as a pipe, can be neither indexed nor rewound.
    self.index = opened.canReopen && opened.canSeek ? index : nil
    var info = SourceInfo(
      presentationSize: track.presentationSize,
      duration: facts.length(of: track) ?? facts.duration, nominalFrameRate: track.nominalFrameRate,
      codec: track.codec, durationIsEstimate: demuxer.durationIsGuess, canSeek: self.index != nil,
      canSkipNonReference: reader.canSkipNonReference)
    info.startPosition = facts.startPosition
    self.info = info
  }

  /// Returns the error for a clip without a video track.
  static func noVideo(_ facts: AssetFacts) -> PlaybackError {
    let sound = facts.tracks.filter { $0.mediaType == .audio }
    guard let first = sound.first else { return PlaybackError(.noVideo, "has no video track") }
    let more = sound.count > 1 ? " and \(sound.count - 1) more" : ""
    return PlaybackError(.noVideo, "has no video, only sound (\(first.codec)\(more))")
  }

  // MARK: - Seeking

  func seek(to time: MediaTime, options: SeekOptions) throws -> SeekLanding {
    adoptIndex()
    forgetRun()
    clock.didSeek()
    let ticks = clock.ticks(forItemTime: time)
    if let timeline, let index = reader.index, timeline.isComplete(before: ticks) {
      let target = Int(timeline.ordinals[timeline.displayIndex(at: ticks)])
      verifier.seek(to: target)
      let mustBeCertain = options.contains(.mustBeCertain)
      let start = mustBeCertain ? index.randomAccessPoint(for: target) : start(for: target, index)
      if !options.contains(.withFreshDecoder),
        try reader.resume(to: target, ratherThanFrom: start, mustBeCertain: mustBeCertain) {
        return SeekLanding(lacksFrames: reader.lacksFrames)
      }
      if try begin(at: start, timeline) { return SeekLanding() }
    }
    try reader.begin(near: ticks)
    return SeekLanding()
  }

  private func begin(at start: Int, _ timeline: PacketTimeline) throws -> Bool {
    lastDisplayIndex = -1
    hasJustBegun = true
    if start > 0 || !verifier.rewindIsUnreliable, try reader.begin(at: start) { return true }
    // Exact, however far away it is: there is no other way.
    return timeline.isDecoded ? try reader.beginReopened() : false
  }

  func retainDecoders(within bytes: Int) -> Int {
    reader.retainDecoders(within: bytes)
    return reader.retainedBytes
  }

  /// The maximum number of frames to decode for certainty: a few seconds' work.
  private static let maxForCertainty = 900

  /// Returns where to start for a packet's frame: at a verified random access point, unless that is too far away.
  private func start(for target: Int, _ index: PacketIndex) -> Int {
    let verified = index.randomAccessPoint(for: target)
    // No other start gives correct frames.
    if index.parameterSets.isIncomplete { return verified }
    let early = index.pointBeforeNearest(for: target)
    return target - verified > Self.maxForCertainty && early > verified ? early : verified
  }

  func rewind() throws {
    adoptIndex()
    if try !verifier.rewindIsUnreliable || !reader.beginReopened() { try reader.rewind() }
    forgetRun()
    clock.didRewind()
  }

  /// Adopts the index's content: only at a seek, so that times never change within a run.
  private func adoptIndex() {
    guard let content = index?.content(newerThan: &adopted) else { return }
    reader.index = content.packets
    group = nil
    timeline = content.timeline?.packets
  }

  private func forgetRun() {
    lastDisplayIndex = -1
    hasJustBegun = false
    verifier.seek(to: nil)
  }

  // MARK: - Decoding

  func decodeNext(discard: DiscardLevel) throws -> DecodeStep {
    let level: Decoder.Discard =
      switch discard {
      case .nothing: .nothing
      case .nonReference: .nonReference
      case .nonKey: .nonKey
      }
    if discard != .nothing { clock.stopCounting() }
    let frame = try shell ?? DecodedFrame()
    shell = frame
    switch try reader.step(into: frame, discard: level) {
    case .progress: return .progress
    case .endOfStream:
      return try !reader.lacksFrames && restart(after: .missing) ? .progress : .endOfStream(isCutOff: reader.isCutOff)
    case .frame(let ordinal):
      let timing = timing(of: frame, ordinal)
      if !timing.isCertain, try restart(after: .wrong) { return .progress }
      verifier.didPass(ordinal)
      if discard == .nothing, let ordinal, timeline?.isDecoded != true { compare(frame, ordinal, timing) }
      shell = nil
      return .frame(MovieFrame(frame, timing, renderer))
    }
  }

  /// Uses the frame to prove or refute a random access point that is only flagged.
  private func compare(_ frame: DecodedFrame, _ ordinal: Int, _ timing: FrameTiming) {
    guard let index = reader.index, index.isComplete else { return }
    let isSame = group.map { ($0.start..<$0.end).contains(ordinal) } ?? false
    if !isSame { group = index.group(of: ordinal) }
    guard let group, group.ordinals.contains(ordinal), !proof.refuted.contains(group.start) else { return }
    let isProven: Bool
    if timing.isCertain {
      isProven = proof.note(ordinal, frame.quickHash(), of: group)
    } else if reader.start == group.start {
      isProven = proof.note(trial: ordinal, frame.quickHash(), of: group)
    } else {
      return
    }
    if isProven { self.index?.verify(randomAccessPoint: group.start) }
  }

  private func timing(of frame: DecodedFrame, _ ordinal: Int?) -> FrameTiming {
    let number = ordinal.flatMap { timeline?.displayIndex(ofOrdinal: $0) }
    if let number { noteOrder(number) }
    var timing = place(of: frame, number)
    timing.isCertain = isCertain(frame, number, timing)
    if let number { lastDisplayIndex = number }
    return timing
  }

  private func isCertain(_ frame: DecodedFrame, _ number: Int?, _ timing: FrameTiming) -> Bool {
    guard let timeline, timeline.isDecoded, let number else { return reader.isCertain(pts: timing.originalPTS) }
    // One of two fields may be missing.
    return reader.lacksFrames || (isExpected(number, timeline) && (omitsFilmGrain || timeline.matches(frame, at: number)))
  }

  /// Returns true if the run would now reach this frame if it had started in the right place.
  private func isExpected(_ displayIndex: Int, _ timeline: PacketTimeline) -> Bool {
    if lastDisplayIndex >= 0 { return displayIndex == lastDisplayIndex + 1 }
    guard hasJustBegun, let first = reader.start.flatMap({ timeline.displayIndex(ofOrdinal: $0) }) else { return true }
    return displayIndex <= first
  }

  /// Starts elsewhere if the run differs from a decode from the beginning, unless the target has come. Returns true if it
  /// did.
  private func restart(after finding: RunVerifier.Finding) throws -> Bool {
    guard let timeline, timeline.isDecoded, let packets = reader.index else { return false }
    switch verifier.evaluate(finding, start: reader.start, in: packets) {
    case .ok: return false
    case .reopen: return try begin(at: 0, timeline)
    case .restart(let start, let refuted):
      if let refuted {
        index?.refute(randomAccessPoint: refuted)
        adoptIndex()
      }
      return try begin(at: start, self.timeline ?? timeline)
    }
  }

  private func place(of frame: DecodedFrame, _ number: Int?) -> FrameTiming {
    let guess = clock.takeTiming(ticks: frame.bestEffortTimestamp, duration: frame.duration)
    guard let timeline, let number else { return guess }
    let ticks = timeline.ticks(at: number)
    let end = number + 1 < timeline.count ? timeline.ticks(at: number + 1) : timeline.end
    let endIsExact = end.map(timeline.isComplete(before:)) ?? false
    return FrameTiming(
      pts: MediaTime(ticks: ticks, in: track.timeBase) - startTime,
      duration: end.map { MediaTime(ticks: $0 &- ticks, in: track.timeBase) } ?? guess.duration,
      originalPTS: timeline.stamp(at: number), timeBase: track.timeBase, number: number,
      numberIsExact: timeline.isCountable && timeline.isComplete(before: ticks), endIsExact: endIsExact)
  }

  /// The maximum number of frames after their time that pass as a temporary decoder fault.
  private static let maxStepsBack = 2

  /// Refutes the timeline if frames come in another order than their timestamps.
  private func noteOrder(_ displayIndex: Int) {
    guard timeline?.isDecoded == false else { return }
    if displayIndex < lastDisplayIndex { stepsBack += 1 }
    guard stepsBack > Self.maxStepsBack else { return }
    timeline = nil
    index?.markOrderUnreliable()
  }
}
