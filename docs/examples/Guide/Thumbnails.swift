import Playback

/// Makes thumbnails of a clip, and a still of frame 25.
public func makeThumbnails(of path: String, count: Int) async throws -> ([Still], Still) {
  // guide: thumbnails
  let asset = Asset(path: path)
  let generator = ImageGenerator(asset: asset)
  generator.maximumSize = PixelSize(width: 160, height: 0)
  let duration = try await asset.load(.duration)
  var thumbnails: [Still] = []
  for await answer in generator.images(at: (0..<count).map { duration * (Double($0) / Double(count)) }) {
    if case .succeeded(let still) = answer.outcome { thumbnails.append(still) }
  }

  generator.maximumSize = PixelSize(width: 0, height: 0)
  let still = try await generator.image(ofFrame: 25)
  // end
  return (thumbnails, still)
}
