/// The figures of a clip in one metric.
///
/// In JSON, infinite figures are the string "inf".
public struct ScoreSummary: Hashable, Sendable {
  /// The number of frames that were matched and measured.
  public let frameCount: Int
  /// The figure of the clip, as `ClipScore.figure` defines it.
  public let figure: Double
  /// The mean and the harmonic mean of the frames' scores.
  public let mean, harmonicMean: Double
  /// The scores that 1 % and 5 % of the frames do not exceed.
  public let p1, p5: Double
  /// The lowest score, and the first frame that has it.
  public let worst: Double
  public let worstFrame: Int
}

extension ScoreSummary: Codable {
  private enum CodingKeys: String, CodingKey {
    case frameCount = "frames"
    case figure, mean, harmonicMean, p1, p5, worst, worstFrame
  }

  /// A number that may be infinite.
  private struct Figure: Codable {
    let value: Double

    init(_ value: Double) { self.value = value }

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let text = try? container.decode(String.self) {
        guard text == "inf" else {
          throw DecodingError.dataCorruptedError(in: container, debugDescription: "neither a number nor \"inf\": \(text)")
        }
        value = .infinity
      } else {
        value = try container.decode(Double.self)
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      if value == .infinity { try container.encode("inf") } else { try container.encode(value) }
    }
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func figure(_ key: CodingKeys) throws -> Double { try container.decode(Figure.self, forKey: key).value }
    self.init(
      frameCount: try container.decode(Int.self, forKey: .frameCount), figure: try figure(.figure), mean: try figure(.mean),
      harmonicMean: try figure(.harmonicMean), p1: try figure(.p1), p5: try figure(.p5), worst: try figure(.worst),
      worstFrame: try container.decode(Int.self, forKey: .worstFrame))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(frameCount, forKey: .frameCount)
    let figures: [(CodingKeys, Double)] = [
      (.figure, figure), (.mean, mean), (.harmonicMean, harmonicMean), (.p1, p1), (.p5, p5), (.worst, worst),
    ]
    for (key, value) in figures { try container.encode(Figure(value), forKey: key) }
    try container.encode(worstFrame, forKey: .worstFrame)
  }
}
