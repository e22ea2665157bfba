import Dispatch
import Pixels
import Playback

/// Takes the frames of a player as a program does, on a screen of the usual size.
struct FrameWatch {
  let player: Player
  private let context: PlaybackContext
  private let output: VideoOutput
  private let woken = DispatchSemaphore(value: 0)

  init() throws {
    context = PlaybackContext(threads: 2)
    try context.bus.startDelivering()
    player = Player(context: context)
    output = VideoOutput(
      player, request: RenderRequest(box: PixelSize(width: Workbench.columns, height: 2 * (Workbench.rows - 3))))
    output.setWaker { [woken] in woken.signal() }
  }

  func end() {
    player.replaceCurrentItem(with: nil)
    context.bus.stopDelivering()
  }

  /// Takes frames until it has been told to stop.
  ///
  /// - Parameter take: given each frame's number, counted by `rate`, and how many milliseconds after its time it was taken; returns
  ///   whether more are wanted.
  /// - Throws: when none comes.
  func run(rate: Int32, take: (_ number: Int, _ lateness: Double) -> Bool) throws {
    var last: Int?
    while true {
      let now = player.hostTime
      if let (frame, due) = output.copyFrame(at: now) {
        let number = Int((frame.timing.pts.seconds * Double(rate)).rounded())
        last = number
        guard take(number, Double(now - due) / 1e6) else { return }
        continue
      }
      let next = output.nextFrameTime(after: now).map { max(0, $0 - now) } ?? 1_000_000_000
      if woken.wait(timeout: .now() + .nanoseconds(Int(next))) == .timedOut, next == 1_000_000_000, last == nil || player.rate == 0 {
        throw BenchError("no frame comes\(last.map { " behind frame \($0)" } ?? "")")
      }
    }
  }
}
