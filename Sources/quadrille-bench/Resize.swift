import Dispatch
import Glibc
import Pixels
import Playback

/// The time to resize the frame on display, paused far from a keyframe.
///
/// Uses the library in this process, as `ExactSeek` does, at the size of a terminal and a little smaller in turn.
enum Resize {
  private static let count = 40
  /// Even, so that the next request is a change; fewer than the frames decoded ahead.
  private static let fillingCount = 10

  static func measure(_ bench: Workbench, _ clip: ScrubClip) throws -> [TableRow] {
    let context = PlaybackContext(threads: 1)
    let player = Player(context: context)
    player.cacheBudget = 0
    let woken = DispatchSemaphore(value: 0)
    let sizes = [0, 2].map { PixelSize(width: Workbench.columns - $0, height: 2 * (Workbench.rows - 3)) }
    let output = VideoOutput(player, request: RenderRequest(box: sizes[0], gravity: .resize))
    output.setWaker { woken.signal() }
    player.replaceCurrentItem(with: PlayerItem(asset: Asset(path: clip.path)))
    let target = ScrubClip.gop - 10
    player.seek(
      to: MediaTime(seconds: (Double(target) + 0.5) / ScrubClip.rate, preferredTimescale: 90_000), toleranceBefore: .zero,
      toleranceAfter: .zero)
    try wait(output, woken) { $0.timing.number == target }
    /// Returns the milliseconds that each of `count` changes takes.
    func change(_ count: Int) throws -> [Double] {
      try (1...count).map { n in
        let size = sizes[n % 2]
        let start = context.clock.now
        output.request = RenderRequest(box: size, gravity: .resize)
        try wait(output, woken) { $0.image.size == size }
        let time = Double(context.clock.now - start) / 1e6
        guard player.displayedTiming?.number == target else { throw BenchError("another frame is shown") }
        return time
      }
    }
    // The one thread decodes ahead at first, and each change waits for the step that it is at.
    let filling = try change(fillingCount)
    var loaded: [TimeRange] = []
    repeat {
      loaded = player.cachedTimeRanges
      usleep(200_000)
    } while player.cachedTimeRanges != loaded
    let times = try change(count)
    player.replaceCurrentItem(with: nil)
    return [
      TableRow(
        "\(clip.name): another size of the frame on display, p50 of \(count)", [median(times)], atMost: 10, unit: " ms", digits: 1,
        note: "p95 \(text(percentile(times, 0.95), 1)) ms; while it decodes ahead p50 \(text(median(filling), 1)) ms")
    ]
  }

  /// Takes frames until one meets the condition.
  private static func wait(
    _ output: VideoOutput, _ woken: DispatchSemaphore, until isRight: (RenderedFrame) -> Bool
  ) throws {
    while true {
      if let (frame, _) = output.copyFrame(at: output.player.hostTime), isRight(frame) { return }
      guard woken.wait(timeout: .now() + Workbench.patience) == .success else { throw BenchError("no frame comes") }
    }
  }
}
