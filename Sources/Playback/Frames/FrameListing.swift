import Libav
import Pixels

/// Lists every frame of a video track with its PTS and a hash, fetched in a chosen order: the proof from
/// outside that seeking shows the same frames as a decode from the beginning.
///
/// Keeps its file open, and a hash of each frame in memory. Used by one thread at a time.
public final class FrameListing {
  /// In which order the frames are fetched; they are listed in that of a linear decode all the same.
  public enum Order: String, CaseIterable, Sendable {
    /// From the first frame to the last, in one decode.
    case linear
    /// From the last frame to the first, by seeks.
    case reverse
    /// In an order that the seed gives, by seeks.
    case shuffle
  }

  /// One frame, in the output order of a decode from the beginning.
  public struct Line: Hashable, Sendable {
    /// Presentation time in ticks of `timeBase`, as the stream has it; nil where the decoder has none.
    public var pts: Int64?
    /// To the next frame's PTS, in ticks; the last one's as its packet says; nil where not known.
    public var duration: Int64?
    /// MD5 of the decoded frame in its own pixel format, as 32 hexadecimal digits.
    public var md5: String
    /// Whether the decoder itself marked it as damaged.
    public var isDamaged: Bool
  }

  /// Seconds of one tick of the track's time stamps.
  public let timeBase: Ratio
  private let reader: PacketFrameReader
  /// What a decode from the beginning gives.
  private var frames: [Known] = []
  /// Hashes of frames that were decoded on the way to others, as the frame cache keeps their pixels.
  private var passed: [PacketFrameReader.Identity: String] = [:]
  private var passedOrder: [PacketFrameReader.Identity] = []
  private var hashes: [PacketFrameReader.Identity: UInt64] = [:]
  /// How many random access points were taken for right and yet gave other frames than a decode from the beginning.
  /// Only broken streams have such: there a decoder goes on with what it happens to have.
  public private(set) var refutedStarts = 0
  /// Whether the file ends in the middle of something, so that frames are missing behind those that are listed.
  public let isCutOff: Bool

  private struct Known {
    var identity: PacketFrameReader.Identity
    var pts: Int64?
    var duration: Int64
    var isDamaged: Bool
    var md5: String?
  }

  private static let maxPassed = 1 << 16

  /// Opens a clip and indexes its packets; blocks until that is done.
  ///
  /// - Parameter videoTrack: counts the video tracks from 0.
  /// - Throws: `PlaybackError`.
  public init(path: String, videoTrack: Int = 0) throws {
    do {
      let session = InputSession(MediaInput(path: path))
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

  /// Fetches all frames in `order` and returns them in output order; blocks until that is done.
  ///
  /// - Parameter seed: for `.shuffle`; the same seed gives the same order.
  /// - Throws: `PlaybackError` when a frame cannot be had exactly.
  public func lines(order: Order, seed: UInt64 = 1) throws -> [Line] {
    do {
      try decodeAll(hashing: order == .linear)
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
      return Line(pts: frame.pts, duration: duration, md5: frame.md5 ?? "", isDamaged: frame.isDamaged)
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

  /// Decodes from the beginning: which frames there are, in which order, with which time stamps.
  private func decodeAll(hashing: Bool) throws {
    frames = []
    guard try reader.begin(at: 0) else { return }
    while let identity = try reader.next() {
      let frame = reader.frame
      frames.append(
        Known(
          identity: identity, pts: frame.bestEffortTimestamp, duration: frame.duration,
          isDamaged: frame.isDamaged, md5: hashing ? try frame.md5() : nil))
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

  /// Fetches a frame, again from further back where it comes out otherwise than in a decode from the beginning.
  private func fetch(_ target: PacketFrameReader.Identity, number: Int) throws {
    while true {
      let isThere = try reader.go(to: target) { identity in
        // Frames before it are passed again and again, and an MD5 costs more than decoding many of them.
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
