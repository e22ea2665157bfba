import Libav

/// Reads all packets of one stream once and notes them in an index.
///
/// Used by one thread; has a demuxer of its own, so that it disturbs nobody's reading.
final class PacketScan {
  private(set) var index = PacketIndex()
  private let demuxer: Demuxer
  private let stream: Int
  let info: StreamInfo
  private let inspector: BitstreamInspector
  private var shown: ShownPictures
  private var headers: HeaderWatch
  private var breaks: BreakWatch
  private let packet: Packet
  private var errorsInARow = 0
  /// Bytes of packets read so far.
  private(set) var bytesRead: Int64 = 0

  private let mostErrors: Int
  private static let mostErrors = 100

  /// - Parameter endsAtError: whether a read error ends the stream, as for ffmpeg, rather than being passed over.
  init(demuxer: Demuxer, stream: Int, endsAtError: Bool = false) throws {
    self.demuxer = demuxer
    mostErrors = endsAtError ? 1 : Self.mostErrors
    self.stream = stream
    guard let info = demuxer.streams.first(where: { $0.index == stream }) else {
      throw PlaybackError(.noVideo, "has no such track")
    }
    self.info = info
    inspector = BitstreamInspector(demuxer, stream: info)
    let codecHeaders = demuxer.codecHeaders(ofStream: stream)
    shown = ShownPictures(codec: info.codecName, headers: codecHeaders)
    headers = HeaderWatch(inspector, original: codecHeaders)
    breaks = BreakWatch(mayJump: demuxer.mayBeDiscontinuous)
    packet = try Packet()
    demuxer.select(streams: [stream])
  }

  /// Reads up to `count` packets of the stream. Returns whether there may be more.
  ///
  /// - Throws: `AVError` when it was interrupted.
  func read(_ count: Int = .max) throws -> Bool {
    var left = count
    while left > 0 {
      do {
        guard try demuxer.read(into: packet) == .packet else {
          return end()
        }
        errorsInARow = 0
      } catch let error as AVError where !error.isInterrupted {
        // As in playing: damage is passed over, unless nothing else comes.
        errorsInARow += 1
        guard errorsInARow < mostErrors else {
          return end()
        }
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

  /// Takes note of what a decoder has told of the beginning.
  func note(_ opening: OpeningPictures) {
    for ordinal in opening.hidden { index.hide(ordinal) }
    index.keepsOrder = opening.keepsOrder
  }

  private func note() {
    bytesRead += Int64(packet.byteCount)
    let isFirst = index.count == 0
    // What is patched up from pictures before it is no beginning.
    let start = packet.isCorrupt && !isFirst ? .none : inspector.startPoint(packet)
    let isInstant = start == .trusted && packet.withBytes { inspector.isInstant($0) }
    headers.note(packet)
    index.headers = headers.headers
    let isShown = packet.withBytes { shown.shows($0) } && !packet.isDiscarded
    index.append(
      PacketIndex.Entry(
        pts: packet.pts, dts: packet.dts, position: packet.position ?? -1,
        byteCount: Int32(clamping: packet.byteCount), start: isFirst && start == .none ? .claimed : start,
        isDiscarded: !isShown))
    for ordinal in breaks.doubtful(packet, ordinal: index.count - 1, start, isInstant: isInstant) {
      index.distrust(ordinal)
    }
    index.isBroken = breaks.hasFound
  }
}
