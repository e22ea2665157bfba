import Dispatch
import Pixels
import Playback

/// A clip's frames one after another, as the library scales them: what a screen ought to show.
///
/// The library decodes in this process, with one thread and without a cache. At most one frame waits.
final class ReferenceFrames {
  private let context: PlaybackContext
  private let player: Player
  private let output: VideoOutput
  private let woken = DispatchSemaphore(value: 0)

  /// Opens a clip.
  ///
  /// - Parameter request: the size and shape in which frames are made.
  init(_ path: String, _ request: RenderRequest) {
    context = PlaybackContext(threads: 1)
    player = Player(context: context)
    player.cacheBudget = 0
    output = VideoOutput(player, request: request)
    output.setWaker { [woken] in woken.signal() }
    player.replaceCurrentItem(with: PlayerItem(asset: Asset(path: path)))
  }

  deinit { player.replaceCurrentItem(with: nil) }

  /// The frame with a number, in the size and shape of `request`.
  func frame(number: Int, _ request: RenderRequest) throws -> RenderedFrame {
    output.request = request
    return try frame(request) { player.time(ofFrame: number) }
  }

  /// The frame on display at a time, in seconds from the first one.
  func frame(at seconds: Double, _ request: RenderRequest) throws -> RenderedFrame {
    output.request = request
    return try frame(request) { MediaTime(seconds: max(0, seconds), preferredTimescale: 90_000) }
  }

  /// Gives `body` the frames from the one on display at `seconds` on, until it returns false or the clip ends.
  func forEach(from seconds: Double, _ body: (RenderedFrame) -> Bool) throws {
    guard let request = output.request else { return }
    let first = try frame(at: seconds, request)
    guard body(first) else { return }
    player.isUntimed = true
    player.play()
    defer {
      player.pause()
      player.isUntimed = false
    }
    var latest = first.timing.pts
    while true {
      if let (frame, _) = output.copyFrame(at: player.hostTime) {
        guard frame.timing.pts > latest else { continue }
        latest = frame.timing.pts
        guard body(frame) else { return }
      } else if player.rate == 0 {
        return
      } else if woken.wait(timeout: .now() + Workbench.patience) == .timedOut {
        throw BenchError("no more frames come")
      }
    }
  }

  private func frame(_ request: RenderRequest, at time: () -> MediaTime?) throws -> RenderedFrame {
    // Numbers are known once the clip has been indexed.
    var target = time()
    let end = now() + Workbench.patience
    while target == nil, now() < end {
      _ = woken.wait(timeout: .now() + 0.01)
      target = time()
    }
    guard let target else { throw BenchError("the clip has not been indexed") }
    let landed = DispatchSemaphore(value: 0)
    player.seek(to: target, toleranceBefore: .zero, toleranceAfter: .zero) { _ in landed.signal() }
    guard landed.wait(timeout: .now() + Workbench.patience) == .success else {
      throw BenchError("a seek does not land")
    }
    while now() < end {
      if let (frame, _) = output.copyFrame(at: player.hostTime), frame.request == request,
        frame.timing.pts <= target, target < frame.timing.end || frame.timing.pts == target
      {
        return frame
      }
      // A frame that was taken before comes again in another size only.
      if woken.wait(timeout: .now() + 1) == .timedOut { break }
    }
    throw BenchError("no frame comes")
  }
}
