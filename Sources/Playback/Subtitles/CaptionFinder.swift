import DecodePool
import Libav

/// Finds the kinds of captions in the frames of a video track. Used by one thread, whose priority it may lower.
///
/// Broadcasts carry captions in every frame, with filler while nobody speaks. If there is filler, text may come at any
/// time, so the whole file is read until it does, unless the search is bounded. For other clips, only the beginning and
/// some later places are examined.
final class CaptionFinder {
  private let demuxer: Demuxer
  private let extractor: CaptionExtractor
  private let track: AssetTrack
  private let packet: Packet
  /// The kinds with text.
  private var kinds: CaptionExtractor.Kinds = []
  /// True if there are any, be they filling; and whether they are such as can be decoded.
  private var hasCaptions = false
  private var has608 = false
  /// True if only some places are examined, whatever is found there.
  private var isBounded = false

  /// The captions found.
  struct Finding {
    /// The kinds of captions with text.
    var kinds: CaptionExtractor.Kinds
    /// True if there are other captions without text in the places examined.
    var isUndecided = false
  }

  /// The number of packets examined where captions may be.
  private static let stretch = 300
  /// The number of places examined if there are none at the beginning, and of packets at each.
  private static let places: Int64 = 16
  private static let packetsOfPlace = 30
  /// The maximum number of bytes read for a stretch, and for all places.
  private static let maxBytes: Int64 = 24 << 20

  /// - Returns: nil if the frames of such a track carry no captions.
  /// - Throws: an error of the layer below.
  init?(_ demuxer: Demuxer, of track: AssetTrack) throws {
    guard let extractor = CaptionExtractor(codec: track.codec, headers: demuxer.codecHeaders(ofStream: track.index)) else { return nil }
    self.demuxer = demuxer
    self.extractor = extractor
    self.track = track
    packet = try Packet()
    demuxer.select(streams: [track.index])
  }

  /// Finds the kinds of captions that have text, reading from the beginning.
  ///
  /// - Parameter isBounded: true to read only the beginning and some other places, at most 96 MB, while someone waits. Text
  ///   may then be missed, but not the presence of captions.
  func find(isBounded: Bool = false) -> Finding {
    self.isBounded = isBounded
    read(Self.stretch)
    if isToLookFartherOn { lookFartherOn() }
    guard isSilent else { return Finding(kinds: kinds) }
    if isBounded { return Finding(kinds: kinds, isUndecided: true) }
    // The thread belongs to this search until it ends, and playback comes first.
    lowerThreadPriority()
    guard (try? demuxer.rewind()) != nil else { return Finding(kinds: []) }
    while isSilent, read(1) {}
    // Broadcasts have both kinds.
    read(Self.stretch)
    return Finding(kinds: kinds)
  }

  /// True if the places examined do not decide the result.
  private var isToLookFartherOn: Bool { !hasCaptions || (isBounded && isSilent) }

  /// True if the decodable captions, or else all of them, are only filler so far.
  private var isSilent: Bool { has608 ? !kinds.contains(.eia608) : hasCaptions && kinds.isEmpty }

  /// Searches for captions throughout the clip, since a clip that starts without them may have them later.
  private func lookFartherOn() {
    let length = [track.duration, demuxer.durationMicroseconds.map { MediaTime(value: $0, timescale: 1_000_000) } ?? .invalid]
      .first(where: \.isNumeric)
    guard demuxer.isSeekable, let ticks = length?.ticks(in: track.timeBase, rounding: .towardNegativeInfinity) else { return }
    let start = demuxer.readByteCount
    for place in 1..<Self.places where isToLookFartherOn && demuxer.readByteCount - start < Self.maxBytes {
      let time = (track.firstPTS ?? 0) &+ ticks / Self.places &* place
      guard (try? demuxer.seek(stream: track.index, toKeyAtOrBefore: time)) != nil else { return }
      read(Self.packetsOfPlace)
    }
    if !kinds.isEmpty { read(Self.stretch) }
  }

  /// Examines a number of packets of the track. Returns true if there may be more.
  @discardableResult private func read(_ count: Int) -> Bool {
    let start = demuxer.readByteCount
    var left = count
    while left > 0, demuxer.readByteCount - start < Self.maxBytes {
      guard (try? demuxer.read(into: packet)) == .packet else { return false }
      guard packet.streamIndex == track.index else { continue }
      left -= 1
      let triplets = extractor.triplets(in: packet)
      if !triplets.isEmpty { hasCaptions = true }
      has608 = has608 || CaptionExtractor.have608(triplets)
      kinds.formUnion(CaptionExtractor.kinds(of: triplets))
    }
    return true
  }
}
