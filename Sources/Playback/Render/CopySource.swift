import Libav
import Pixels

/// The properties of a file whose packets are copied.
///
/// Use from one thread.
final class CopySource {
  let clip: CompositionClip
  let track: AssetTrack
  let index: PacketIndex
  private let timeline: PacketTimeline
  private let presentation: PresentationTimeline
  /// The preferred track of sound; nil if there is none.
  let soundTrack: AssetTrack?
  /// The clip's time zero.
  let startTime: MediaTime
  private let headers: [UInt8]
  private let files: CopyFiles
  private let session: InputSession
  /// The random access points examined so far; true for those that reset the decoder completely.
  private var instants: [Int: Bool] = [:]

  /// The properties that packets must share to be decoded in sequence.
  struct Signature: Equatable {
    var codec: String
    var size: PixelSize
    var shape: Ratio
    var pixelFormat: String
    var orientation: Orientation
    var headers: [UInt8]
    var parameterSets: [[UInt8]]
  }

  /// - Throws: `PlaybackError` if its packets cannot be copied.
  init(_ clip: CompositionClip, _ files: CopyFiles, _ cancellation: RenderCancellation) throws {
    self.clip = clip
    self.files = files
    let session = InputSession(clip.asset.input)
    self.session = session
    cancellation.whenCancelled { session.interrupt() }
    let path = clip.asset.path
    do {
      let facts = try cancellation.facts(of: clip.asset)
      guard let track = facts.videoTrack(clip.videoTrack) else { throw MovieSource.noVideo(facts) }
      self.track = track
      startTime = facts.startTime
      soundTrack = facts.preferredSoundTrack
      let known = try cancellation.index(of: clip.asset, clip.videoTrack)?.content
      guard let index = known?.packets, index.isComplete, let presentation = known?.timeline,
        let timeline = presentation.packets, !timeline.isDecoded
      else { throw PacketCopy.refusal("\(path): packets have no presentation times") }
      (self.index, self.timeline, self.presentation) = (index, timeline, presentation)
      headers = try files.file(of: clip.asset, track, session).headers
    } catch let error as PlaybackError where error.reason == .invalidEdit || error.reason == .cancelled {
      throw error
    } catch {
      throw PacketCopy.refusal("\(path): \(PlaybackError(error).message)")
    }
  }

  // MARK: - Frames

  /// Returns the numbers of the frames that a piece shows.
  func frames(of clip: CompositionClip) -> Range<Int> {
    let map = ClipMap(
      CompositionPlan.Clip(number: 0, clip: clip, timeRange: TimeRange(start: .zero, duration: clip.timeRange.duration)),
      tolerance: track.stampTolerance)
    let first = presentation.frameNumber(at: map.first)
    var end = first + 1
    while let time = time(ofFrame: end), !map.isBehind(time) { end += 1 }
    return first..<end
  }

  func time(ofFrame number: Int) -> MediaTime? { presentation.time(ofFrame: number) }
  func time(ofPacket ordinal: Int) -> MediaTime { presentation.time(ofFrame: displayIndex(ordinal)) ?? .zero }
  func displayIndex(_ ordinal: Int) -> Int { timeline.displayIndex(ofOrdinal: ordinal) ?? 0 }
  /// The end of the last frame, if known.
  var end: MediaTime? { presentation.duration }

  func signature(at ordinal: Int) -> Signature {
    Signature(
      codec: track.codec, size: track.codedSize, shape: track.sampleAspectRatio, pixelFormat: track.pixelFormat,
      orientation: track.orientation, headers: headers,
      parameterSets: index.parameterSets.inForce(at: ordinal).map(\.bytes))
  }

  // MARK: - Cuts

  /// Returns the packet to start from for a frame: a random access point that resets the decoder completely.
  func start(forFrame number: Int, piece: Int) throws -> Int {
    let target = Int(timeline.ordinals[number])
    var limit = Int.max
    while true {
      let start = index.randomAccessPoint(for: target, before: limit)
      let isVerified = index.entries[start].randomAccess == .verified
      if isVerified, displayIndex(start) <= number, try findInstant(start) { return start }
      guard start > 0 else { throw PacketCopy.refusal("piece \(piece + 1): no keyframe to start from") }
      limit = start
    }
  }

  /// Returns the packets from `start` up to the first place after which no frame before `end` comes, and none is missing.
  func packets(from start: Int, first: Int, to end: Int, piece: Int) throws -> (end: Int, packets: [Int]) {
    var packets: [Int] = []
    var last = first
    for ordinal in start..<index.count {
      let entry = index.entries[ordinal]
      guard !entry.isDiscarded else {
        throw PacketCopy.refusal("piece \(piece + 1): \(clip.asset.path) has hidden frames")
      }
      let number = displayIndex(ordinal)
      // Frames displayed earlier depend on frames that are not copied.
      guard number >= first else { continue }
      packets.append(ordinal)
      last = max(last, number)
      if last + 1 >= end, last + 1 - first == packets.count {
        guard index.parameterSets.inForce(at: start) == index.parameterSets.inForce(at: ordinal) else {
          throw PacketCopy.refusal("piece \(piece + 1): codec parameters change within it")
        }
        return (last + 1, packets)
      }
    }
    return (last + 1, packets)
  }

  /// Finds out whether a random access point resets the decoder completely; caches the answer.
  private func findInstant(_ ordinal: Int) throws -> Bool {
    if let known = instants[ordinal] { return known }
    let answer = try file().findInstant(ordinal, in: index)
    instants[ordinal] = answer
    return answer
  }

  /// Returns the open file.
  func file() throws -> CopyFile { try files.file(of: clip.asset, track, session) }
}
