import Playback

/// Reads a clip's duration and size.
public func open(_ path: String) async throws -> (duration: MediaTime, size: PixelSize?) {
  // guide: opening
  let asset = Asset(path: path, options: Asset.Options(prefersPreciseDurationAndTiming: true))
  let duration = try await asset.load(.duration)
  let facts = try await asset.load(.facts)
  let size = facts.preferredVideoTrack?.presentationSize
  // end
  return (duration, size)
}
