import Libav
import Pixels

/// The pictures of one video track of a local file: demuxer, decoder and scaler in a row.
final class MovieSource: FrameSource {
  let info: SourceInfo
  private let demuxer: Demuxer
  private let decoder: Decoder
  private let scaler = Scaler()
  private let packet: Packet
  private let track: AssetTrack
  private var clock: TimestampRepair
  /// `frames[latestSlot]` is the latest picture, the other one the picture before.
  private let frames: [DecodedFrame]
  private var timings: [FrameTiming?] = [nil, nil]
  private var latestSlot = 0
  private var feeding = Feeding.reading
  /// A decoder that leaves all but key frames out must not be asked for others before the next key frame.
  private var waitsForKey = false
  private var errorsInARow = 0

  private enum Feeding {
    case reading
    /// The packet is to be sent once frames have been taken out.
    case holding
    case draining
    case ended
  }

  /// Packets of other streams and errors that one step passes over before it gives others a turn.
  private static let mostReadsPerStep = 64
  /// Read errors in a row after which the rest of the file counts as lost.
  private static let mostErrors = 100

  /// - Throws: `PlaybackError` when there is nothing to play, or an error of the layer below.
  init(demuxer: Demuxer, facts: AssetFacts, threads: Int) throws {
    guard let track = facts.preferredVideoTrack else { throw Self.noVideo(facts) }
    guard track.isDecodable else { throw DecoderError.unknownCodec(name: track.codec) }
    self.demuxer = demuxer
    self.track = track
    decoder = try Decoder(demuxer: demuxer, stream: track.index, threads: threads)
    packet = try Packet()
    frames = [try DecodedFrame(), try DecodedFrame()]
    // Where an index leads past the other streams, they need not be read; elsewhere they tell how far the
    // file goes.
    demuxer.select(streams: [track.index])
    clock = TimestampRepair(
      timeBase: track.timeBase, start: facts.startTime, firstTicks: track.firstPTS, frameRate: track.nominalFrameRate,
      mayJump: demuxer.mayBeDiscontinuous)
    info = SourceInfo(
      presentationSize: track.presentationSize,
      duration: Self.duration(of: track, facts), nominalFrameRate: track.nominalFrameRate,
      codec: track.codec)
  }

  /// The video's own length where the file tells it: other tracks may last longer.
  private static func duration(of track: AssetTrack, _ facts: AssetFacts) -> MediaTime {
    guard track.duration.isNumeric, facts.duration.isNumeric else {
      return track.duration.isNumeric ? track.duration : facts.duration
    }
    return min(track.duration, facts.duration)
  }

  private static func noVideo(_ facts: AssetFacts) -> PlaybackError {
    let sound = facts.tracks.filter { $0.mediaType == .audio }
    guard let first = sound.first else { return PlaybackError(.noVideo, "has no video track") }
    let more = sound.count > 1 ? " and \(sound.count - 1) more" : ""
    return PlaybackError(.noVideo, "has no video, only sound (\(first.codec)\(more))")
  }

  var isSeekable: Bool { demuxer.isSeekable }

  func seek(to time: MediaTime) throws {
    let raw = clock.ticks(forItemTime: time)
    try demuxer.seek(stream: track.index, toKeyAtOrBefore: raw)
    restart()
    clock.didSeek()
  }

  func rewind() throws {
    try demuxer.rewind()
    restart()
    clock.didRewind()
  }

  private func restart() {
    decoder.flush()
    timings = [nil, nil]
    for frame in frames { frame.clear() }
    feeding = .reading
    errorsInARow = 0
    // The place sought begins with a key frame or is skipped to one by the decoder.
    waitsForKey = false
  }

  func decodeNext(discard: DiscardLevel) throws -> DecodeStep {
    if decoder.discard == .nonKey && discard < .nonKey { waitsForKey = true }
    if discard == .nonKey { waitsForKey = false }
    if !waitsForKey { apply(discard) }

    for _ in 0..<Self.mostReadsPerStep {
      switch try receive() {
      case .frame: return .frame(takeFrame())
      case .endOfStream:
        feeding = .ended
        return .endOfStream
      case .needsPacket: break
      }
      try feed(discard)
      if feeding == .ended { return .endOfStream }
    }
    return .progress
  }

  private func apply(_ discard: DiscardLevel) {
    decoder.discard =
      switch discard {
      case .nothing: .nothing
      case .nonReference: .nonReference
      case .nonKey: .nonKey
      }
  }

  private func receive() throws -> Decoder.ReceiveResult {
    if feeding == .ended { return .endOfStream }
    do {
      // The older of the two pictures makes room.
      return try decoder.receive(into: frames[1 - latestSlot])
    } catch {
      // Damage: what follows may be good again.
      timings[1 - latestSlot] = nil
      return .needsPacket
    }
  }

  private func takeFrame() -> FrameTiming {
    latestSlot = 1 - latestSlot
    let frame = frames[latestSlot]
    let timing = clock.timing(ticks: frame.bestEffortTimestamp, duration: frame.duration)
    timings[latestSlot] = timing
    return timing
  }

  /// Reads a packet and hands it to the decoder.
  private func feed(_ discard: DiscardLevel) throws {
    if feeding == .reading {
      do {
        switch try demuxer.read(into: packet) {
        case .endOfFile: feeding = .draining
        case .packet where packet.streamIndex == track.index: feeding = .holding
        case .packet: return
        }
        errorsInARow = 0
      } catch let error as AVError where !error.isInterrupted {
        errorsInARow += 1
        // The rest cannot be read: what has been decoded is played to its end.
        if errorsInARow > Self.mostErrors { feeding = .draining }
        return
      }
    }
    if feeding == .draining {
      _ = try? decoder.send(nil)
      return
    }
    guard feeding == .holding else { return }
    if waitsForKey {
      guard packet.isKey else {
        feeding = .reading
        return
      }
      waitsForKey = false
      apply(discard)
    }
    do {
      if try decoder.send(packet) { feeding = .reading }
    } catch {
      // A damaged packet is left out.
      feeding = .reading
    }
  }

  func render(_ held: HeldFrame, for request: PictureRequest) throws -> Picture {
    let slot = held == .latest ? latestSlot : 1 - latestSlot
    let frame = frames[slot]
    guard let timing = timings[slot], !frame.isEmpty else {
      throw PlaybackError(.system, "the picture is no longer held")
    }
    let ratio = frame.sampleAspectRatio ?? track.sampleAspectRatio
    let shape = AssetTrack.presentationSize(frame.size, ratio, track.orientation)
    let geometry = PictureGeometry(
      aspect: Double(shape.width) / Double(max(1, shape.height)), box: request.box,
      pixelAspect: request.pixelAspect, gravity: request.gravity)
    let image = try scaler.scale(
      frame, to: ScaleRequest(geometry: geometry, orientation: track.orientation))
    return Picture(image: image, rect: geometry.imageRect, request: request, timing: timing)
  }
}
