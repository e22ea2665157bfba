import Alignment
import DecodePool
import Glibc
import Libav
import Metrics
import Pixels
import Playback
import Synchronization

/// A metric of the similarity of two frames.
public enum Metric: String, CaseIterable, Hashable, Sendable, Codable {
  case psnr, ssim
  case multiScaleSSIM = "ms-ssim"
  case xpsnr, vmaf
}

/// The figures of one pair of frames.
public struct PairScore: Hashable, Sendable, Codable {
  public let candidate: Int
  public let reference: Int
  /// The candidate's time in seconds.
  public let time: Double
  /// The mean squared error over all planes, weighted by their size, as a share of the greatest value's square.
  public var squaredError: Double?
  public var ssim: Double?
  public var multiScaleSSIM: Double?
  /// In decibels, of luma; infinite for equal frames.
  public var xpsnr: Double?
  /// 0…100.
  public var vmaf: Double?

  /// In decibels; infinite for equal frames.
  public var psnr: Double? { squaredError.map { -10 * log10($0) } }

  public subscript(metric: Metric) -> Double? {
    switch metric {
    case .psnr: psnr
    case .ssim: ssim
    case .multiScaleSSIM: multiScaleSSIM
    case .xpsnr: xpsnr
    case .vmaf: vmaf
    }
  }
}

/// Two clips, aligned and measured.
public struct ClipComparison: Sendable {
  public let reference: ComparedClip
  public let candidate: ComparedClip
  public let map: AlignmentMap
  public let metrics: [Metric]
  /// The matched frames, in the candidate's order.
  public let pairs: [PairScore]
  /// The changes that brought the candidate to the reference's form.
  public let changes: CandidateChanges
  /// The options that led to this.
  let method: ComparisonMethod

  /// The first frames that belong together; nil if none do.
  public var firstPair: (candidate: Int, reference: Int)? {
    guard let index = map.frames.firstIndex(where: { $0.reference != nil }), let reference = map.frames[index].reference else { return nil }
    return (index, reference)
  }

  /// Choices for a comparison.
  public struct Options: Sendable {
    public var metrics: [Metric] = [.psnr, .ssim]
    /// False to pair frames by their numbers.
    public var aligns = true
    /// Frames that belong together; empty for those in the store, if there is one.
    public var syncPoints: [SyncPoint] = []
    public var syncStore: SyncPointStore?
    public var threads = 1
    public var network: Network?
    /// The path of an `ffmpeg` that computes VMAF; nil to look for libvmaf or an `ffmpeg`.
    public var vmafProgram: String?
    /// The engine for VMAF, if it has been found already.
    var vmafEngine: VMAFEngine?
    /// The store of signatures; nil to sign all frames again.
    public var store: SignatureStore?

    public init() {}

    /// Returns the points that the alignment of a pair has to go through.
    ///
    /// - Throws: `ComparisonError` for the file with the points.
    func syncPoints(reference: String, candidate: String) throws -> [SyncPoint] {
      guard aligns else { return [] }
      guard syncPoints.isEmpty, let syncStore else { return syncPoints }
      do {
        return try syncStore.points(reference: reference, candidate: candidate)
      } catch let error as PlaybackError {
        throw ComparisonError(path: syncStore.path, error: error)
      }
    }
  }

  /// A part of the work.
  public enum Stage: Sendable {
    case reading, aligning, measuring
  }

