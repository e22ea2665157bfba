import Libav

/// An open input at its beginning, in transit from the thread that opened it to the one that reads it.
///
/// `@unchecked Sendable`: the opener no longer uses it, and whoever takes it over is its only user.
final class OpenedInput: @unchecked Sendable {
  let demuxer: Demuxer
  let interrupter: Interrupter

  init(_ demuxer: Demuxer, _ interrupter: Interrupter) {
    self.demuxer = demuxer
    self.interrupter = interrupter
  }

  /// True if the input can seek; a pipe cannot.
  var canSeek: Bool { demuxer.isSeekable }

  /// True if the input can be reopened; a pipe's data is gone once read.
  var canReopen: Bool { demuxer.isSeekable }
}
