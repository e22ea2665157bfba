import Glibc

/// The scores of a clip's frames in one metric, and the figures that follow from them.
///
/// Frames may be added in any order, and the scores of parts of a clip merged in any order: equal frames give equal figures, to
/// the last bit. Takes 16 bytes for each frame.
public struct ClipScore: Hashable, Sendable {
  /// The meaning of what is stored for each frame, and the way to the figure of a clip.
  public enum Pooling: Hashable, Sendable, Codable {
    /// The score itself. A clip has their mean: SSIM, MS-SSIM, VMAF.
    case mean
    /// A mean squared error. A clip has the PSNR of their mean.
    case meanSquaredError(peak: Int)
    /// The square root of a weighted error. A clip has the XPSNR of their mean.
    case rootError(sampleCount: Int, peak: Int)
  }

  /// A frame of the candidate, and its score.
  public struct Frame: Hashable, Sendable, Codable {
    public let frame: Int
    public let score: Double
  }

  public let pooling: Pooling

  /// The frames, in their order, and what is stored for each.
  private var frames: [Int] = []
  private var values: [Double] = []

  public init(_ pooling: Pooling) { self.pooling = pooling }

  /// The number of frames that were matched and measured.
  public var count: Int { frames.count }

  /// Adds a frame, or replaces it. `value` is what `pooling` names; NaN is ignored.
  public mutating func add(_ value: Double, frame: Int) {
    guard !value.isNaN else { return }
    if frames.last.map({ $0 < frame }) ?? true {
      frames.append(frame)
      values.append(value)
      return
    }
    let i = index(notBefore: frame)
    if frames[i] == frame {
      values[i] = value
    } else {
      frames.insert(frame, at: i)
      values.insert(value, at: i)
    }
  }

  /// Adds the frames of another part of the clip. Frames of both have the values of `other`.
  ///
  /// Both must have the same pooling.
  public mutating func merge(_ other: ClipScore) {
    precondition(pooling == other.pooling, "scores of different metrics")
    guard let first = other.frames.first else { return }
    if let last = frames.last, last >= first {
      var merged = ClipScore(pooling)
      var i = 0, k = 0
      while i < frames.count || k < other.frames.count {
        let own = i < frames.count ? frames[i] : .max, others = k < other.frames.count ? other.frames[k] : .max
        merged.frames.append(min(own, others))
        merged.values.append(others <= own ? other.values[k] : values[i])
        if own <= others { i += 1 }
        if others <= own { k += 1 }
      }
      self = merged
    } else {
      frames += other.frames
      values += other.values
    }
  }

  /// The score of a frame; nil if it was not added.
  public func score(ofFrame frame: Int) -> Double? {
    let i = index(notBefore: frame)
    return i < frames.count && frames[i] == frame ? score(values[i]) : nil
  }

  /// The scores of all frames, in their order.
  public var scores: [Frame] { zip(frames, values).map { Frame(frame: $0, score: score($1)) } }

  /// The figure of the clip; nil without frames.
  ///
  /// That of an error is the ratio of the mean error, not the mean of ratios.
  public var figure: Double? {
    guard count > 0 else { return nil }
    let mean = values.reduce(0, +) / Double(count)
    // FFmpeg's rule for errors that hardly are any.
    if case .rootError = pooling, mean < 1 { return self.mean }
    return score(mean)
  }

  /// The mean of the frames' scores; nil without frames. Infinite if a score is.
  public var mean: Double? { count > 0 ? scores.reduce(0) { $0 + $1.score } / Double(count) : nil }

  /// The harmonic mean of the frames' scores, nil without frames: n / Σ 1/(score + 1) − 1, as in VMAF's tools.
  public var harmonicMean: Double? {
    count > 0 ? Double(count) / scores.reduce(0) { $0 + 1 / ($1.score + 1) } - 1 : nil
  }

  /// The score that a share of the frames (0…1) does not exceed, interpolated between two frames; nil without frames.
  public func percentile(_ share: Double) -> Double? {
    let sorted = scores.map(\.score).sorted()
    guard let last = sorted.indices.last else { return nil }
    let place = min(max(share, 0), 1) * Double(last), below = sorted[Int(place)], above = sorted[min(Int(place) + 1, last)]
    let rest = place - place.rounded(.down)
    return rest == 0 || below == above ? below : below + (above - below) * rest
  }

  /// The frames with the lowest scores, the worst first; the earlier of two that are as bad.
  public func worst(_ most: Int) -> [Frame] {
    Array(scores.sorted { ($0.score, $0.frame) < ($1.score, $1.frame) }.prefix(max(0, most)))
  }

  /// The figures of the clip in a few numbers; nil without frames.
  public var summary: ScoreSummary? {
    guard let figure, let mean, let harmonicMean, let p1 = percentile(0.01), let p5 = percentile(0.05),
      let worst = worst(1).first
    else { return nil }
    return ScoreSummary(
      frameCount: count, figure: figure, mean: mean, harmonicMean: harmonicMean, p1: p1, p5: p5, worst: worst.score,
      worstFrame: worst.frame)
  }

  private func score(_ value: Double) -> Double {
    switch pooling {
    case .mean: value
    case .meanSquaredError(let peak): PSNR.decibels(value, peak: peak)
    case .rootError(let samples, let peak):
      value < 1 ? .infinity : XPSNR.decibels(rootError: value, sampleCount: samples, peak: peak)
    }
  }

  /// The place of the first frame that does not come before `frame`.
  private func index(notBefore frame: Int) -> Int {
    var low = 0, high = frames.count
    while low < high {
      let middle = (low + high) / 2
      if frames[middle] < frame { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension ClipScore: Codable {
  private enum CodingKeys: String, CodingKey {
    case pooling, frames, values
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    pooling = try container.decode(Pooling.self, forKey: .pooling)
    frames = try container.decode([Int].self, forKey: .frames)
    values = try container.decode([Double].self, forKey: .values)
    guard frames.count == values.count, zip(frames, frames.dropFirst()).allSatisfy({ $0 < $1 }) else {
      throw DecodingError.dataCorruptedError(
        forKey: .frames, in: container, debugDescription: "the frames are out of order, or some have no score")
    }
  }
}
