import Playback

let path = CommandLine.arguments[1]
let context = PlaybackContext()
try context.bus.startDelivering()
let player = Player(context: context)
let times = player.addPeriodicTimeObserver(
  forInterval: MediaTime(value: 1, timescale: 2), on: InlineExecutor()
) { print("at \($0.seconds) s") }

player.replaceCurrentItem(with: PlayerItem(asset: Asset(path: path)))
let output = VideoOutput(player, request: RenderRequest(box: PixelSize(width: 320, height: 180)))
player.play()

while player.timeControlStatus != .paused {
  if let (frame, due) = output.copyFrame(at: player.hostTime) {
    print("frame #\(frame.timing.number), \(frame.image.size)")
    output.didShow(due: due, at: player.hostTime)
  }
  let next = output.nextFrameTime(after: player.hostTime) ?? player.hostTime + 10_000_000
  try await Task.sleep(for: .nanoseconds(max(0, next - player.hostTime)))
}
if let error = player.currentItem?.error { print("\(path): \(error)") }
times.remove()
