import Libav

/// Reads the captions in the frames of a video track, in display order. Use from one thread at a time.
final class CaptionReader: RewindableCueReader {
  private let demuxer: Demuxer
  private let extractor: CaptionExtractor
  private let decoder: SubtitleDecoder
  private let script: SSAScript
  private let track: AssetTrack
  private let startTime: MediaTime
  private let packet: Packet
  private var jumps: JumpFollower
  /// Captions of frames displayed later than others that follow in the file.
  private var waiting: [(time: Int64, triplets: [UInt8])] = []
  private var hasEnded = false

  /// The limit if the file does not tell the decoding order: more than any codec holds back.
  private static let maxWaiting = 64

  /// - Parameter video: the track whose frames carry the captions.
  /// - Throws: an error of the layer below.
  init(_ demuxer: Demuxer, of video: AssetTrack, startTime: MediaTime) throws {
    guard let extractor = CaptionExtractor(codec: video.codec, headers: demuxer.codecHeaders(ofStream: video.index)) else {
      throw PlaybackError(.unknownCodec, "has no readable captions")
    }
    self.demuxer = demuxer
    self.extractor = extractor
    self.startTime = startTime
    track = video
    decoder = try SubtitleDecoder(captionsIn: video.timeBase)
    script = SSAScript(decoder.scriptHeader)
    packet = try Packet()
    jumps = JumpFollower(video: video, mayJump: demuxer.mayBeDiscontinuous)
    demuxer.select(streams: [video.index])
  }

  func rewind() throws {
    try demuxer.rewind()
    decoder.flush()
    jumps = JumpFollower(video: track, mayJump: demuxer.mayBeDiscontinuous)
    (waiting, hasEnded) = ([], false)
  }

  func next() throws -> CueStep {
    if hasEnded {
      guard !waiting.isEmpty else { return .endOfFile }
      return cues(try? decoder.decode(captions: waiting.removeFirst()))
    }
    guard try demuxer.read(into: packet) == .packet else {
      hasEnded = true
      // At the end, output the last text.
      if let last = waiting.last { waiting.append((last.time, [])) }
      return .progress
    }
    guard packet.streamIndex == track.index, let stamp = packet.pts ?? packet.dts else { return .progress }
    let offset = jumps.note(packet), time = stamp &+ offset
    let triplets = extractor.triplets(in: packet)
    if !triplets.isEmpty {
      let place = waiting.lastIndex { $0.time <= time }.map { $0 + 1 } ?? 0
      waiting.insert((time, triplets), at: place)
    }
    // No frame displayed earlier follows.
    guard let first = waiting.first, packet.dts.map({ first.time <= $0 &+ offset }) ?? false || waiting.count > Self.maxWaiting else {
      return .progress
    }
    return cues(try? decoder.decode(captions: waiting.removeFirst()))
  }

  private func cues(_ subtitle: DecodedSubtitle??) -> CueStep {
    guard let subtitle = subtitle ?? nil, let time = subtitle.time else { return .progress }
    return .captions(subtitle, from: MediaTime(value: time, timescale: 1_000_000) - startTime, script)
  }
}
