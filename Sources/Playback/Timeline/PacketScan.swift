import Libav

/// Reads all packets of one stream once and records them in an index.
///
/// Use from one thread. Has a separate demuxer, so that it does not disturb other readers.
final class PacketScan {
  private(set) var index = PacketIndex()
  private let demuxer: Demuxer
  private let stream: Int
  let info: StreamInfo
  private let inspector: BitstreamInspector
  private var outputFrames: OutputFrameDetector
  private var parameterSets: ParameterSetCollector
  private var discontinuities: DiscontinuityDetector
  private let packet: Packet
  private var errorsInARow = 0
  /// The number of packet bytes read so far.
  private(set) var bytesRead: Int64 = 0

  private let maxErrors: Int

  /// - Parameter endsAtError: true if a read error ends the stream, as in ffmpeg, rather than being skipped.
  init(demuxer: Demuxer, stream: Int, endsAtError: Bool = false) throws {
    self.demuxer = demuxer
    maxErrors = endsAtError ? 1 : StreamReader.maxErrors
    self.stream = stream
    guard let info = demuxer.streams.first(where: { $0.index == stream }) else {
      throw PlaybackError(.noVideo, "has no such track")
    }
    self.info = info
    inspector = BitstreamInspector(demuxer, stream: info)
    let codecHeaders = demuxer.codecHeaders(ofStream: stream)
    outputFrames = OutputFrameDetector(codec: info.codecName, headers: codecHeaders)
    parameterSets = ParameterSetCollector(inspector, original: codecHeaders)
    discontinuities = DiscontinuityDetector(mayJump: demuxer.mayBeDiscontinuous)
    packet = try Packet()
    demuxer.select(streams: [stream])
  }

  /// Reads up to `count` packets of the stream, or lists all of an image sequence without reading them. Returns true if there
  /// may be more.
  ///
  /// - Throws: `AVError` if it was interrupted.
  func read(_ count: Int = .max) throws -> Bool {
    if let sizes = demuxer.listedPackets {
      index = PacketIndex(separateImages: sizes)
      return false
    }
    var left = count
    while left > 0 {
      do {
        guard try demuxer.read(into: packet) == .packet else {
          return end()
        }
        errorsInARow = 0
      } catch let error as AVError where !error.isInterrupted {
        // As in playback, damage is skipped unless nothing else comes.
        errorsInARow += 1
        if errorsInARow >= maxErrors { return end() }
        continue
      }
      guard packet.streamIndex == stream else { continue }
      note()
      left -= 1
    }
    return true
  }

  private func end() -> Bool {
    index.isCutOff = demuxer.isCutOff
    index.complete()
    return false
  }

  /// Applies a decoder's findings about the beginning.
  func note(_ opening: LeadingFrameProbe) {
    for ordinal in opening.hidden { index.hide(ordinal) }
    index.ptsOrderIsReliable = opening.ptsOrderIsReliable
  }

  private func note() {
    bytesRead += Int64(packet.byteCount)
    let isFirst = index.count == 0
    // A frame patched up from earlier ones is not a place to start.
    let start = packet.isCorrupt && !isFirst ? .none : inspector.randomAccess(of: packet)
    let isInstant = start == .verified && packet.withBytes { inspector.isInstant($0) }
    parameterSets.note(packet)
    index.parameterSets = parameterSets.sets
    let isShown = packet.withBytes { outputFrames.notePacket($0) } && !packet.isDiscarded
    index.append(
      PacketIndex.Entry(
        pts: packet.pts, dts: packet.dts, position: packet.position ?? -1,
        byteCount: Int32(clamping: packet.byteCount), randomAccess: isFirst && start == .none ? .flagged : start,
        isDiscarded: !isShown))
    for ordinal in discontinuities.note(packet, ordinal: index.count - 1, start, isInstant: isInstant) {
      index.refute(ordinal)
    }
    index.hasDiscontinuity = discontinuities.hasFound
  }
}
