import Libav

/// A decoding run from one place on: a decoder and its progress.
struct DecodingRun {
  enum Feeding {
    case reading
    /// The packet must be sent again once frames have been taken out.
    case holding
    /// The packet needs another decoder, once the frames of this one have been taken out.
    case changing
    case draining
    case ended
  }

  private(set) var decoder: Decoder
  /// The ordinal of the first packet; nil while unknown.
  let start: Int?
  var feeding = Feeding.reading
  /// The ordinal of the next packet to read, or the one held; nil while unknown.
  var nextOrdinal: Int?
  /// True after a decoder has skipped everything but keyframes: it must output nothing else before the next keyframe.
  var waitsForKey = false
  /// The key packet sent while all others were skipped, until its frame has come.
  ///
  /// A decoder that reorders frames outputs it only after some more packets. If those were the next key packets, the run
  /// would be far ahead of the target.
  var sentKey: (pts: Int64?, ordinal: Int?)?
  /// True if packets sent from now on give certain frames, displayed from `certainSince` on.
  var isVerified = true
  var certainSince: Int64?
  /// Frames decoded since some were last skipped.
  private var sinceDiscard = Int.max
  /// True if ordinals refer to the index in use.
  var isOfIndex = true

  /// A run of fewer packets is not worth retaining: it is as quickly decoded again.
  private static let minProgress = 8
  /// Decoders hold back fewer frames than this, so none is missing after this many.
  static let maxDelayed = 64

  init(decoder: Decoder, start: Int?) {
    self.decoder = decoder
    self.start = start
    nextOrdinal = start
  }

  /// Goes on with another decoder, for packets of another coding.
  mutating func change(to decoder: Decoder) {
    decoder.discard = self.decoder.discard
    self.decoder = decoder
    feeding = .holding
  }

  /// Returns true if a frame with that timestamp is known to be the same as in a decode from the beginning.
  func isCertain(pts: Int64?) -> Bool {
    guard isVerified else { return false }
    guard let certainSince, let pts else { return true }
    return pts >= certainSince
  }

  /// True if some of the next frames are missing, because they were skipped before.
  var lacksFrames: Bool { sinceDiscard < Self.maxDelayed }

  /// Notes that a packet is about to be sent; with `discard` it may give no frame.
  mutating func willSend(_ discard: Decoder.Discard) {
    if discard != .nothing { sinceDiscard = 0 }
  }

  mutating func didReceive() {
    if sinceDiscard < Self.maxDelayed { sinceDiscard += 1 }
  }

  /// True if it can be continued at any time.
  private var isOpen: Bool {
    (feeding == .reading || feeding == .holding) && isOfIndex && !waitsForKey && sentKey == nil
  }

  /// True if it is worth retaining.
  var isWorthRetaining: Bool {
    guard isOpen, let start, let nextOrdinal else { return false }
    return nextOrdinal - start >= Self.minProgress
  }

  /// Returns true if it reaches the frame of packet `target`, sooner than a run from random access point `other`.
  func leads(to target: Int, ratherThanFrom other: Int, mustBeCertain: Bool) -> Bool {
    guard isOpen, isVerified || !mustBeCertain, let start, let nextOrdinal else { return false }
    return start <= other && other <= nextOrdinal && nextOrdinal <= target
  }

  /// Returns true if this run is further ahead.
  func isAhead(of other: DecodingRun) -> Bool { (nextOrdinal ?? 0) > (other.nextOrdinal ?? 0) }

  /// Estimated memory of the decoder's frames in bytes: H.264, HEVC and VP9 usually hold six to thirteen.
  var byteCount: Int { 12 * decoder.frameByteCount }
}
