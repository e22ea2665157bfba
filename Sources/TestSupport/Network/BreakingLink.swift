import DecodePool

/// Answers requests for a file as a server does that is overloaded, far away, or behind a link that breaks.
///
/// The first request for a file is answered in full or in part, never refused: a source that has never answered may be given up.
/// The accidents follow from a seed and the order in which requests arrive.
public final class BreakingLink: Sendable {
  /// The fate of a request.
  public enum Accident: Sendable, CaseIterable {
    case none
    /// The connection is reset after a part of the body.
    case reset
    /// The connection is closed in order after a part of the body.
    case close
    /// The body stops in the middle, and goes on after a while.
    case stall
    /// The body stops in the middle for good.
    case hang
    /// The body arrives in small pieces.
    case trickle
    /// 503 Service Unavailable.
    case unavailable
    /// The connection is closed without an answer.
    case noAnswer
  }

  private struct State {
    var random: SeededGenerator
    var isFirst = true
    var counts: [Accident: Int] = [:]
  }

  private let state: Monitor<State>
  private let longestStall: Int32
  private let hangs: Bool

  /// - Parameters:
  ///   - longestStall: milliseconds.
  ///   - hangs: true if some answers stop for good, which is noticed after ten seconds.
  public init(seed: UInt64, longestStall: Int32, hangs: Bool) {
    state = Monitor(State(random: SeededGenerator(seed: seed)))
    (self.longestStall, self.hangs) = (longestStall, hangs)
  }

  /// The number of accidents that happened so far.
  public var accidents: Int { state.withLock { $0.counts.reduce(0) { $1.key == .none ? $0 : $0 + $1.value } } }

  /// Serves a file with a tag that does not change.
  public func serve(_ file: [UInt8], acceptsRanges: Bool = true, to request: TestRequest, over connection: TestConnection) {
    let (accident, share, length) = state.withLock { state in
      let mayRefuse = !state.isFirst
      state.isFirst = false
      let accident = pick(&state.random, mayRefuse: mayRefuse)
      state.counts[accident, default: 0] += 1
      return (accident, Double.random(in: 0..<1, using: &state.random), Int32.random(in: 0...longestStall, using: &state.random))
    }
    let range = acceptsRanges ? request.range(in: file.count) ?? 0..<file.count : 0..<file.count
    let isPart = acceptsRanges && request.range(in: file.count) != nil
    let head =
      "HTTP/1.1 \(isPart ? "206 Partial Content" : "200 OK")\nETag: \"1\"\nContent-Length: \(range.count)\n"
      + (isPart ? "Content-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.count)\n" : "")
      + (acceptsRanges ? "Accept-Ranges: bytes\n\n" : "\n")
    let middle = range.lowerBound + Int(Double(range.count) * share)
    switch accident {
    case .none: send(head, file[range], connection)
    case .reset:
      send(head, file[range.lowerBound..<middle], connection)
      connection.reset()
    case .close:
      send(head, file[range.lowerBound..<middle], connection)
      connection.close()
    case .stall:
      send(head, file[range.lowerBound..<middle], connection)
      connection.pause(milliseconds: length)
      connection.send(file[middle..<range.upperBound])
    case .hang:
      send(head, file[range.lowerBound..<middle], connection)
      connection.hang()
    case .trickle:
      connection.send(head)
      for start in stride(from: range.lowerBound, to: range.upperBound, by: 16 << 10) {
        guard connection.send(file[start..<min(start + 16 << 10, range.upperBound)]) else { return }
        connection.pause(milliseconds: 5)
      }
    case .unavailable: connection.respond(503, body: [])
    case .noAnswer: connection.close()
    }
  }

  private func send(_ head: String, _ body: ArraySlice<UInt8>, _ connection: TestConnection) {
    connection.send(head)
    connection.send(body)
  }

  private func pick(_ random: inout SeededGenerator, mayRefuse: Bool) -> Accident {
    switch random.next() % 100 {
    case ..<40: .none
    case ..<55: .reset
    case ..<65: .close
    case ..<75: .stall
    case ..<85: .trickle
    case ..<93: mayRefuse ? .unavailable : .reset
    case ..<98: mayRefuse ? .noAnswer : .close
    default: hangs ? .hang : .none
    }
  }
}
