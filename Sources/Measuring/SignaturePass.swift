import Alignment
import Libav
import Playback

/// Makes the signatures of all frames of a clip.
enum SignaturePass {
  /// Decodes a clip and signs its frames.
  ///
  /// - Parameters:
  ///   - progress: called with each frame's number.
  /// - Throws: `PlaybackError` if the clip cannot be read or has no frames.
  static func signatures(of frames: SequentialFrames, progress: (Int) -> Void) throws -> SignatureSequence {
    let size = frames.track.presentationSize
    var sequence = SignatureSequence(
      frameRate: frames.track.nominalFrameRate, aspect: size.height > 0 ? Double(size.width) / Double(size.height) : 0)
    var signer = FrameSigner()
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
      progress(frames.count)
    }
    guard sequence.count > 0 else { throw PlaybackError.nothingDecodable }
    return sequence
  }
}
