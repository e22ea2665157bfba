import Alignment
import Libav
import Playback

/// Makes the signatures of all frames of a clip.
enum SignaturePass {
  /// Returns the signatures of a clip: those in a store if the file has not changed since, else new ones, which are saved there.
  ///
  /// - Parameters:
  ///   - frames: the clip, at its beginning.
  ///   - path: the clip's name.
  ///   - progress: called with each frame's number.
  /// - Throws: `PlaybackError` if the clip cannot be read or has no frames.
  static func signatures(
    of frames: SequentialFrames, path: String, store: SignatureStore?, progress: (Int) throws -> Void
  ) throws -> SignatureSequence {
    func currentKey() -> SignatureStore.Key? {
      SignatureStore.Key(path: path, track: frames.track.index, orientation: frames.track.orientation)
    }
    let key = store == nil ? nil : currentKey()
    if let store, let key, let known = store.load(key) { return known }
    let signatures = try signatures(of: frames, progress: progress)
    // A file that is still being written is not what it was.
    if let store, let key, currentKey() == key { store.save(signatures, key) }
    return signatures
  }

  /// Decodes a clip and signs its frames.
  private static func signatures(of frames: SequentialFrames, progress: (Int) throws -> Void) throws -> SignatureSequence {
    let size = frames.track.presentationSize
    var sequence = SignatureSequence(
      frameRate: frames.track.nominalFrameRate, aspect: size.height > 0 ? Double(size.width) / Double(size.height) : 0)
    var signer = FrameSigner(orientation: frames.track.orientation)
    var format: MeasuredFormat?
    while try frames.next() {
      let measured = format ?? MeasuredFormat(of: frames.frame)
      format = measured
      let frame = try frames.frame.planarSamples == nil ? measured.frame(frames.frame) : frames.frame
      let signature = withExtendedLifetime(frame) { LumaPlane(frame).flatMap { signer.signature(of: $0) } }
      guard let signature else {
        throw PlaybackError(.damaged, "frame \(frames.count - 1) has no luma")
      }
      guard sequence.append(signature, time: frames.time) else { break }
      try progress(frames.count)
    }
    guard sequence.count > 0 else { throw PlaybackError.nothingDecodable }
    return sequence
  }
}
