import Libav

/// The streams of a live source that are kept: one of video and one of sound.
struct LiveStreams {
  /// The index among the kept ones of each of the source's streams.
  let indices: [Int: Int]
  let parameters: [StreamParameters]
  /// The index of the stream that is played among the kept ones.
  let main: Int

  /// - Parameter former: what the source has had before; nil if it was opened for the first time.
  /// - Throws: `NetworkInputError` if there is nothing to play, `PlaybackError` if it cannot continue what was before.
  init(_ streams: [StreamParameters], continuing former: LivePackets.Opened?) throws {
    let video = streams.firstIndex { $0.isVideo && $0.hasSize }
    let sound = streams.firstIndex { $0.isSound }
    let kept = [video, sound].compactMap { $0 }
    guard !kept.isEmpty, video != nil || !streams.contains(where: \.isVideo) else {
      throw NetworkInputError.noMedia
    }
    guard let former else {
      (parameters, main) = (kept.map { streams[$0] }, 0)
      indices = Dictionary(uniqueKeysWithValues: zip(kept, 0...))
      return
    }
    var indices: [Int: Int] = [:], parameters = former.streams
    for (index, old) in former.streams.enumerated() {
      guard let found = old.isVideo ? video : sound, streams[found].canContinue(with: old) else { continue }
      (indices[found], parameters[index]) = (index, streams[found])
    }
    guard indices.values.contains(former.main) else {
      throw PlaybackError(.unknownCodec, "sends another format than before; open it again")
    }
    (self.indices, self.parameters, main) = (indices, parameters, former.main)
  }
}
