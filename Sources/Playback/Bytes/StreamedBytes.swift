import DecodePool
import Glibc
import Libav
import Transport

/// The bytes of a source that arrive over time, kept within a budget for all of its readers.
///
/// A feed on another thread delivers the bytes: in order, as from a pipe, or in any order, as from a server. What has passed
/// can be read again as long as it is kept; the first megabyte always is, so that further readers can read the headers.
/// Safe to use from any thread.
final class StreamedBytes: ByteSource {
  /// The part that readers and the feed share; neither keeps the source alive.
  let arrivals: Arrivals
  private let readStatus: @Sendable () -> NetworkStatus?

  /// The budget if the bytes are kept in a file.
  static let fileBudget = 512 << 20
  /// The budget if they are kept in memory.
  static let memoryBudget = 24 << 20

  /// - Parameter networkStatus: returns the state of fetching; nil if the bytes come from elsewhere than a server.
  init(_ arrivals: Arrivals, networkStatus: @escaping @Sendable () -> NetworkStatus? = { nil }) {
    self.arrivals = arrivals
    readStatus = networkStatus
  }

  /// The state of fetching from a server; nil if the bytes come from elsewhere.
  var networkStatus: NetworkStatus? { readStatus() }

  deinit { arrivals.close() }

  /// The address from which they come, after redirects; nil if it is unknown.
  var address: NetworkURL? { networkStatus?.address }

  /// Returns all bytes; waits for them.
  ///
  /// - Throws: `PlaybackError` if there are too many or they cannot be read.
  func contents(upTo limit: Int, _ interrupter: Interrupter) throws(PlaybackError) -> [UInt8] {
    let reader = makeReader(interrupter)
    var all: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let offset = Int64(all.count)
      let result = Result { () throws(ByteReaderError) in
        var count = 0
        var failure: ByteReaderError?
        block.withUnsafeMutableBytes { buffer in
          do throws(ByteReaderError) { count = try reader.read(at: offset, into: buffer) } catch { failure = error }
        }
        if let failure { throw failure }
        return count
      }
      guard case .success(let count) = result else {
        throw interrupter.isInterrupted ? .cancelled : arrivals.status.failure ?? PlaybackError(.network, "cannot be read")
      }
      guard count > 0 else { return all }
      all += block[..<count]
      guard all.count <= limit else { throw PlaybackError(.tooLarge, "is larger than \(limit >> 20) MB") }
    }
  }

  /// The number of bytes; nil while it is unknown.
  var byteCount: Int64? { arrivals.status.byteCount }

  var arrivedCount: Int64 { arrivals.status.end }

  var hasRandomAccess: Bool { arrivals.order == .any }

  func makeReader(_ interrupter: Interrupter) -> any ByteReader { StreamedReader(arrivals, interrupter, ReadingRole(.sampling)) }

  /// Returns a source of the same bytes for readers with another role.
  func inRole(_ role: ReadingRole) -> any ByteSource { BytesInRole(self, role) }
}

/// The same bytes, for readers with a role.
private final class BytesInRole: ByteSource {
  private let bytes: StreamedBytes
  private let role: ReadingRole

  init(_ bytes: StreamedBytes, _ role: ReadingRole) { (self.bytes, self.role) = (bytes, role) }

  var byteCount: Int64? { bytes.byteCount }
  var arrivedCount: Int64 { bytes.arrivedCount }
  var hasRandomAccess: Bool { bytes.hasRandomAccess }
  func makeReader(_ interrupter: Interrupter) -> any ByteReader { StreamedReader(bytes.arrivals, interrupter, role) }
}

/// A reader of streamed bytes.
private final class StreamedReader: ByteReader {
  private let arrivals: Arrivals
  private let interrupter: Interrupter
  private let id: Int

  init(_ arrivals: Arrivals, _ interrupter: Interrupter, _ role: ReadingRole) {
    self.arrivals = arrivals
    self.interrupter = interrupter
    id = arrivals.addReader(role)
  }

  deinit { arrivals.removeReader(id) }

  func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(ByteReaderError) -> Int {
    if interrupter.isInterrupted { throw .interrupted }
    if let result = arrivals.read(at: offset, into: buffer, id) { return try result.get() }
    return try interrupter.whileWaiting { () throws(ByteReaderError) in
      try arrivals.waitToRead(at: offset, into: buffer, id) { interrupter.isInterrupted }.get()
    }
  }
}
