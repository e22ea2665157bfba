import Alignment
import DecodePool
import Foundation
import Metrics
import Playback
import TestSupport
import Testing

@testable import Measuring

/// Alignment and metrics in the background, and what they keep.
@Suite(.timeLimit(.minutes(20))) struct MeasuringJobTests {
  private static let coding = ["-c:v", "libx264", "-preset", "ultrafast", "-qp", "20", "-pix_fmt", "yuv420p", "-g", "12"]

  private func reference() throws -> String {
    try SampleMedia.clip(
      name: "job.mp4",
      arguments: ["-f", "lavfi", "-i", "mandelbrot=size=160x90:rate=25:maxiter=200:start_scale=1:end_scale=0.3,trim=end_frame=150,setpts=N/25/TB"]
        + Self.coding)
  }

  /// Lacks the first five frames and one more.
  private func candidate() throws -> String {
    try SampleMedia.clip(
      name: "job-dropped.mkv",
      arguments: ["-i", reference(), "-vf", "select='gte(n,5)*not(eq(n,90))',setpts=N/25/TB"] + Self.coding)
  }

  private static let candidatePartners = Array(5..<90) + Array(91..<150)

  /// Waits until something is so, as jobs tell that there is news.
  private func wait<Result>(_ news: Monitor<Int>, for result: () -> Result?) -> Result? {
    var seen = -1
    let deadline = monotonicNanoseconds() + 300_000_000_000
    while true {
      if let found = result() { return found }
      guard let count = news.wait(until: deadline, for: { $0 != seen ? $0 : nil }) else { return nil }
      seen = count
    }
  }

  private func aligned(_ candidates: [String], folder: String?) throws -> [AlignmentJob.Progress]? {
    let news = Monitor(0)
    let job = AlignmentJob(
      reference: try reference(), candidates: candidates, frameCounts: [150, 144], store: folder.map(SignatureStore.init), network: nil
    ) {
      news.withLock { $0 += 1 }
      news.broadcast()
    }
    return wait(news) {
      let progress = job.progress
      return progress.allSatisfy { if case .underway = $0 { false } else { true } } ? progress : nil
    }
  }

  @Test func clipsAreAlignedAndTheirSignaturesKept() throws {
    let folder = try TemporaryFolder()
    let progress = try #require(try aligned([candidate(), "/none.mp4"], folder: folder.path("cache")))
    guard case .done(let clip) = progress[0], case .failed(let path, _) = progress[1] else {
      Issue.record("\(progress)")
      return
    }
    #expect(clip.candidate.numbers == Self.candidatePartners && path == "/none.mp4")
    #expect(clip.map.events.map(\.kind) == [.dropped] && clip.candidate.times.count == 144)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("cache"))
    #expect(names.count == 2 && names.allSatisfy { $0.hasSuffix(".signatures") })
    // The second time they are read from there, as changed ones show.
    let store = SignatureStore(folder: folder.path("cache"))
    let key = try #require(SignatureStore.Key(path: candidate(), track: 0))
    let known = try #require(store.load(key))
    #expect(known.times == clip.candidate.times)
    var fewer = SignatureSequence(frameRate: known.frameRate, aspect: known.aspect)
    for i in 0..<100 {
      fewer.append(FrameSignature(luma: Array(known.luma[i * known.grid.count..<(i + 1) * known.grid.count])), time: known.times[i])
    }
    store.save(fewer, key)
    guard case .done(let again) = try aligned([candidate()], folder: folder.path("cache"))?.first else {
      Issue.record("not aligned")
      return
    }
    #expect(again.candidate.times.count == 100)
    // Damaged ones are made anew.
    for name in names { try Data([1, 2, 3]).write(to: URL(fileURLWithPath: folder.path("cache/\(name)"))) }
    #expect(store.load(key) == nil)
  }

  @Test func syncPointsAreKeptForClipsThatHaveSomethingInCommon() throws {
    let folder = try TemporaryFolder()
    let store = SyncPointStore(path: folder.path("points"))
    let other = try SampleMedia.clip(
      name: "job-other.mp4", arguments: ["-f", "lavfi", "-i", "testsrc2=size=160x90:rate=25,trim=end_frame=90"] + Self.coding)
    func maps(_ edits: [Int: SyncEdit]) throws -> [AlignmentMap] {
      let news = Monitor(0)
      let job = AlignmentJob(
        reference: try reference(), candidates: [try candidate(), other], frameCounts: [], store: nil, syncPoints: store,
        edits: edits, network: nil
      ) {
        news.withLock { $0 += 1 }
        news.broadcast()
      }
      let maps = wait(news) { () -> [AlignmentMap]? in
        let maps = job.progress.compactMap { progress -> AlignmentMap? in
          guard case .done(let clip) = progress else { return nil }
          #expect(clip.syncFailure == nil)
          return clip.map
        }
        return maps.count == 2 ? maps : nil
      }
      return try #require(maps)
    }
    // Frame 20 of the reference is frame 15 of the candidate.
    let add = SyncEdit.add(reference: 800_000_000, candidate: 600_000_000)
    let first = try maps([0: add, 1: add])
    let point = SyncPoint(reference: 20, candidate: 15)
    #expect(first[0].syncPoints == [point] && first[0].frames.map(\.reference) == Self.candidatePartners)
    #expect(first[1].verdict == .unrelated)
    #expect(try store.points(reference: reference(), candidate: candidate()) == [point])
    #expect(try store.points(reference: reference(), candidate: other) == [])
    #expect(try maps([:])[0].syncPoints == [point])
    #expect(try maps([0: .remove(point)])[0].syncPoints == [])
    #expect(try store.points(reference: reference(), candidate: candidate()) == [])
  }

  /// From the middle, in any order, frames get the figures of the comparison as a whole.
  @Test(arguments: [Metric.psnr, .ssim, .xpsnr]) func scoresAreThoseOfTheWholeClip(metric: Metric) throws {
    let folder = try TemporaryFolder()
    var options = ClipComparison.Options()
    options.metrics = [metric]
    let whole = try ClipComparison.compare(reference: reference(), candidate: candidate(), options: options)
    guard case .done(let clip) = try aligned([candidate()], folder: nil)?.first else {
      Issue.record("not aligned")
      return
    }
    let clips = ScoreJob.Clips(reference: try reference(), candidate: try candidate(), aligned: clip, network: nil)
    func measured(from frame: Int) -> ScoreJob.Snapshot? {
      let news = Monitor(0)
      let job = ScoreJob(metric, of: clips, from: frame, store: ScoreStore(folder: folder.path("scores"))) {
        news.withLock { $0 += 1 }
        news.broadcast()
      }
      return wait(news) {
        let snapshot = job.snapshot
        return snapshot.table.isComplete && snapshot.figures != nil || snapshot.failure != nil ? snapshot : nil
      }
    }
    let snapshot = try #require(measured(from: 120))
    #expect(snapshot.failure == nil && snapshot.table.measuredCount == 144)
    for pair in whole.pairs {
      let own = try #require(snapshot.table.score(pair.candidate)), expected = try #require(pair[metric])
      #expect(own == expected, "frame \(pair.candidate)")
    }
    #expect(snapshot.figures?.summary.mean == ScoreSummary(metric, whole.pairs)?.mean)
  }

  /// Scores of 0, 1, 2 … along each run tell which frames were measured together.
  @Test func vmafIsMeasuredInRuns() throws {
    let folder = try TemporaryFolder()
    guard case .done(let clip) = try aligned([candidate()], folder: nil)?.first else {
      Issue.record("not aligned")
      return
    }
    let clips = ScoreJob.Clips(reference: try reference(), candidate: try candidate(), aligned: clip, network: nil)
    func measured(with program: String) -> ScoreJob.Snapshot? {
      let news = Monitor(0)
      let wake: @Sendable () -> Void = {
        news.withLock { $0 += 1 }
        news.broadcast()
      }
      let search = VMAFSearch(program: program, wake: wake)
      let job = ScoreJob(.vmaf, of: clips, from: 120, store: ScoreStore(folder: folder.path("scores")), vmaf: search, wake: wake)
      return wait(news) {
        let snapshot = job.snapshot
        return snapshot.table.isComplete && snapshot.figures != nil || snapshot.failure != nil ? snapshot : nil
      }
    }
    #expect(measured(with: "/bin/false")?.failure?.message.contains("/bin/false") == true)
    let snapshot = try #require(measured(with: try StandIn.ffmpeg(in: folder)))
    #expect(snapshot.failure == nil && snapshot.table.isComplete)
    // A run is fed the frame before and the one after, if both clips go on there.
    #expect([120, 121, 143].map(snapshot.table.score) == [1, 2, 24])
    #expect([0, 1, 47, 48, 49, 84].map(snapshot.table.score) == [0, 1, 47, 1, 2, 37])
    #expect([85, 86, 119].map(snapshot.table.score) == [0, 1, 34])
    // Kept, so nothing has to be found.
    #expect(measured(with: "/bin/false")?.table.isComplete == true)
  }

  private static let engine = try? VMAFEngine.find(program: ProcessInfo.processInfo.environment["QUADRILLE_VMAF_FFMPEG"])

  /// From the middle, in runs, frames get the figures of the comparison as a whole.
  @Test(.enabled(if: engine != nil, "neither libvmaf nor an ffmpeg with its filter is installed"))
  func vmafOfRunsIsThatOfTheWholeClip() throws {
    let program = ProcessInfo.processInfo.environment["QUADRILLE_VMAF_FFMPEG"]
    var options = ClipComparison.Options()
    (options.metrics, options.vmafProgram) = ([.vmaf], program)
    let whole = try ClipComparison.compare(reference: reference(), candidate: candidate(), options: options)
    guard case .done(let clip) = try aligned([candidate()], folder: nil)?.first else {
      Issue.record("not aligned")
      return
    }
    let news = Monitor(0)
    let wake: @Sendable () -> Void = {
      news.withLock { $0 += 1 }
      news.broadcast()
    }
    let clips = ScoreJob.Clips(reference: try reference(), candidate: try candidate(), aligned: clip, network: nil)
    let job = ScoreJob(.vmaf, of: clips, from: 60, store: nil, vmaf: VMAFSearch(program: program, wake: wake), wake: wake)
    let table = try #require(wait(news) { job.snapshot.table.isComplete || job.snapshot.failure != nil ? job.snapshot.table : nil })
    for pair in whole.pairs { #expect(table.score(pair.candidate) == pair.vmaf, "frame \(pair.candidate)") }
  }

  @Test func anyFrameIsFound() throws {
    let path = try reference()
    let times = try #require(SignatureStoreProbe.times(of: path))
    func shade(_ cursor: FrameCursor, _ number: Int) throws -> [UInt8] {
      let frame = try #require(try cursor.frame(number))
      let luma = try #require(frame.planarSamples?.first)
      return (0..<160).map { luma.memory[$0] }
    }
    let plain = try FrameCursor(times: times) { try SequentialFrames(path: path, threads: 1) }
    let rows = try (0..<150).map { try shade(plain, $0) }
    let cursor = try FrameCursor(times: times) { try SequentialFrames(path: path, threads: 1) }
    for number in [120, 121, 3, 140, 139, 100, 0, 149] {
      let row = try shade(cursor, number)
      #expect(row == rows[number], "\(number)")
    }
    #expect(try cursor.frame(150) == nil)
  }
}

private enum SignatureStoreProbe {
  /// The times of all frames as decoded from the beginning.
  static func times(of path: String) -> [Int64]? {
    guard let frames = try? SequentialFrames(path: path, threads: 1) else { return nil }
    var times: [Int64] = []
    while (try? frames.next()) == true { times.append(frames.time) }
    return times
  }
}
