import Libav

/// An input that is open, at its beginning, on its way from the thread that opened it to the one that reads it.
///
/// `@unchecked Sendable`: who opened it is done with it, and whoever takes it over is the only one to use it.
final class OpenedInput: @unchecked Sendable {
  let demuxer: Demuxer
  let interrupter: Interrupter

  init(_ demuxer: Demuxer, _ interrupter: Interrupter) {
    self.demuxer = demuxer
    self.interrupter = interrupter
  }

  /// Whether it can go to other places than on; a pipe cannot.
  var canSeek: Bool { demuxer.isSeekable }

  /// Whether its bytes can be had once more by opening it again; what a pipe gave is gone.
  var canReopen: Bool { demuxer.isSeekable }
}
