import Libav
import Pixels

/// The pictures of one video track of a local file: demuxer, decoder and scaler in a row.
///
/// While the clip plays its packets are indexed; from then on seeks begin at start points that are known to be
/// right, and times and numbers of pictures come from the index instead of from what the decoder guesses.
final class MovieSource: FrameSource {
  let info: SourceInfo
  private let track: AssetTrack
  private let startTime: MediaTime
  private let reader: StreamReader
  private let scaler = Scaler()
  let frameIndex: FrameIndex?
  /// Which state of the index was taken over last.
  private var adopted = 0
  private var proof = StartProof()
  /// The group of the latest picture that belongs to a start point that is only claimed.
  private var group: StartProof.Group?
  private var timeline: DisplayTimeline?
  /// Whether winding the file back was found not to give what it gave when it was just opened.
  private var mustBeginAfresh = false
  /// The packet of the picture that is sought, until it has come.
  private var wanted: Int?
  /// Start points that did not lead to it; after so many, decoding begins with the first packet.
  private var refusals = 0
  private static let mostRefusals = 5
  /// Whether the run began at a start point, rather than going on where another was left.
  private var hasJustBegun = false
  /// Of the latest picture of the run, −1 before there is one, and how often it went back.
  private var lastRank = -1
  private var ranksBack = 0
  private var clock: TimestampRepair
  /// `frames[latestSlot]` is the latest picture, the other one the picture before.
  private let frames: [DecodedFrame]
  private var timings: [FrameTiming?] = [nil, nil]
  private var latestSlot = 0

  /// Opens the decoder.
  ///
  /// - Parameters:
  ///   - index: of the track's pictures; not used where the file can be read once only.
  ///   - reopen: opens the file once more.
  /// - Throws: `PlaybackError` when there is nothing to play, or an error of the layer below.
  init(
    demuxer: Demuxer, facts: AssetFacts, index: FrameIndex?, threads: Int, reopen: @escaping () throws -> Demuxer
  ) throws {
    guard let track = facts.preferredVideoTrack else { throw Self.noVideo(facts) }
    guard track.isDecodable else { throw DecoderError.unknownCodec(name: track.codec) }
    self.track = track
    startTime = facts.startTime
    // What can be read once only, such as a pipe, can be neither indexed nor wound back.
    let canBeReadAgain = demuxer.isSeekable
    reader = try StreamReader(
      demuxer: demuxer, stream: track.index, threads: threads, keepsAlpha: true,
      reopen: canBeReadAgain ? reopen : nil)
    frames = [try DecodedFrame(), try DecodedFrame()]
    clock = TimestampRepair(of: track, start: facts.startTime, mayJump: demuxer.mayBeDiscontinuous)
    frameIndex = canBeReadAgain ? index : nil
    info = SourceInfo(
      presentationSize: track.presentationSize,
      duration: Self.duration(of: track, facts), nominalFrameRate: track.nominalFrameRate,
      codec: track.codec, durationIsEstimate: demuxer.durationIsGuess)
  }

  /// The video's own length where the file tells it: other tracks may last longer.
  private static func duration(of track: AssetTrack, _ facts: AssetFacts) -> MediaTime {
    guard track.duration.isNumeric, facts.duration.isNumeric else {
      return track.duration.isNumeric ? track.duration : facts.duration
    }
    return min(track.duration, facts.duration)
  }

  /// Why a clip without a video track cannot be shown.
  static func noVideo(_ facts: AssetFacts) -> PlaybackError {
    let sound = facts.tracks.filter { $0.mediaType == .audio }
    guard let first = sound.first else { return PlaybackError(.noVideo, "has no video track") }
    let more = sound.count > 1 ? " and \(sound.count - 1) more" : ""
    return PlaybackError(.noVideo, "has no video, only sound (\(first.codec)\(more))")
  }

  // MARK: - Seeking

