import Alignment
import FoundationEssentials

/// A comparison as files for programs.
extension ClipComparison {
  private struct Document: Encodable {
    struct Figure: Encodable {
      var metric: Metric
      var frames: Int
      var mean: Double
      var harmonicMean: Double
      var p1: Double
      var p5: Double
      var worst: [PairScore]
    }

    struct Frame: Encodable {
      var candidate: Int
      var reference: Int?
      var confidence: Float
      var psnr: Double?
      var ssim: Double?
      var multiScaleSSIM: Double?
      var xpsnr: Double?
      var vmaf: Double?

      enum CodingKeys: String, CodingKey {
        case candidate, reference, confidence, psnr, ssim, xpsnr, vmaf
        case multiScaleSSIM = "ms-ssim"
      }
    }

    var version = 1
    var reference: ComparedClip
    var candidate: ComparedClip
    var verdict: AlignmentMap.Verdict
    var offset: Double?
    var rate: Double
    var matched: Int
    var syncPoints: [SyncPoint]
    var turned: Bool
    var converted: Bool
    var events: [AlignmentReport.Event]
    var metrics: [Figure]
    var frames: [Frame]
  }

  /// Returns comparisons as JSON: an object, or an array of several. Infinite figures, as of equal frames, are "inf".
  public static func json(_ comparisons: [ClipComparison]) throws -> [UInt8] {
    let documents = comparisons.map(\.document)
    return try documents.count == 1 ? encode(documents[0]) : encode(documents)
  }

  private var document: Document {
    let report = AlignmentReport(id: "", map: map)
    let figures = metrics.compactMap { metric in
      ScoreSummary(metric, pairs).map {
        Document.Figure(
          metric: metric, frames: $0.count, mean: $0.mean, harmonicMean: $0.harmonicMean, p1: $0.percentile1, p5: $0.percentile5, worst: $0.worst)
      }
    }
    let scores = Dictionary(pairs.map { ($0.candidate, $0) }, uniquingKeysWith: { first, _ in first })
    let frames = map.frames.enumerated().map { index, frame in
      Document.Frame(
        candidate: index, reference: frame.reference, confidence: frame.confidence, psnr: scores[index]?.psnr,
        ssim: scores[index]?.ssim, multiScaleSSIM: scores[index]?.multiScaleSSIM, xpsnr: scores[index]?.xpsnr,
        vmaf: scores[index]?.vmaf)
    }
    return Document(
      reference: reference, candidate: candidate, verdict: map.verdict, offset: map.offset, rate: map.rate, matched: map.pairCount,
      syncPoints: map.syncPoints, turned: changes.contains(.turned), converted: changes.contains(.converted),
      events: report.events, metrics: figures, frames: frames)
  }

  /// Returns the alignment alone as one line of JSON: for each candidate frame its reference frame or null, and the confidence.
  public func mapJSON(id: String, seconds: Double?) throws -> [UInt8] {
    try Self.encode(AlignmentReport(id: id, map: map, seconds: seconds)) + [UInt8(ascii: "\n")]
  }

  static func encode(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return Array(try encoder.encode(value))
  }

  /// Returns a line for each matched frame, with commas; of several candidates, with the number of the candidate, from 1.
  public static func csv(_ comparisons: [ClipComparison]) -> String {
    let metrics = comparisons.first?.metrics ?? []
    let header = (comparisons.count > 1 ? ["clip"] : []) + ["candidate", "reference", "time"] + metrics.map(\.rawValue)
    let lines = comparisons.enumerated().flatMap { index, comparison in
      comparison.pairs.map { pair in
        (comparisons.count > 1 ? ["\(index + 1)"] : []) + ["\(pair.candidate)", "\(pair.reference)", ComparisonText.number(pair.time)]
          + metrics.map { pair[$0].map(ComparisonText.number) ?? "" }
      }
    }
    return ([header] + lines).map { $0.joined(separator: ",") + "\n" }.joined()
  }
}
