import Playback

let generator = ImageGenerator(asset: Asset(path: CommandLine.arguments[1]))
generator.maximumSize = PixelSize(width: 160, height: 0)
for await answer in generator.images(at: [.zero, MediaTime(value: 60, timescale: 1)]) {
  guard let still = try? answer.get() else { continue }
  print("asked \(answer.requestedTime.seconds) s, got \(still.timing.pts.seconds) s, \(still.image.size)")
}
