/// The present activity of a transfer.
public enum TransferPhase: Hashable, Sendable {
  /// No answer yet.
  case waiting
  case receiving
  /// No byte has come for a number of seconds, and the transfer goes on waiting.
  case stalled(seconds: Double)
  /// The server waits until the reader has taken bytes.
  case full
  case ended
  case failed(TransportError)
}

/// The result of reading.
public enum TransferRead: Hashable, Sendable {
  /// A number of bytes were read, at least one.
  case bytes(Int)
  /// No bytes have arrived yet.
  case nothing
  /// All bytes have been read.
  case end
  /// All bytes that arrived have been read, and there will be no more.
  case failed(TransportError)
}
