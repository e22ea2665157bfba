/// The figures of one transfer.
public struct TransferStatistics: Hashable, Sendable {
  /// Requests made, with those that were redirected.
  public var requests = 0
  /// Bytes of the resource that arrived.
  public var bytes: Int64 = 0
  /// Seconds from the start to the answer's first byte.
  public var firstByteSeconds: Double?
  /// Seconds from the start until now, or to the end.
  public var seconds = 0.0
  /// Bytes per second of the last two seconds, without the time in which the reader took none; nil at the start.
  public var bytesPerSecond: Double?
}
