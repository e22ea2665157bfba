/// A map as the JSON lines of tools that judge alignments: short names, one array for each frame.
public struct AlignmentReport: Codable, Sendable {
  /// A candidate frame, its reference frame or null, and the confidence, as an array.
  public struct Entry: Codable, Sendable {
    public var candidate: Int
    public var reference: Int?
    public var confidence: Float

    public init(candidate: Int, reference: Int?, confidence: Float) {
      self.candidate = candidate
      self.reference = reference
      self.confidence = confidence
    }

    public init(from decoder: any Decoder) throws {
      var values = try decoder.unkeyedContainer()
      candidate = try values.decode(Int.self)
      reference = try values.decodeNil() ? nil : values.decode(Int.self)
      confidence = values.isAtEnd ? 1 : try values.decode(Float.self)
    }

    public func encode(to encoder: any Encoder) throws {
      var values = encoder.unkeyedContainer()
      try values.encode(candidate)
      if let reference { try values.encode(reference) } else { try values.encodeNil() }
      try values.encode((confidence * 1000).rounded() / 1000)
    }
  }

  public struct Event: Codable, Sendable {
    /// `missing`, `repeat`, `extra` or `moved`.
    public var type: String
    /// First frame, and the one after the last.
    public var cand: [Int]
    public var ref: [Int]
    public var conf: Float
  }

  public var id: String
  public var map: [Entry]
  public var rate: Double
  public var offset: Double?
  public var related: Bool
  public var verdict: AlignmentMap.Verdict
  /// Those that are sure.
  public var events: [Event]
  /// CPU time of the alignment.
  public var seconds: Double?

  public init(id: String, map: AlignmentMap, seconds: Double? = nil) {
    self.id = id
    self.map = map.frames.enumerated().map { Entry(candidate: $0, reference: $1.reference, confidence: $1.confidence) }
    rate = map.rate
    offset = map.offset
    related = map.verdict != .unrelated
    verdict = map.verdict
    self.seconds = seconds
    events = map.events.filter { $0.isSure }.map { event in
      let type = switch event.kind {
      case .dropped, .removed: "missing"
      case .repeated, .frozen: "repeat"
      case .inserted: "extra"
      case .swapped: "moved"
      }
      return Event(
        type: type, cand: [event.candidate.lowerBound, event.candidate.upperBound],
        ref: [event.reference.lowerBound, event.reference.upperBound], conf: event.confidence)
    }
  }
}
