/// The reason why VMAF could not be measured.
public enum VMAFError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Neither the library nor a program with the filter was found.
  case notFound
  /// A program that was named does not exist, cannot be run, or has no VMAF filter.
  case unusable(program: String, reason: String)
  /// A program ended before it had given all scores. The text is the end of what it said.
  case programFailed(program: String, text: String)
  /// A program took no frames and gave no results for some time.
  case stalled(program: String)
  /// A call of the library failed.
  case libraryFailed(call: String, code: Int)
  /// Fewer or more scores than frames.
  case wrongCount(scores: Int, frames: Int)
  /// Frames of a depth that VMAF does not know.
  case unsupportedDepth(Int)
  /// The name of a model with other characters than letters, digits, dots and underscores.
  case invalidModel
  /// The measurement was cancelled.
  case cancelled

  public var description: String {
    switch self {
    case .notFound: "VMAF needs libvmaf, or an ffmpeg with the libvmaf filter in PATH; neither was found"
    case .unusable(let program, let reason): "\(program): \(reason)"
    case .programFailed(let program, let text):
      text.isEmpty ? "\(program) ended without the scores of all frames" : "\(program) failed: \(text)"
    case .stalled(let program): "\(program) took no frames for a minute, and was ended"
    case .libraryFailed(let call, let code): "libvmaf: \(call) failed with error \(code)"
    case .wrongCount(let scores, let frames): "VMAF gave \(scores) scores for \(frames) frames"
    case .unsupportedDepth(let depth): "VMAF takes frames of 8, 10, 12 or 16 bits, not of \(depth)"
    case .invalidModel: "the name of a VMAF model has letters, digits, dots and underscores only"
    case .cancelled: "measuring VMAF was cancelled"
    }
  }
}
