import Alignment
import DecodePool
import Pixels
import Playback
import TestSupport
import Testing

@testable import Measuring

/// Clips that are stored turned, as by phones, are aligned and measured as displayed.
@Suite(.timeLimit(.minutes(20))) struct TurnedClipTests {
  private static let size = PixelSize(width: 160, height: 90)
  private static let frameCount = 40

  private func coding(_ pixelFormat: String) -> [String] {
    ["-c:v", "libx264", "-preset", "ultrafast", "-qp", "16", "-pix_fmt", pixelFormat]
  }

  private func upright(_ pixelFormat: String = "yuv420p") throws -> String {
    let source = "mandelbrot=size=160x90:rate=25:maxiter=200:start_scale=1:end_scale=0.3"
    return try SampleMedia.clip(
      name: "upright.mp4",
      arguments: ["-f", "lavfi", "-i", "\(source),trim=end_frame=\(Self.frameCount),setpts=N/25/TB"] + coding(pixelFormat))
  }

  /// The upright clip, stored so that it is displayed upright in an orientation.
  private func clip(stored orientation: Orientation, _ pixelFormat: String = "yuv420p") throws -> String {
    let undone = ["null", "transpose=cclock", "hflip,vflip", "transpose=clock"][orientation.quarterTurns]
    let stored = try SampleMedia.clip(
      name: "stored.mp4",
      arguments: ["-i", upright(pixelFormat), "-vf", undone + (orientation.isMirrored ? ",hflip" : "")] + coding(pixelFormat))
    let size = orientation.swapsSides ? PixelSize(width: Self.size.height, height: Self.size.width) : Self.size
    return try DisplayMatrix(orientation).clip(of: stored, size: size)
  }

  private func expectEqualClips(_ comparison: ClipComparison, above decibels: Double = 35) {
    #expect(comparison.map.frames.map(\.reference) == Array(0..<Self.frameCount))
    #expect(comparison.map.frames.allSatisfy(\.isSure) && comparison.pairs.count == Self.frameCount)
    let worst = comparison.pairs.compactMap(\.psnr).min() ?? 0
    #expect(worst > decibels, "\(worst) dB")
  }

  @Test(arguments: (0..<8).map { Orientation(quarterTurns: $0, isMirrored: $0 >= 4) })
  func everyOrientationIsCompared(orientation: Orientation) throws {
    let comparison = try ClipComparison.compare(reference: upright(), candidate: clip(stored: orientation))
    expectEqualClips(comparison)
    #expect(comparison.changes == (orientation == .upright ? [] : .turned))
    let lines = ComparisonText(comparison).lines
    #expect(lines.contains { $0.contains("turned to the reference's orientation") } == (orientation != .upright), "\(lines)")
  }

  @Test func theReferenceMayBeTurnedToo() throws {
    let one = Orientation(quarterTurns: 1, isMirrored: true), other = Orientation(quarterTurns: 2)
    let both = try ClipComparison.compare(reference: clip(stored: one), candidate: clip(stored: other))
    expectEqualClips(both)
    #expect(both.changes == .turned)
    let same = try ClipComparison.compare(reference: clip(stored: one), candidate: clip(stored: one))
    expectEqualClips(same, above: 100)
    #expect(same.changes == [])
  }

  /// Chroma that is halved across only is brought to every pixel, turned, and brought back.
  @Test func formatsThatCannotBeTurnedAreConverted() throws {
    let comparison = try ClipComparison.compare(
      reference: upright("yuv422p10le"), candidate: clip(stored: Orientation(quarterTurns: 1), "yuv422p10le"))
    // Chroma was halved in both directions on the way. FFmpeg measures the same: 31.52 dB at worst.
    expectEqualClips(comparison, above: 31)
    #expect(comparison.changes == [.turned, .converted])
  }

  /// The worker of the player measures as the command does.
  @Test func scoresInTheBackgroundAreThoseOfTheComparison() throws {
    let (reference, candidate) = (try upright(), try clip(stored: Orientation(quarterTurns: 3)))
    let whole = try ClipComparison.compare(reference: reference, candidate: candidate)
    let times = (0..<Int64(Self.frameCount)).map { $0 * 40_000_000 }
    let clips = ScoreJob.Clips(
      reference: reference, candidate: candidate,
      aligned: AlignedClip(map: whole.map, referenceTimes: times, candidateTimes: times), network: nil)
    let news = Monitor(0)
    let job = ScoreJob(.psnr, of: clips, from: 10, store: nil) {
      news.withLock { $0 += 1 }
      news.broadcast()
    }
    let deadline = monotonicNanoseconds() + 60_000_000_000
    let snapshot = try #require(news.wait(until: deadline) { _ in
      let snapshot = job.snapshot
      return snapshot.table.isComplete || snapshot.failure != nil ? snapshot : nil
    })
    for pair in whole.pairs { #expect(snapshot.table.score(pair.candidate) == pair.psnr, "frame \(pair.candidate)") }
  }

  /// Signatures of earlier versions are those of the frames as stored.
  @Test func earlierSignaturesOfTurnedClipsAreNotUsed() throws {
    let folder = try TemporaryFolder()
    let candidate = try clip(stored: Orientation(quarterTurns: 1))
    var options = ClipComparison.Options()
    (options.metrics, options.store) = ([], SignatureStore(folder: folder.path("cache")))
    let old = try #require(SignatureStore.Key(path: candidate, track: 0))
    var wrong = SignatureSequence(frameRate: 25, aspect: 16.0 / 9)
    wrong.append(FrameSignature(luma: [UInt8](repeating: 16, count: SignatureGrid.fine.count)), time: 0)
    options.store?.save(wrong, old)
    for _ in 0..<2 {
      let comparison = try ClipComparison.compare(reference: upright(), candidate: candidate, options: options)
      #expect(comparison.map.frames.map(\.reference) == Array(0..<Self.frameCount))
    }
    let key = try #require(SignatureStore.Key(path: candidate, track: 0, orientation: Orientation(quarterTurns: 1)))
    #expect(key != old && options.store?.load(key)?.count == Self.frameCount)
  }
}