  /// Aligns and measures; blocks until done.
  ///
  /// - Parameter progress: called from several threads with the frames done and their expected number, 0 if unknown.
  /// - Throws: `ComparisonError` for a clip that cannot be read, or `PlaybackError`.
  public static func compare(
    reference: String, candidate: String, options: Options = Options(),
    progress: @escaping @Sendable (Stage, _ done: Int, _ total: Int) -> Void = { _, _, _ in }
  ) throws -> ClipComparison {
    let vmaf = try options.metrics.contains(.vmaf) ? orPlaybackError { try options.vmafEngine ?? .find(program: options.vmafProgram) } : nil
    let paths = [reference, candidate]
    @Sendable func open(_ path: String) throws -> SequentialFrames {
      do {
        return try SequentialFrames(path: path, threads: options.threads, network: options.network)
      } catch let error as PlaybackError {
        throw ComparisonError(path: path, error: error)
      }
    }
    let syncPoints = try options.syncPoints(reference: reference, candidate: candidate)
    let done = Mutex(0)
    let signed = try Self.inParallel(paths) { path in
      let frames = try open(path)
      let signatures: SignatureSequence
      do {
        signatures = try SignaturePass.signatures(of: frames, path: path, store: options.store) { _ in
          let count = done.withLock { done in
            done += 1
            return done
          }
          progress(.reading, count, 0)
        }
      } catch let error as PlaybackError {
        throw ComparisonError(path: path, error: error)
      }
      return (signatures, ComparedClip(path, frames.track, frameCount: signatures.count))
    }
    progress(.aligning, 0, 0)
    let map =
      options.aligns
      ? try Aligner.align(
        reference: signed[0].0, candidate: signed[1].0, priors: AlignmentPriors(syncPoints: syncPoints))
      : AlignmentMap.constant(offset: 0, candidateCount: signed[1].0.count, referenceCount: signed[0].0.count)
    let wanted = map.frames.enumerated().compactMap { index, frame in frame.reference.map { (candidate: index, reference: $0) } }
    var scores: [PairScore] = [], changes: CandidateChanges = []
    if !options.metrics.isEmpty, map.verdict != .unrelated {
      let reader = try FramePairReader { try open($0 == .reference ? reference : candidate) }
      var meters: PairMeters?
      for pair in wanted {
        guard let frames = try reader.go(to: pair) else { break }
        let measuring = try meters ?? PairMeters(
          frames.reference, options.metrics, framesPerSecond: reader.framesPerSecond, turning: reader.turning,
          vmaf: vmaf.map { ($0, options.threads) })
        meters = measuring
        scores.append(try measuring.score(frames, pair, time: reader.candidateTime))
        progress(.measuring, scores.count, wanted.count)
      }
      changes = meters?.changes ?? []
      for (index, score) in try meters?.finish().enumerated() ?? [].enumerated() { scores[index].vmaf = score }
    }
    return ClipComparison(
      reference: signed[0].1, candidate: signed[1].1, map: map, metrics: options.metrics, pairs: scores, changes: changes,
      method: ComparisonMethod(metrics: options.metrics, aligns: options.aligns, syncPoints: syncPoints))
  }

  /// Does the same for several inputs, each on a thread of its own.
  private static func inParallel<Input: Sendable, Output: Sendable>(
    _ inputs: [Input], _ body: @escaping @Sendable (Input) throws -> Output
  ) throws -> [Output] {
    let results = Monitor<[Int: Result<Output, any Error>]>([:])
    for (index, input) in inputs.enumerated() {
      @Sendable func work() {
        let result = Result { try body(input) }
        results.withLock { $0[index] = result }
        results.broadcast()
      }
      // Without a thread, this one does the work.
      do { try detachThread(work) } catch { work() }
    }
    let all = results.wait { $0.count == inputs.count ? $0 : nil }
    return try inputs.indices.map { index in
      guard let result = all[index] else { throw CancellationError() }
      return try result.get()
    }
  }
}

/// A clip that could not be compared.
public struct ComparisonError: Error {
  public let path: String
  public let error: PlaybackError
}

/// A clip as it was compared.
public struct ComparedClip: Hashable, Sendable, Codable {
  /// The name it was given by; untrusted text.
  public let path: String
  public let width: Int
  public let height: Int
  public let framesPerSecond: Double
  public let frameCount: Int
  public let codec: String

