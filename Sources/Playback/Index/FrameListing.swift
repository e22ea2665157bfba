import Libav

/// Lists every picture of a video track with its PTS and a hash, fetched in a chosen order: the proof from
/// outside that seeking shows the same pictures as a decode from the beginning.
public final class FrameListing {
  /// In which order the pictures are fetched; they are listed in that of a linear decode all the same.
  public enum Order: String, CaseIterable, Sendable {
    case linear, reverse, shuffle
  }

  /// One picture, in the output order of a decode from the beginning.
  public struct Line: Hashable, Sendable {
    /// In ticks; nil where the decoder has none.
    public var pts: Int64?
    /// To the next picture's PTS, in ticks; the last one's as its packet says; nil where not known.
    public var duration: Int64?
    /// Of the picture in its own pixel format.
    public var md5: String
    /// Whether the decoder itself marked it as damaged.
    public var isDamaged: Bool
  }

  /// Seconds of one tick.
  public let timeBase: Ratio
  private let reader: ExactReader
  /// What a decode from the beginning gives.
  private var pictures: [Known] = []
  /// Hashes of pictures that were decoded on the way to others, as the frame cache keeps their pixels.
  private var passed: [ExactReader.Identity: String] = [:]
  private var passedOrder: [ExactReader.Identity] = []
  private var hashes: [ExactReader.Identity: UInt64] = [:]
  /// Start points that were trusted and yet gave other pictures than a decode from the beginning. Broken streams
  /// only have such, in which a decoder goes on with what it happens to have.
  public private(set) var refutedStarts = 0
  /// Whether the file ends in the middle of something, so that frames are missing behind those that are listed.
  public let isCutOff: Bool

  private struct Known {
    var identity: ExactReader.Identity
    var pts: Int64?
    var duration: Int64
    var isDamaged: Bool
    var md5: String?
  }

  private static let mostPassed = 1 << 16

  /// Opens a clip and indexes its packets; blocks until that is done.
  ///
  /// - Parameter videoTrack: counts the video tracks from 0.
  /// - Throws: `PlaybackError`.
  public init(path: String, videoTrack: Int = 0) throws {
    do {
      let interrupter = Interrupter()
      let demuxer = try Asset.open(path, interrupter)
      let streams = demuxer.streams.filter { $0.kind == .video }
      guard streams.indices.contains(videoTrack) else {
        guard !streams.isEmpty else { throw MovieSource.noVideo(AssetFacts(demuxer)) }
        throw PlaybackError(.noVideo, "has only \(streams.count) video track\(streams.count == 1 ? "" : "s")")
      }
      let stream = streams[videoTrack]
      guard stream.hasDecoder else { throw DecoderError.unknownCodec(name: stream.codecName) }
      timeBase = stream.timeBase
      let scan = try PacketScan(demuxer: try Asset.open(path, interrupter), stream: stream.index, endsAtError: true)
      _ = try scan.read()
      isCutOff = scan.index.isCutOff
      reader = try ExactReader(
        StreamReader(demuxer: demuxer, stream: stream.index, threads: 1, keepsAlpha: false) {
          try Asset.open(path, interrupter)
        }, index: scan.index)
    } catch {
      throw PlaybackError(error)
    }
  }

  /// Fetches all pictures in `order` and returns them in output order.
  ///
  /// - Throws: `PlaybackError` when a picture cannot be had exactly.
  public func lines(order: Order, seed: UInt64 = 1) throws -> [Line] {
    do {
      try decodeAll(hashing: order == .linear)
      if order != .linear { try fetch(Self.sequence(pictures.count, order, seed)) }
    } catch {
      throw PlaybackError(error)
    }
    return pictures.enumerated().map { i, picture in
      let next = i + 1 < pictures.count ? pictures[i + 1].pts : nil
      let isLast = i + 1 == pictures.count
      let duration = picture.pts.flatMap { pts in
        isLast ? (picture.duration > 0 ? picture.duration : nil) : next.map { $0 &- pts }
      }
      return Line(pts: picture.pts, duration: duration, md5: picture.md5 ?? "", isDamaged: picture.isDamaged)
    }
  }

  private static func sequence(_ count: Int, _ order: Order, _ seed: UInt64) -> [Int] {
    switch order {
    case .linear: return Array(0..<count)
    case .reverse: return Array((0..<count).reversed())
    case .shuffle:
      var generator = SplitMix64(seed: seed)
      return (0..<count).shuffled(using: &generator)
    }
  }

  /// Decodes from the beginning: which pictures there are, in which order, with which time stamps.
  private func decodeAll(hashing: Bool) throws {
    pictures = []
    guard try reader.begin(at: 0) else { return }
    while let identity = try reader.next() {
      let frame = reader.frame
      pictures.append(
        Known(
          identity: identity, pts: frame.bestEffortTimestamp, duration: frame.duration,
          isDamaged: frame.isDamaged, md5: hashing ? try frame.md5() : nil))
      if !hashing { hashes[identity] = frame.quickHash() }
    }
  }

  private func fetch(_ order: [Int]) throws {
    for i in order {
      let wanted = pictures[i].identity
      if passed[wanted] == nil {
        try fetch(wanted, number: i)
      }
      pictures[i].md5 = passed[wanted]
    }
  }

  /// Fetches a picture, again from further back where it comes out otherwise than in a decode from the beginning.
  private func fetch(_ wanted: ExactReader.Identity, number: Int) throws {
    while true {
      let isThere = try reader.go(to: wanted) { identity in
        // Pictures before it are passed again and again, and an MD5 costs more than decoding many of them.
        guard identity == wanted || passed[identity] == nil else { return }
        let isRight = identity == wanted || reader.frame.quickHash() == hashes[identity]
        if isRight { keep(identity, try reader.frame.md5()) }
      }
      guard isThere else { throw PlaybackError(.damaged, "picture \(number) cannot be reached exactly") }
      guard reader.frame.quickHash() != hashes[wanted], reader.distrustRun() else { return }
      refutedStarts += 1
    }
  }

  private func keep(_ identity: ExactReader.Identity, _ md5: String) {
    if passed.updateValue(md5, forKey: identity) == nil { passedOrder.append(identity) }
    if passedOrder.count > Self.mostPassed { passed[passedOrder.removeFirst()] = nil }
  }
}
