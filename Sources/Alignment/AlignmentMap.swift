/// Which frame of a reference each frame of a candidate is.
public struct AlignmentMap: Hashable, Codable, Sendable {
  /// The frame of the reference that a candidate frame is.
  public struct Frame: Hashable, Codable, Sendable {
    /// Nil if the reference has no such frame.
    public var reference: Int?
    /// 0…1; without a frame of the reference, confidence in that. At 0.5 and above, the answer is sure.
    public var confidence: Float

    public init(reference: Int?, confidence: Float) {
      self.reference = reference
      self.confidence = confidence
    }

    public var isSure: Bool { confidence >= 0.5 }
  }

  public enum Verdict: String, Hashable, Codable, Sendable {
    /// Both show the same, as far as the frames say.
    case related
    /// Nothing in common was found.
    case unrelated
    /// They look alike, but too little moves to tell which frames belong together.
    case ambiguous
  }

  /// One for each candidate frame.
  public var frames: [Frame]
  public var referenceCount: Int
  /// Reference frames for each candidate frame: 1 for a copy, 2 if every second frame is gone.
  public var rate: Double
  /// The reference frame at which candidate frame 0 would be, if the clips ran on evenly; nil without any pair.
  public var offset: Double?
  /// Single reference frames dropped less single ones repeated, over 1,000 candidate frames: other than 0 in the long run if a
  /// clock is a little off.
  public var drift: Double
  public var events: [AlignmentEvent]
  public var verdict: Verdict
  public var picture: PictureChange
  /// The points that the search had to go through.
  public var syncPoints: [SyncPoint]

  public init(
    frames: [Frame], referenceCount: Int, rate: Double = 1, offset: Double? = nil, drift: Double = 0,
    events: [AlignmentEvent] = [], verdict: Verdict = .related, picture: PictureChange = PictureChange(),
    syncPoints: [SyncPoint] = []
  ) {
    self.frames = frames
    self.referenceCount = referenceCount
    self.rate = rate
    self.offset = offset
    self.drift = drift
    self.events = events
    self.verdict = verdict
    self.picture = picture
    self.syncPoints = syncPoints
  }

  /// A map that moves all frames by a constant distance: candidate frame c is reference frame c + `offset`.
  public static func constant(offset: Int, candidateCount: Int, referenceCount: Int) -> AlignmentMap {
    let frames = (0..<candidateCount).map { c in
      Frame(reference: (0..<referenceCount).contains(c + offset) ? c + offset : nil, confidence: 1)
    }
    return AlignmentMap(frames: frames, referenceCount: referenceCount, offset: Double(offset))
  }

  /// The reference frame of a candidate frame; nil if it has none, or there is no such candidate frame.
  public func reference(of candidate: Int) -> Int? {
    frames.indices.contains(candidate) ? frames[candidate].reference : nil
  }

  /// For each reference frame, the candidate frames that it became, in order: none for a dropped frame, several for a
  /// repeated one.
  public func candidatesByReference() -> [[Int]] {
    var result = [[Int]](repeating: [], count: referenceCount)
    for (c, frame) in frames.enumerated() {
      if let r = frame.reference, result.indices.contains(r) { result[r].append(c) }
    }
    return result
  }

  /// Candidate frames with a partner.
  public var pairCount: Int { frames.reduce(0) { $0 + ($1.reference == nil ? 0 : 1) } }
}

/// A pair of frames that a person named: the map goes through it.
public struct SyncPoint: Hashable, Codable, Sendable {
  public var reference: Int
  public var candidate: Int

  public init(reference: Int, candidate: Int) {
    self.reference = reference
    self.candidate = candidate
  }
}

extension SyncPoint: LosslessStringConvertible {
  /// The numbers of the reference's and the candidate's frame, as in 120:117.
  public var description: String { "\(reference):\(candidate)" }

  public init?(_ description: String) {
    let numbers = description.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let reference = numbers[0], let candidate = numbers[1], reference >= 0, candidate >= 0
    else { return nil }
    self.init(reference: reference, candidate: candidate)
  }
}

/// The difference between a candidate's pictures and the reference's as a whole.
public struct PictureChange: Hashable, Codable, Sendable {
  /// The part of the reference's frames that the candidate's whole frames would show; beyond 0…1 where the candidate has
  /// borders.
  public var shown = PictureRect.whole
  /// The candidate's frames without borders.
  public var candidatePicture = PictureRect.whole
  /// The candidate has to be mirrored left to right, then turned clockwise by so many quarters.
  public var isMirrored = false
  public var quarterTurns = 0
  /// The candidate's luma for some of the reference's, darkest first; empty if nothing is known. Limited range, 8 bits.
  public var tone: [TonePoint] = []

  public struct TonePoint: Hashable, Codable, Sendable {
    public var reference: Float
    public var candidate: Float
  }

  public init() {}
}
