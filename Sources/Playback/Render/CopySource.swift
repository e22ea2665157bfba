import Libav
import Pixels

/// A file of which packets are copied: what is known of them.
///
/// Used by one thread.
final class CopySource {
  let clip: CompositionClip
  let track: AssetTrack
  private let index: PacketIndex
  private let timeline: PacketTimeline
  private let presentation: PresentationTimeline
  private let startTime: MediaTime
  private let headers: [UInt8]
  private let cancellation: RenderCancellation
  /// Whether random access points reset all that a decoder knows; what was looked up.
  private var instants: [Int: Bool] = [:]
  /// Open while cuts are looked for.
  private var finding: Opened?

  /// What packets must have in common to be decoded one behind the other.
  struct Signature: Equatable {
    var codec: String
    var size: PixelSize
    var shape: Ratio
    var pixelFormat: String
    var orientation: Orientation
    var headers: [UInt8]
    var parameterSets: [[UInt8]]
  }

  init(_ clip: CompositionClip, _ cancellation: RenderCancellation) throws {
    self.clip = clip
    self.cancellation = cancellation
    let path = clip.asset.path
    do {
      let facts = try clip.asset.wait(for: .facts)
      guard let track = facts.videoTrack(clip.videoTrack) else { throw MovieSource.noVideo(facts) }
      self.track = track
      startTime = facts.startTime
      let known = try cancellation.index(of: clip.asset, clip.videoTrack)?.content
      guard let index = known?.packets, index.isComplete, let presentation = known?.timeline,
        let timeline = presentation.packets, !timeline.isDecoded
      else { throw PacketCopy.refusal("\(path): its packets do not tell when their frames are shown") }
      (self.index, self.timeline, self.presentation) = (index, timeline, presentation)
      headers = try clip.asset.input.open(Interrupter()).demuxer.codecHeaders(ofStream: track.index)
    } catch let error as PlaybackError where error.reason == .invalidEdit || error.reason == .cancelled {
      throw error
    } catch {
      throw PacketCopy.refusal("\(path): \(PlaybackError(error).message)")
    }
  }

  // MARK: - Frames

  /// The numbers of the frames that a piece shows.
  func frames(of clip: CompositionClip) -> Range<Int> {
    let map = ClipMap(
      CompositionPlan.Clip(number: 0, clip: clip, timeRange: TimeRange(start: .zero, duration: clip.timeRange.duration)),
      tick: track.timeBase)
    let first = presentation.frameNumber(at: map.first)
    var end = first + 1
    while let time = time(ofFrame: end), !map.isBehind(time) { end += 1 }
    return first..<end
  }

  func time(ofFrame number: Int) -> MediaTime? { presentation.time(ofFrame: number) }
  func time(ofPacket ordinal: Int) -> MediaTime { presentation.time(ofFrame: displayIndex(ordinal)) ?? .zero }
  func displayIndex(_ ordinal: Int) -> Int { timeline.displayIndex(ofOrdinal: ordinal) ?? 0 }
  /// Where the last frame ends, if that is known.
  var end: MediaTime? { presentation.duration }

  func signature(at ordinal: Int) -> Signature {
    Signature(
      codec: track.codec, size: track.codedSize, shape: track.sampleAspectRatio, pixelFormat: track.pixelFormat,
      orientation: track.orientation, headers: headers,
      parameterSets: index.parameterSets.inForce(at: ordinal).map(\.bytes))
  }

  // MARK: - Cuts

  /// Where packets can begin for a frame: nothing before is needed, and nothing of what a decoder knows stays.
  func start(forFrame number: Int, piece: Int) throws -> Int {
    let target = Int(timeline.ordinals[number])
    var limit = Int.max
    while true {
      let start = index.randomAccessPoint(for: target, before: limit)
      let isVerified = index.entries[start].randomAccess == .verified
      if isVerified, displayIndex(start) <= number, try isInstant(start) { return start }
      guard start > 0 else { throw PacketCopy.refusal("piece \(piece + 1): nothing before it can be decoded alone") }
      limit = start
    }
  }

  /// The packets from one on up to the first place behind which no frame before `end` comes, and none is missing.
  func packets(from start: Int, first: Int, to end: Int, piece: Int) throws -> (end: Int, packets: [Int]) {
    var packets: [Int] = []
    var last = first
    for ordinal in start..<index.count {
      let entry = index.entries[ordinal]
      guard !entry.isDiscarded else {
        throw PacketCopy.refusal("piece \(piece + 1): \(clip.asset.path) hides some of its frames")
      }
      let number = displayIndex(ordinal)
      // What is shown before needs frames that are not there.
      guard number >= first else { continue }
      packets.append(ordinal)
      last = max(last, number)
      if last + 1 >= end, last + 1 - first == packets.count {
        guard index.parameterSets.inForce(at: start) == index.parameterSets.inForce(at: ordinal) else {
          throw PacketCopy.refusal("piece \(piece + 1): its coding changes in its midst")
        }
        return (last + 1, packets)
      }
    }
    return (last + 1, packets)
  }

  private func isInstant(_ ordinal: Int) throws -> Bool {
    if let known = instants[ordinal] { return known }
    let opened = try finding ?? open()
    finding = opened
    let answer = try opened.isInstant(ordinal)
    instants[ordinal] = answer
    return answer
  }

  // MARK: - Reading

  /// Opens the file for reading packets.
  func open() throws -> Opened {
    // One at a time.
    if let finding {
      self.finding = nil
      return finding
    }
    return try Opened(self, cancellation)
  }

  /// The file, open.
  final class Opened {
    let source: CopySource
    let demuxer: Demuxer
    private let locator: PacketLocator
    private let inspector: BitstreamInspector

    fileprivate init(_ source: CopySource, _ cancellation: RenderCancellation) throws {
      self.source = source
      let session = InputSession(source.clip.asset.input)
      cancellation.whenCancelled { session.interrupt() }
      let opened = try session.open()
      demuxer = opened.demuxer
      guard let stream = demuxer.streams.first(where: { $0.index == source.track.index }) else {
        throw PacketCopy.refusal("\(source.clip.asset.path) has changed")
      }
      inspector = BitstreamInspector(demuxer, stream: stream)
      locator = try PacketLocator(PacketRouter(opened, session: session), stream: source.track.index)
    }

    fileprivate func isInstant(_ ordinal: Int) throws -> Bool {
      guard ["h264", "hevc"].contains(source.track.codec) else { return true }
      guard try locator.locate(ordinal, in: source.index) else { return false }
      return locator.packet.withBytes { inspector.isInstant($0) }
    }

    /// Reads the packets of a segment, in order.
    func read(_ segment: CopySegment, _ body: (Packet) throws -> Void) throws {
      let index = source.index
      var left = segment.packets[...]
      guard let last = left.last, try locator.locate(segment.start, in: index) else { throw unreadable }
      try index.parameterSets.prepare(locator.packet, at: segment.start)
      var ordinal = segment.start
      while true {
        if left.first == ordinal {
          left.removeFirst()
          try body(locator.packet)
        }
        guard ordinal < last else { return }
        var result = PacketRouter.ReadResult.other
        while result == .other { result = try locator.router.read(source.track.index, into: locator.packet) }
        guard result == .packet, index.ordinal(of: locator.packet, expected: ordinal + 1) == ordinal + 1 else { throw unreadable }
        ordinal += 1
      }
    }

    private var unreadable: PlaybackError {
      PlaybackError(.damaged, "cannot be made: the packets of \(source.clip.asset.path) are not found again")
    }
  }
}
