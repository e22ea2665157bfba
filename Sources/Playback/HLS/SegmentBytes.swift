import DecodePool
import Glibc
import Synchronization

/// The bytes of a segment as they arrive, in a file without a name or in memory. Safe to use from any thread.
final class SegmentBytes: Sendable {
  /// The result of reading.
  enum Read {
    case bytes(Int)
    case end
    /// The bytes have yet to arrive.
    case nothing
    case failed(PlaybackError)
  }

  private enum Progress {
    case arriving
    case complete
    case failed(PlaybackError)
  }

  private struct State {
    let file: Descriptor?
    /// The bytes, if there is no file.
    var memory: [UInt8] = []
    var count = 0
    var progress = Progress.arriving
  }

  private let state: Monitor<State>
  private let arrivedCount = Atomic(0)
  private let hasEnded = Atomic(false)
  /// The number of all bytes as announced; 0 if unknown.
  private let announcedCount = Atomic(0)
  /// True if the bytes are in memory.
  let isInMemory: Bool
  /// The interval at which a wait looks for an interruption, in nanoseconds.
  private static let lookInterval: UInt64 = 50_000_000

  /// - Parameter folder: where an unnamed file for the bytes is made, if possible.
  init(folder: String) {
    let file = Descriptor.unnamedFile(in: folder)
    isInMemory = file == nil
    state = Monitor(State(file: file))
  }

  /// The number of bytes that have arrived.
  var count: Int { arrivedCount.load(ordering: .acquiring) }

  /// Notes the number of all bytes as the server announces it.
  func announce(_ count: Int) { announcedCount.store(count, ordering: .releasing) }

  /// Returns the share that a number of bytes is of all of them; nil if their number is unknown.
  func share(of count: Int) -> Double? {
    let all = isComplete ? self.count : announcedCount.load(ordering: .acquiring)
    return all > 0 ? min(1, Double(count) / Double(all)) : nil
  }

  /// True if all bytes have arrived.
  var isComplete: Bool { state.withLock { if case .complete = $0.progress { true } else { false } } }

  /// True if no more bytes will come.
  var isOver: Bool { hasEnded.load(ordering: .acquiring) }

  /// Adds the next bytes. Returns false if there is no room on the disk.
  func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard !bytes.isEmpty else { return true }
    let isKept = state.withLock { state in
      if let file = state.file {
        guard pwrite(file.number, bytes.baseAddress, bytes.count, off_t(state.count)) == bytes.count else { return false }
      } else {
        state.memory += bytes
      }
      state.count += bytes.count
      arrivedCount.store(state.count, ordering: .releasing)
      return true
    }
    state.broadcast()
    return isKept
  }

  /// Notes that all bytes have arrived, or with an error, that the rest will not.
  func finish(_ error: PlaybackError? = nil) {
    state.withLock { state in
      guard case .arriving = state.progress else { return }
      state.progress = error.map { .failed($0) } ?? .complete
    }
    hasEnded.store(true, ordering: .releasing)
    state.broadcast()
  }

  /// Reads bytes that have arrived.
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Read {
    state.withLock { Self.read($0, at: offset, into: buffer) }
  }

  /// Waits for bytes and reads them; returns `nothing` if `isInterrupted` returns true.
  func waitToRead(at offset: Int, into buffer: UnsafeMutableRawBufferPointer, isInterrupted: () -> Bool) -> Read {
    while !isInterrupted() {
      let read = state.wait(until: monotonicNanoseconds() + Self.lookInterval) { state -> Read? in
        let result = Self.read(state, at: offset, into: buffer)
        if case .nothing = result { return nil }
        return result
      }
      if let read { return read }
    }
    return .nothing
  }

  private static func read(_ state: State, at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Read {
    let count = min(buffer.count, state.count - offset)
    guard count > 0 else {
      switch state.progress {
      case .arriving: return .nothing
      case .complete: return .end
      case .failed(let error): return .failed(error)
      }
    }
    guard let file = state.file else {
      state.memory.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + count])) }
      return .bytes(count)
    }
    let got = pread(file.number, buffer.baseAddress, count, off_t(offset))
    return got > 0 ? .bytes(got) : .failed(PlaybackError(.system, "a segment can no longer be read"))
  }

  /// Waits until no more bytes will come, or until a time of the monotonic clock.
  func waitUntilOver(until deadline: UInt64) {
    _ = state.wait(until: deadline) { state -> Void? in if case .arriving = state.progress { nil } else { () } }
  }
}