  func seek(to time: MediaTime, options: SeekOptions) throws -> SeekLanding {
    adoptIndex()
    forgetFrames()
    clock.didSeek()
    let ticks = clock.ticks(forItemTime: time)
    if let timeline, let index = reader.index, index.isComplete || ticks < index.entries.last?.dts ?? .min {
      let wanted = Int(timeline.order[timeline.rank(at: ticks)])
      self.wanted = wanted
      let mustBeCertain = options.contains(.mustBeCertain)
      let start = mustBeCertain ? index.startPoint(for: wanted) : start(for: wanted, index)
      if !options.contains(.mustBeginAnew),
        try reader.goOn(to: wanted, ratherThanFrom: start, mustBeCertain: mustBeCertain) {
        return SeekLanding(lacksPictures: reader.lacksPictures)
      }
      if try begin(at: start, timeline) { return SeekLanding() }
    }
    try reader.begin(near: ticks)
    return SeekLanding()
  }

  private func begin(at start: Int, _ timeline: DisplayTimeline) throws -> Bool {
    lastRank = -1
    hasJustBegun = true
    if start > 0 || !mustBeginAfresh, try reader.begin(at: start) { return true }
    // Exact, however far away it is: nothing else leads there.
    return timeline.isDecoded ? try reader.beginAfresh() : false
  }

  func keepWaiting(within bytes: Int) -> Int {
    reader.keepWaiting(within: bytes)
    return reader.waitingBytes
  }

  /// Pictures to be decoded on the way at the most for being certain: a few seconds' work.
  private static let mostForCertainty = 900

  /// Where to begin for a packet's picture: at a trusted start point, unless that is too far away.
  private func start(for wanted: Int, _ index: PacketIndex) -> Int {
    let trusted = index.startPoint(for: wanted)
    // No other start gives anything right.
    if index.headers.isIncomplete { return trusted }
    let early = index.earlyStart(for: wanted)
    return wanted - trusted > Self.mostForCertainty && early > trusted ? early : trusted
  }

  func rewind() throws {
    adoptIndex()
    if try !mustBeginAfresh || !reader.beginAfresh() { try reader.rewind() }
    forgetFrames()
    clock.didRewind()
  }

  /// Takes over what the index knows: at a seek, so that times never change within a run.
  private func adoptIndex() {
    guard let content = frameIndex?.content(newerThan: &adopted) else { return }
    reader.index = content.packets
    group = nil
    timeline = content.timeline
  }

  private func forgetFrames() {
    timings = [nil, nil]
    lastRank = -1
    hasJustBegun = false
    wanted = nil
    refusals = 0
    for frame in frames { frame.clear() }
  }

  // MARK: - Decoding

  func decodeNext(discard: DiscardLevel) throws -> DecodeStep {
    let level: Decoder.Discard =
      switch discard {
      case .nothing: .nothing
      case .nonReference: .nonReference
      case .nonKey: .nonKey
      }
    if discard != .nothing { clock.leavesOut() }
    // The older of the two pictures makes room.
    switch try reader.step(into: frames[1 - latestSlot], discard: level) {
    case .progress: return .progress
    case .endOfStream: return try !reader.lacksPictures && beginEarlier() ? .progress : .endOfStream
    case .frame(let ordinal):
      latestSlot = 1 - latestSlot
      let timing = timing(of: frames[latestSlot], ordinal)
      timings[latestSlot] = timing
      if !timing.isCertain, try beginEarlier() { return .progress }
      if ordinal == wanted { wanted = nil }
      if discard == .nothing, let ordinal, timeline?.isDecoded != true { compare(frames[latestSlot], ordinal, timing) }
      return .frame(timing)
    }
  }