  init(_ path: String, _ track: AssetTrack, frameCount: Int) {
    self.path = WebAddress.withoutCredentials(path)
    (width, height) = (track.codedSize.width, track.codedSize.height)
    (framesPerSecond, codec) = (track.nominalFrameRate, track.codec)
    self.frameCount = frameCount
  }
}

/// The meters of one comparison, all for the reference's format.
final class PairMeters {
  private let format: MeasuredFormat
  private let fidelity: FidelityMeter?
  private let multiScaleSSIM: MultiScaleSSIMMeter?
  private let xpsnr: XPSNRMeter?
  private let vmaf: VMAFRuns?
  private let metrics: [Metric]
  /// The reference frame measured last.
  private var last: Int?
  /// The changes to the candidate's frames so far.
  private(set) var changes: CandidateChanges = []

  /// - Parameter turning: the orientation in which the candidate's frames look like the reference's as they are stored.
  /// - Throws: `PlaybackError`.
  init(
    _ reference: DecodedFrame, _ metrics: [Metric], framesPerSecond: Double, turning: Orientation,
    vmaf: (engine: VMAFEngine, threads: Int)? = nil
  ) throws {
    format = MeasuredFormat(of: reference, turning: turning)
    self.metrics = metrics
    let frame = try format.frame(reference)
    guard let planes = MetricFrame(frame) else { throw PlaybackError(.damaged, "has frames that cannot be measured") }
    let form = try orPlaybackError { try MetricForm(of: planes) }
    fidelity = metrics.contains(.psnr) || metrics.contains(.ssim) ? FidelityMeter(form: form) : nil
    multiScaleSSIM = try metrics.contains(.multiScaleSSIM) ? orPlaybackError { try MultiScaleSSIMMeter(form: form) } : nil
    xpsnr = metrics.contains(.xpsnr) ? XPSNRMeter(form: form, framesPerSecond: framesPerSecond) : nil
    self.vmaf = vmaf.map { VMAFRuns($0.engine, form: form, threads: $0.threads) }
  }

  /// The VMAF of all pairs, in their order; none if it is not measured.
  func finish() throws -> [Double] { try orPlaybackError { try vmaf?.finish() ?? [] } }

  /// Takes a frame of the reference that is not measured but comes before one that is.
  func skip(_ reference: DecodedFrame, number: Int) throws {
    let frame = try format.frame(reference)
    if let xpsnr, let planes = MetricFrame(frame) { try xpsnr.skip(reference: planes) }
    last = number
  }

  func score(
    _ frames: (reference: DecodedFrame, candidate: DecodedFrame), _ pair: (candidate: Int, reference: Int), time: Int64
  ) throws -> PairScore {
    let other = try format.candidate(frames.candidate)
    changes.formUnion(other.changes)
    guard let reference = MetricFrame(try format.frame(frames.reference)), let candidate = MetricFrame(other.frame) else {
      throw PlaybackError(.damaged, "has frames that cannot be measured")
    }
    var score = PairScore(candidate: pair.candidate, reference: pair.reference, time: Double(time) / 1e9)
    if let fidelity = try fidelity?.measure(reference: reference, candidate: candidate) {
      if metrics.contains(.psnr) {
        let peak = Double(fidelity.psnr.peak)
        score.squaredError = fidelity.psnr.meanSquaredError / (peak * peak)
      }
      if metrics.contains(.ssim) { score.ssim = fidelity.ssim.all }
    }
    if let multiScaleSSIM {
      score.multiScaleSSIM = try orPlaybackError { try multiScaleSSIM.measure(reference: reference, candidate: candidate) }
    }
    if let vmaf { try orPlaybackError { try vmaf.add(reference: reference, candidate: candidate, pair) } }
    if let xpsnr {
      // What moves is judged against the frame before, which a gap or a jump takes away.
      if let last, pair.reference != last + 1 { xpsnr.reset() }
      score.xpsnr = try xpsnr.measure(reference: reference, candidate: candidate).decibels(ofPlane: 0)
    }
    last = pair.reference
    return score
  }
}
