import Playback

/// Takes `count` frames as they become due, and returns the numbers in them.
func look(at output: VideoOutput, count: Int) async throws -> [Int] {
  var numbers: [Int] = []
  while numbers.count < count {
    let now = output.player.hostTime
    if let (frame, due) = output.copyFrame(at: now) {
      output.didShow(due: due, at: now)
      numbers.append(Digits.number(in: frame.image) ?? -1)
    } else {
      try await Task.sleep(for: .milliseconds(1))
    }
  }
  return numbers
}

let context = PlaybackContext()
let player = Player(context: context)
let output = VideoOutput(player, request: RenderRequest(box: PixelSize(width: 160, height: 90)))
let makeSource: @Sendable () throws -> any FrameSource = {
  try ColorBars(frameCount: 100, frameDuration: MediaTime(value: 1, timescale: 25))
}
player.replaceCurrentItem(with: PlayerItem(source: makeSource))

player.play()
print("played", try await look(at: output, count: 10))
player.pause()

let target = MediaTime(value: 2, timescale: 1)
let result: SeekResult = await player.seek(to: target, toleranceBefore: .zero, toleranceAfter: .zero)
print("seek", result)
print("sought", try await look(at: output, count: 1))

player.step(byCount: 1)
print("stepped on", try await look(at: output, count: 1))
player.step(byCount: -1)
print("stepped back", try await look(at: output, count: 1))

player.rate = -1
print("played backwards", try await look(at: output, count: 10))
print("cached", player.cachedTimeRanges.contains { $0.contains(target) })
player.pause()

let generator = ImageGenerator(context: context, source: makeSource)
generator.maximumSize = PixelSize(width: 80, height: 0)
generator.requestedTimeToleranceBefore = .zero
generator.requestedTimeToleranceAfter = .zero
for await answer in generator.images(at: (0..<4).map { MediaTime(value: $0, timescale: 1) }) {
  let still = try answer.get()
  print("thumbnail", Digits.number(in: still.image) ?? -1, still.image.size)
}
