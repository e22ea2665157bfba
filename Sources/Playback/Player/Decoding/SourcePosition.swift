/// The position of the source: the frames that have come out since its last move, and what may be missing between them.
struct SourcePosition {
  /// The last two frames; nil if there were none since the source's last move.
  private(set) var latest: (any SourceFrame)?
  private(set) var previous: (any SourceFrame)?
  /// Frames decoded since some were last skipped.
  private var sinceDiscard = Self.maxDelay

  /// Decoders hold back fewer frames than this, so none is missing after this many.
  private static let maxDelay = DecodingRun.maxDelayed
  /// The number of frames for which a frame may lack a field, if fields are skipped separately.
  private static let maxPartialDelay = 32

  /// True if the last frame may lack one of its two fields, because fields can be skipped separately.
  var mayLackPart: Bool { sinceDiscard < Self.maxPartialDelay }

  /// True if frames may be missing between the decoded ones.
  var mayLackFrames: Bool { sinceDiscard < Self.maxDelay }

  /// Notes that the source leaves its position.
  mutating func willMove() { (latest, previous) = (nil, nil) }

  /// - Parameter lacksFrames: true if some of the first frames may be missing.
  mutating func didMove(lacksFrames: Bool) {
    willMove()
    sinceDiscard = lacksFrames ? 0 : Self.maxDelay
  }

  /// Notes that the next step may skip frames.
  mutating func willDiscard() { sinceDiscard = 0 }

  mutating func didDecode(_ frame: any SourceFrame) {
    previous = latest
    latest = frame
    sinceDiscard += 1
  }
}
