import Libav

extension PlaybackError {
  /// Words a failure of a live source.
  init(_ error: NetworkInputError) {
    let message =
      switch error {
      case .unsupported: "is not supported by the FFmpeg that is installed"
      case .silent(let seconds): "no answer for \(seconds) s"
      case .refused(let status): status
      case .redirected: "leads to another address, which is not followed"
      case .needsDescription: "needs a description (SDP), which cannot be given"
      case .noMedia: "sends no picture that can be decoded"
      case .ended: "the connection was closed"
      case .failed(let reason): reason
      case .interrupted: "opening was cancelled"
      }
    self.init(error == .interrupted ? .cancelled : .network, message)
  }
}
