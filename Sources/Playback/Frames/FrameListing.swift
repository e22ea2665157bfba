import Libav
import Pixels

/// Lists every frame of a video track with its PTS and a hash, fetched in a chosen order.
///
/// Use it to verify that seeking gives the same frames as decoding from the beginning. Keeps the file open, and a hash of
/// each frame in memory. Use from one thread at a time.
public final class FrameListing {
  /// The order in which frames are fetched; they are always listed in the order of a linear decode.
  public enum Order: String, CaseIterable, Sendable {
    /// From the first frame to the last, in one decode.
    case linear
    /// From the last frame to the first, by seeking.
    case reverse
    /// In a random order given by the seed, by seeking.
    case shuffle
  }

  /// A frame, listed in the output order of a decode from the beginning.
  public struct Line: Hashable, Sendable {
    /// Presentation time in ticks of `timeBase`, as in the stream; nil if the decoder has none.
    public var pts: Int64?
    /// Ticks until the next frame's PTS, or for the last frame, its packet's duration; nil if unknown.
    public var duration: Int64?
    /// MD5 of the decoded frame in its own pixel format, as 32 hexadecimal digits.
    public var md5: String
    /// True if the decoder marked the frame as damaged.
    public var isDamaged: Bool
    /// True if the decoder says that decoding can start with this frame.
    public var isKeyframe = false
    /// The way the frame is coded.
    public var pictureType = FrameFacts.PictureType.other
    /// The size of the frame's packet in bytes; nil if unknown.
    public var packetByteCount: Int?

    mutating func take(_ facts: FrameFacts) {
      (isKeyframe, pictureType, packetByteCount) = (facts.isKeyframe, facts.pictureType, facts.packetByteCount)
    }
  }

  /// Seconds per tick of the track's timestamps.
  public let timeBase: Ratio
  private let reader: PacketFrameReader
  /// The frames of a decode from the beginning.
  private var frames: [Known] = []
  /// Hashes of frames decoded on the way to others, by their pixels as in the frame cache.
  private var passed: [PacketFrameReader.Identity: String] = [:]
  private var passedOrder: [PacketFrameReader.Identity] = []
  private var hashes: [PacketFrameReader.Identity: UInt64] = [:]
  /// Number of supposed random access points that gave other frames than a decode from the beginning. Only broken streams
  /// have them: there the decoder continues with whatever it has.
  public private(set) var refutedStarts = 0
  /// True if the file is cut off, so that frames are missing after the last one listed.
  public let isCutOff: Bool
  private let session: InputSession
  /// The segments of a stream that could not be loaded, whose frames are not listed; nil if there are none, as in files.
  public var missingSegments: NetworkStatus.MissingSegments? { session.networkStatus?.missing }

  private struct Known {
    var identity: PacketFrameReader.Identity
    var pts: Int64?
    var duration: Int64
    var facts: FrameFacts
    var md5: String?
  }

  private static let maxPassed = 1 << 16

  /// Opens a clip and indexes its packets; blocks until done.
  ///
  /// - Parameters:
  ///   - videoTrack: index among the video tracks, from 0.
  ///   - network: access to servers, for a path that is an address; nil to permit none.
  /// - Throws: `PlaybackError`.
  public convenience init(path: String, videoTrack: Int = 0, network: Network? = nil) throws {
    try self.init(MediaInput(path: path, network: network), videoTrack: videoTrack)
  }

  /// Lists the images of a sequence and opens the first; blocks until done.
  ///
  /// - Throws: `PlaybackError`.
  public convenience init(sequence: ImageSequence) throws { try self.init(MediaInput(sequence), videoTrack: 0) }

