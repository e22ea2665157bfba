import DecodePool
import Dispatch
import Glibc
import Pixels
import Playback
import Synchronization

/// The cost of an exact seek to a frame that is not cached, relative to ffmpeg's decoding up to it.
///
/// Uses the library in this process, with one thread and without a cache, so that nothing but the seek is counted.
enum ExactSeek {
  private static let count = 20

  static func measure(_ bench: Workbench, _ clip: ScrubClip) throws -> [TableRow] {
    let context = PlaybackContext(threads: 1)
    try context.bus.startDelivering()
    defer { context.bus.stopDelivering() }
    let player = Player(context: context)
    player.cacheBudget = 0
    let indexed = DispatchSemaphore(value: 0)
    let observer = player.addEventObserver(on: InlineExecutor()) { event in
      if event == .framesIndexed { indexed.signal() }
    }
    defer { observer.remove() }
    let output = VideoOutput(
      player, request: RenderRequest(box: PixelSize(width: Workbench.columns, height: 2 * (Workbench.rows - 3))))
    defer { withExtendedLifetime(output) {} }
    player.replaceCurrentItem(with: PlayerItem(asset: Asset(path: clip.path)))
    try wait(for: indexed, "the clip is not indexed")
    try awaitQuiet(context.pool)
    var ratios: [Double] = []
    var own: [Double] = []
    var theirs: [Double] = []
    for target in targets {
      let cpu = try seekCost(player, to: target)
      let key = target / ScrubClip.gop * ScrubClip.gop
      let decoding =
        try ffmpeg(bench, clip, from: key, count: target - key + 1)
        - ffmpeg(bench, clip, from: key, count: 1)
      own.append(cpu)
      theirs.append(decoding)
      ratios.append(cpu / decoding)
      try awaitQuiet(context.pool)
    }
    player.replaceCurrentItem(with: nil)
    return [
      TableRow(
        "\(clip.name): CPU of an exact seek / ffmpeg -threads 1, \(count) targets", ratios, atMost: 1.15,
        note:
          "p95 \(text(percentile(ratios, 0.95), 2)); \(text(median(own) * 1000, 0)) ms / \(text(median(theirs) * 1000, 0)) ms"
      )
    ]
  }

  /// Frames all over the clip, each far from the last, none of them next to a keyframe.
  private static var targets: [Int] {
    (1...count).map { index in
      let number = Int(
        Double(ScrubClip.frames) * (Double(index) * 0.618034).truncatingRemainder(dividingBy: 1))
      let distance = number % ScrubClip.gop
      return distance < 10 ? number + 10 : number
    }
  }

  /// Processor seconds of this process from asking for a frame until it stands.
  private static func seekCost(_ player: Player, to target: Int) throws -> Double {
    let landed = DispatchSemaphore(value: 0)
    let cost = Measured()
    let time = MediaTime(seconds: (Double(target) + 0.5) / ScrubClip.rate, preferredTimescale: 90_000)
    cost.seconds.withLock { $0 = -ProcessFigures.processorSeconds() }
    player.seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero) { _ in
      cost.seconds.withLock { $0 += ProcessFigures.processorSeconds() }
      landed.signal()
    }
    try wait(for: landed, "a seek does not land")
    let number = player.displayedTiming?.number
    guard number == target else { throw BenchError("frame \(target) is wanted, \(number ?? -1) is shown") }
    return cost.seconds.withLock { $0 }
  }

  private final class Measured: Sendable {
    let seconds = Mutex(0.0)
  }

  /// Waits until decoding ahead has ended: what is due much later has its turn then.
  private static func awaitQuiet(_ pool: DecodePool) throws {
    let quiet = DispatchSemaphore(value: 0)
    let lane = pool.makeLane {
      quiet.signal()
      return .idle
    }
    lane.wake(deadline: monotonicNanoseconds() + 3_600_000_000_000)
    try wait(for: quiet, "decoding ahead does not end")
  }

  private static func wait(for semaphore: DispatchSemaphore, _ otherwise: String) throws {
    guard semaphore.wait(timeout: .now() + Workbench.patience) == .success else { throw BenchError(otherwise) }
  }

  private static func ffmpeg(_ bench: Workbench, _ clip: ScrubClip, from key: Int, count: Int) throws
    -> Double
  {
    // A little behind the keyframe's time, which has been rounded; without accurate seeking nothing is left out.
    let start = text(Double(key) / ScrubClip.rate + 0.01, 3)
    return try bench.run(
      "ffmpeg",
      [
        "-v", "error", "-nostdin", "-threads", "1", "-noaccurate_seek", "-ss", start, "-i", clip.path,
        "-frames:v", "\(count)", "-f", "null", "-",
      ]
    ).cpu
  }
}