  /// Lets the picture prove, or refute, a start point that is only claimed.
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
    if isProven { frameIndex?.trust(start: group.start) }
  }

  private func timing(of frame: DecodedFrame, _ ordinal: Int?) -> FrameTiming {
    var timing = place(of: frame, ordinal)
    timing.isCertain = isCertain(frame, ordinal, timing)
    return timing
  }

  private func isCertain(_ frame: DecodedFrame, _ ordinal: Int?, _ timing: FrameTiming) -> Bool {
    guard let timeline, timeline.isDecoded, let rank = ordinal.flatMap({ timeline.rank(ordinal: $0) }) else {
      return reader.isCertain(pts: timing.originalPTS)
    }
    defer { lastRank = rank }
    // One of two fields may be missing.
    return reader.lacksPictures || (isExpected(rank, timeline) && timeline.isThere(frame, rank: rank))
  }

  /// Whether the run would come by this picture now if it had begun in the right place.
  private func isExpected(_ rank: Int, _ timeline: DisplayTimeline) -> Bool {
    if lastRank >= 0 { return rank == lastRank + 1 }
    guard hasJustBegun, let first = reader.start.flatMap({ timeline.rank(ordinal: $0) }) else { return true }
    return rank <= first
  }

  /// Begins further back where the run does not give what a decode from the beginning has given, unless the picture that
  /// was sought has come. Returns whether it did.
  private func beginEarlier() throws -> Bool {
    guard let wanted, let timeline, timeline.isDecoded, let start = reader.start, let index = reader.index else { return false }
    if start == 0 {
      guard !mustBeginAfresh else { return false }
      mustBeginAfresh = true
    } else {
      guard index.entries[start].start == .trusted else { return false }
      frameIndex?.distrust(start: start)
      adoptIndex()
    }
    guard let timeline = self.timeline, let index = reader.index else { return false }
    refusals += 1
    return try begin(at: refusals < Self.mostRefusals ? index.startPoint(for: wanted) : 0, timeline)
  }

  private func place(of frame: DecodedFrame, _ ordinal: Int?) -> FrameTiming {
    let guess = clock.timing(ticks: frame.bestEffortTimestamp, duration: frame.duration)
    guard let timeline, let ordinal, let rank = timeline.rank(ordinal: ordinal), keepsOrder(rank) else { return guess }
    let ticks = timeline.ticks(rank: rank)
    let end = rank + 1 < timeline.count ? timeline.ticks(rank: rank + 1) : timeline.end
    return FrameTiming(
      pts: MediaTime(ticks: ticks, in: track.timeBase) - startTime,
      duration: end.map { MediaTime(ticks: $0 - ticks, in: track.timeBase) } ?? guess.duration,
      originalPTS: timeline.stamp(rank: rank), timeBase: track.timeBase, number: rank,
      numberIsExact: timeline.isCountable)
  }

  /// More pictures than these that come behind their time are no passing fault of a decoder.
  private static let mostRanksBack = 2

  /// Whether pictures come in the order of their stamps, as far as has been seen.
  private func keepsOrder(_ rank: Int) -> Bool {
    if timeline?.isDecoded == true { return true }
    if rank < lastRank { ranksBack += 1 }
    lastRank = rank
    guard ranksBack > Self.mostRanksBack else { return true }
    timeline = nil
    frameIndex?.refuteOrder()
    return false
  }

  // MARK: - Rendering

  /// A held picture, and its size as it is to be seen.
  private func frame(_ held: HeldFrame) throws -> (DecodedFrame, FrameTiming, shape: PixelSize) {
    let slot = held == .latest ? latestSlot : 1 - latestSlot
    let frame = frames[slot]
    guard let timing = timings[slot], !frame.isEmpty else {
      throw PlaybackError(.system, "the picture is no longer held")
    }
    let ratio = frame.sampleAspectRatio ?? track.sampleAspectRatio
    return (frame, timing, AssetTrack.presentationSize(frame.size, ratio, track.orientation))
  }

  func render(_ held: HeldFrame, for request: PictureRequest) throws -> Picture {
    let (frame, timing, shape) = try frame(held)
    let geometry = PictureGeometry(
      aspect: Double(shape.width) / Double(max(1, shape.height)), box: request.box,
      pixelAspect: request.pixelAspect, gravity: request.gravity)
    let image = try scaler.scale(
      frame, to: ScaleRequest(geometry: geometry, orientation: track.orientation))
    return Picture(image: image, rect: geometry.imageRect, request: request, timing: timing)
  }

  func still(_ held: HeldFrame, maximumSize: PixelSize) throws -> Still {
    let (frame, timing, shape) = try frame(held)
    let size = Still.size(of: shape, maximum: maximumSize)
    let image = try scaler.scale(frame, to: ScaleRequest(size: size, orientation: track.orientation))
    return Still(image: image, timing: timing)
  }

  var canSeek: Bool { frameIndex != nil }

  var canLeaveOut: Bool { reader.canLeaveOut }

  var isCutOff: Bool { reader.isCutOff }

  var knowsTimes: Bool { timeline != nil }
}
