import Libav

/// Decodes a composition without a clock, and the same frames clip by clip, to compare the costs.
package enum UntimedDecode {
  /// Decodes all frames of a composition, as playback does.
  ///
  /// - Returns: the number of frames.
  /// - Throws: `PlaybackError`.
  package static func all(of composition: Composition) throws -> Int {
    let asset = Asset(composition: composition)
    let facts = try asset.wait(for: .facts)
    guard let track = facts.preferredVideoTrack else { throw PlaybackError(.noVideo, "has no video") }
    let source = try asset.openSource(of: track, facts, session: InputSession(asset.input), threads: 1)
    var count = 0
    try source.rewind()
    while true {
      switch try source.decodeNext(discard: .nothing) {
      case .progress: continue
      case .endOfStream: return count
      case .frame: count += 1
      }
    }
  }

  /// Decodes the frames of pieces of one clip, each from its random access point, with one decoder and nothing else.
  ///
  /// - Parameter pieces: frame numbers.
  /// - Returns: the number of frames wanted, and the number that had to be decoded.
  /// - Throws: `PlaybackError`.
  package static func frames(_ pieces: [Range<Int>], of asset: Asset) throws -> (wanted: Int, decoded: Int) {
    do {
      let facts = try asset.wait(for: .facts)
      guard let track = facts.preferredVideoTrack,
        let content = try RenderCancellation().index(of: asset, nil)?.content, let index = content.packets,
        let timeline = content.timeline?.packets
      else { throw PlaybackError(.noVideo, "has no video") }
      let session = InputSession(asset.input)
      let reader = try StreamReader(session.open(), session: session, stream: track.index, threads: 1, keepsAlpha: false)
      reader.index = index
      let frame = try DecodedFrame()
      var wanted = 0, decoded = 0
      for piece in pieces {
        guard try reader.begin(at: index.randomAccessPoint(for: Int(timeline.ordinals[piece.lowerBound]))) else { continue }
        decoding: while true {
          switch try reader.step(into: frame) {
          case .progress: continue
          case .endOfStream: break decoding
          case .frame(let ordinal):
            decoded += 1
            guard let number = ordinal.flatMap(timeline.displayIndex(ofOrdinal:)), number >= piece.lowerBound else { continue }
            if number < piece.upperBound { wanted += 1 }
            if number + 1 >= piece.upperBound { break decoding }
          }
        }
      }
      return (wanted, decoded)
    } catch {
      throw PlaybackError(error)
    }
  }
}
