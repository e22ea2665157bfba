extension InputSession {
  /// Opens a sound track of the input to read its samples; blocks until done or interrupted.
  ///
  /// - Throws: an error if it cannot be read.
  func openSound(_ track: AssetTrack, startTime: MediaTime, _ form: SoundForm) throws -> SoundReader {
    let isRendition = if case .rendition? = track.streamPart { true } else { false }
    let demuxer = try (isRendition ? open(rendition: track) : open()).demuxer
    guard let stream = demuxer.streams.first(where: { isRendition ? $0.kind == .audio : $0.index == track.index }) else {
      throw PlaybackError(.damaged, "has no such sound track")
    }
    return try SoundReader(demuxer, stream: stream, startTime: startTime, form: form)
  }
}
