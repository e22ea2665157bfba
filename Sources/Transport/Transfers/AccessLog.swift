import DecodePool

/// One request, for the eyes of users.
public struct AccessLogEntry: Hashable, Sendable {
  /// The request's purpose: "clip", "playlist".
  public let purpose: String
  /// The URL without credentials and query.
  public let url: String
  /// The server's status; nil if none came.
  public let status: Int?
  /// The bytes of the body that arrived.
  public let bytes: Int64
  public let seconds: Double
  /// Seconds to the first byte of the answer.
  public let firstByteSeconds: Double?
  /// The reason of a failure.
  public let failure: TransportError?
}

/// The last requests of a `Transport`, and sums over all.
public final class AccessLog: Sendable {
  private struct Contents {
    var entries: [AccessLogEntry] = []
    var oldest = 0
    var requests = 0
    var bytes: Int64 = 0
  }

  private let capacity: Int
  private let contents = Monitor(Contents())

  init(capacity: Int = 200) { self.capacity = capacity }

  /// The last requests that ended, oldest first.
  public var entries: [AccessLogEntry] { contents.withLock { Array($0.entries[$0.oldest...] + $0.entries[..<$0.oldest]) } }

  /// The requests that ended and the bytes of their bodies, since the start.
  public var totals: (requests: Int, bytes: Int64) { contents.withLock { ($0.requests, $0.bytes) } }

  func append(_ entry: AccessLogEntry) {
    contents.withLock { contents in
      contents.requests += 1
      contents.bytes += entry.bytes
      if contents.entries.count < capacity {
        contents.entries.append(entry)
      } else {
        contents.entries[contents.oldest] = entry
        contents.oldest = (contents.oldest + 1) % capacity
      }
    }
  }
}
