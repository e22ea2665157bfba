import DecodePool

/// A request under way and the bytes that answer it; made by `Transport.start`.
///
/// Nothing here waits, except functions that say so. All of it may be called from any thread, by one reader at a time. A
/// transfer without an owner is cancelled.
public final class Transfer: Sendable {
  private let channel: TransferChannel
  private let mailbox: TransferMailbox

  init(_ channel: TransferChannel, _ mailbox: TransferMailbox) {
    self.channel = channel
    self.mailbox = mailbox
  }

  deinit { cancel() }

  public var request: TransportRequest { channel.request }

  /// The answer; nil until it has arrived, and if the request fails.
  public var response: TransportResponse? { channel.withState { $0.response } }

  public var phase: TransferPhase { channel.withState { $0.phase(at: monotonicNanoseconds()) } }

  public var statistics: TransferStatistics { channel.withState { $0.statistics(at: monotonicNanoseconds()) } }

  /// Moves bytes that have arrived to memory that is not empty. Errors come after all bytes that arrived before.
  public func read(into target: UnsafeMutableRawBufferPointer) -> TransferRead {
    let (result, tell) = channel.withState { $0.read(into: target) }
    if tell { mailbox.touch(channel) }
    return result
  }

  /// Ends the transfer. What has arrived is dropped; reading and waiting fail with `TransportError.cancelled` at once.
  public func cancel() {
    if channel.cancel() { mailbox.touch(channel) }
  }

  /// Waits for the answer.
  ///
  /// - Parameter deadline: the end of waiting, in nanoseconds of the monotonic clock.
  /// - Parameter isInterrupted: is called every 50 ms; true ends the waiting.
  /// - Returns: nil if the waiting ended first.
  /// - Throws: the transfer's error.
  public func waitForResponse(
    until deadline: UInt64 = .max, isInterrupted: () -> Bool = { false }
  ) throws(TransportError) -> TransportResponse? {
    typealias Answer = Result<TransportResponse, TransportError>
    let answer: Answer? = channel.wait(until: deadline, isInterrupted: isInterrupted) { state in
      if let error = state.failure { return .failure(error) }
      return state.response.map { .success($0) }
    }
    return try answer?.get()
  }

  /// Waits for bytes and reads them; returns `nothing` if the waiting ended first.
  ///
  /// - Parameter deadline: the end of waiting, in nanoseconds of the monotonic clock.
  /// - Parameter isInterrupted: is called every 50 ms; true ends the waiting.
  public func waitAndRead(
    into target: UnsafeMutableRawBufferPointer, until deadline: UInt64 = .max, isInterrupted: () -> Bool = { false }
  ) -> TransferRead {
    let isReadable = channel.wait(until: deadline, isInterrupted: isInterrupted) { $0.isReadable ? true : nil }
    return isReadable == nil ? .nothing : read(into: target)
  }

  /// Waits for all bytes of a short resource and returns them; nil if the waiting ended first.
  ///
  /// - Parameter limit: the greatest number of bytes. A longer resource is cancelled.
  /// - Parameter deadline: the end of waiting, in nanoseconds of the monotonic clock.
  /// - Parameter isInterrupted: is called every 50 ms; true ends the waiting.
  /// - Throws: the transfer's error, or `TransportError.tooLong`.
  public func waitForAll(
    limit: Int, until deadline: UInt64 = .max, isInterrupted: () -> Bool = { false }
  ) throws(TransportError) -> [UInt8]? {
    var all: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let result = block.withUnsafeMutableBytes { waitAndRead(into: $0, until: deadline, isInterrupted: isInterrupted) }
      switch result {
      case .bytes(let count):
        guard all.count + count <= limit else {
          cancel()
          throw .tooLong(limit)
        }
        all += block[..<count]
      case .nothing: return nil
      case .end: return all
      case .failed(let error): throw error
      }
    }
  }
}