  private init(_ input: MediaInput, videoTrack: Int) throws {
    do {
      session = InputSession(input)
      let opened = try session.open()
      let streams = opened.demuxer.streams.filter { $0.kind == .video }
      guard streams.indices.contains(videoTrack) else {
        guard !streams.isEmpty else { throw MovieSource.noVideo(AssetFacts(opened.demuxer)) }
        throw PlaybackError(.noVideo, "has only \(streams.count) video track\(streams.count == 1 ? "" : "s")")
      }
      let stream = streams[videoTrack]
      guard stream.hasDecoder else { throw DecoderError.unknownCodec(name: stream.codecName) }
      timeBase = stream.timeBase
      let scan = try PacketScan(demuxer: session.open().demuxer, stream: stream.index, endsAtError: true)
      _ = try scan.read()
      isCutOff = scan.index.isCutOff
      reader = try PacketFrameReader(
        StreamReader(opened, session: session, stream: stream.index, threads: 1, keepsAlpha: false),
        index: scan.index)
    } catch {
      throw PlaybackError(error)
    }
  }

  /// Fetches all frames in `order` and returns them in output order; blocks until done.
  ///
  /// - Parameter seed: for `.shuffle`; equal seeds give equal orders.
  /// - Throws: `PlaybackError` if a frame cannot be decoded exactly, or if there is none that can be decoded.
  public func lines(order: Order, seed: UInt64 = 1) throws -> [Line] {
    do {
      try decodeAll(hashing: order == .linear)
      guard !frames.isEmpty else { throw PlaybackError.nothingDecodable }
      if order != .linear { try fetch(Self.sequence(frames.count, order, seed)) }
    } catch {
      throw PlaybackError(error)
    }
    return frames.enumerated().map { i, frame in
      let next = i + 1 < frames.count ? frames[i + 1].pts : nil
      let isLast = i + 1 == frames.count
      let duration = frame.pts.flatMap { pts in
        isLast ? (frame.duration > 0 ? frame.duration : nil) : next.map { $0 &- pts }
      }
      var line = Line(pts: frame.pts, duration: duration, md5: frame.md5 ?? "", isDamaged: frame.facts.isDamaged)
      line.take(frame.facts)
      return line
    }
  }

  static func sequence(_ count: Int, _ order: Order, _ seed: UInt64) -> [Int] {
    switch order {
    case .linear: return Array(0..<count)
    case .reverse: return Array((0..<count).reversed())
    case .shuffle:
      var generator = SplitMix64(seed: seed)
      return (0..<count).shuffled(using: &generator)
    }
  }

  /// Decodes from the beginning to find the frames, their order and their timestamps.
  private func decodeAll(hashing: Bool) throws {
    frames = []
    guard try reader.begin(at: 0) else { return }
    while let identity = try reader.next() {
      let frame = reader.frame
      frames.append(
        Known(
          identity: identity, pts: frame.bestEffortTimestamp, duration: frame.duration,
          facts: FrameFacts(frame), md5: hashing ? try frame.md5() : nil))
      if !hashing { hashes[identity] = frame.quickHash() }
    }
  }

  private func fetch(_ order: [Int]) throws {
    for i in order {
      let target = frames[i].identity
      if passed[target] == nil {
        try fetch(target, number: i)
      }
      frames[i].md5 = passed[target]
    }
  }

  /// Fetches a frame, retrying from further back if it differs from a decode from the beginning.
  private func fetch(_ target: PacketFrameReader.Identity, number: Int) throws {
    while true {
      let isThere = try reader.go(to: target) { identity in
        // Frames before it are passed repeatedly, and an MD5 costs more than decoding many of them.
        guard identity == target || passed[identity] == nil else { return }
        let isRight = identity == target || reader.frame.quickHash() == hashes[identity]
        if isRight { keep(identity, try reader.frame.md5()) }
      }
      guard isThere else { throw PlaybackError(.damaged, "frame \(number) cannot be decoded exactly") }
      guard reader.frame.quickHash() != hashes[target], reader.refuteRun(for: target) else { return }
      refutedStarts += 1
    }
  }

  private func keep(_ identity: PacketFrameReader.Identity, _ md5: String) {
    if passed.updateValue(md5, forKey: identity) == nil { passedOrder.append(identity) }
    if passedOrder.count > Self.maxPassed { passed[passedOrder.removeFirst()] = nil }
  }
}
