import Glibc
import Measuring
import Playback
import QuadrilleApp
import Synchronization

/// The results of many comparisons, written as they come. Safe from any thread.
final class ResultLog: Sendable {
  private struct State {
    var failure: PlaybackError?
    var status = ComparisonStatus.passed
  }

  /// The latest results of pairs that have been compared before.
  let former: [String: PairResult]
  private let descriptor: Int32
  private let state = Mutex(State())

  /// Opens a file to append to, or the standard output.
  ///
  /// - Throws: `PlaybackError`.
  init(_ path: String?, sparing inputs: [String]) throws {
    guard let path, path != "-" else {
      (former, descriptor) = ([:], dup(STDOUT_FILENO))
      return
    }
    _ = try OutputFile(path, sparing: inputs)
    let lines = try InputText.read(path, limit: 1 << 30) ?? []
    former = Dictionary(PairResult.results(in: lines).filter { $0.error == nil }.map { ($0.id, $0) }) { $1 }
    descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw PlaybackError(.system, "cannot be written: \(String(cString: strerror(errno)))") }
    // A line that a crash cut off must not swallow the next.
    if let last = lines.last, last != UInt8(ascii: "\n") { Self.write([UInt8(ascii: "\n")], to: descriptor) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The reason that results could not be written; nil if all were.
  var failure: PlaybackError? { state.withLock { $0.failure } }
  /// The worst of the pairs.
  var status: ComparisonStatus { state.withLock { $0.status } }

  /// Takes account of a result that is in the file already.
  func count(_ result: PairResult) {
    let status = ComparisonStatus(isCompared: result.error == nil, failures: result.failures)
    state.withLock { $0.status = max($0.status, status) }
    for reason in result.failures { printError("quadrille: \(result.error == nil ? "\(result.candidate): " : "")\(reason)") }
  }

  /// Writes a result as one line, in one piece. Returns false if that fails.
  @discardableResult
  func append(_ result: PairResult) -> Bool {
    count(result)
    guard let line = try? result.line(), Self.write(line, to: descriptor) else {
      let code = errno
      state.withLock { $0.failure = PlaybackError(.system, "cannot be written: \(String(cString: strerror(code)))") }
      return false
    }
    return true
  }

  @discardableResult
  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
