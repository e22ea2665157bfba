import Glibc
import Libav
import Synchronization

/// The bytes of consecutive segments, with their initialization section in front, as one stream.
final class HLSRunBytes: ByteSource {
  private let source: HLSSource
  private let state: Mutex<State>

  private struct State {
    /// The parts that have been read so far: where each begins.
    var starts: [Int64] = [0]
    var parts: [HLSLoader.Resource]
    /// The number of the last segment among the parts.
    var last: Int
    var isComplete = false
  }

  init(_ source: HLSSource, first: Int, parts: [HLSLoader.Resource]) {
    self.source = source
    state = Mutex(State(parts: parts, last: first))
  }

  /// The number of the last segment that has been read.
  var last: Int { state.withLock { $0.last } }

  var byteCount: Int64? { state.withLock { $0.isComplete ? $0.starts.last : nil } }
  var arrivedCount: Int64 { state.withLock { $0.starts.last ?? 0 } }
  var hasRandomAccess: Bool { false }
  func makeReader(_ interrupter: Interrupter) -> any ByteReader { Reader(self, interrupter) }

  private final class Reader: ByteReader {
    private let bytes: HLSRunBytes
    private let interrupter: Interrupter
    /// The part being read.
    private var current: (index: Int, bytes: [UInt8])?

    init(_ bytes: HLSRunBytes, _ interrupter: Interrupter) { (self.bytes, self.interrupter) = (bytes, interrupter) }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(ByteReaderError) -> Int {
      while true {
        switch bytes.place(of: offset) {
        case .end: return 0
        case .notYet(let last):
          do throws(PlaybackError) {
            try interrupter.whileWaiting { () throws(PlaybackError) in try bytes.source.waitForSegment(after: last, interrupter) }
          } catch {
            if interrupter.isInterrupted { throw .interrupted }
            throw .system(errno: EIO)
          }
        case .part(let index, let start, let resource):
          if current?.index != index { current = try load(resource).map { (index, $0) } }
          guard let part = current?.bytes else { return 0 }
          bytes.didLoad(index, count: part.count)
          let begin = Int(offset - start)
          guard begin < part.count else { continue }
          let count = min(buffer.count, part.count - begin)
          part.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[begin..<begin + count])) }
          return count
        }
      }
    }

    /// Returns a part; nil if it cannot be loaded, which ends the run.
    private func load(_ resource: HLSLoader.Resource) throws(ByteReaderError) -> [UInt8]? {
      do throws(PlaybackError) {
        return try interrupter.whileWaiting { () throws(PlaybackError) in try bytes.source.load(resource, interrupter) }
      } catch {
        if interrupter.isInterrupted { throw .interrupted }
        bytes.source.noteMissing(bytes.last, error)
        bytes.end()
        return nil
      }
    }
  }

  private enum Place {
    case end
    /// The segment after this one has yet to be announced.
    case notYet(Int)
    case part(Int, start: Int64, HLSLoader.Resource)
  }

  /// Returns the part that holds a byte, or the next one that must be read to find it.
  private func place(of offset: Int64) -> Place {
    state.withLock { state in
      if state.isComplete, offset >= state.starts.last ?? 0 { return .end }
      // `starts` has one more entry than parts have been read.
      if let index = state.starts.indices.dropLast().last(where: { state.starts[$0] <= offset }), offset < state.starts[index + 1] {
        return .part(index, start: state.starts[index], state.parts[index])
      }
      let index = state.starts.count - 1
      if index == state.parts.count {
        guard let (resource, number) = source.continuation(of: state.last) else {
          if source.mayGrow(after: state.last) { return .notYet(state.last) }
          state.isComplete = true
          return .end
        }
        state.parts.append(resource)
        state.last = number
      }
      return .part(index, start: state.starts[index], state.parts[index])
    }
  }

  /// Ends the run before a part that cannot be loaded.
  private func end() { state.withLock { $0.isComplete = true } }

  private func didLoad(_ index: Int, count: Int) {
    state.withLock { state in
      if index == state.starts.count - 1 { state.starts.append(state.starts[index] + Int64(count)) }
    }
  }
}
