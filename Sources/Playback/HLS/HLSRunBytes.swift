import Glibc
import Libav
import Synchronization

/// The bytes of consecutive segments, with their initialization section in front, as one stream.
final class HLSRunBytes: ByteSource {
  private let reading: HLSReading
  private let state: Mutex<State>

  private struct Part {
    let resource: HLSLoader.Resource
    /// The segment that it is, or belongs to.
    let place: HLSSupply.Place
  }

  private struct State {
    /// The offsets at which the parts begin that have been read to their ends, and the one after them.
    var starts: [Int64] = [0]
    var parts: [Part]
    /// The last segment among the parts.
    var last: HLSSupply.Place
    var isComplete = false
  }

  init(_ reading: HLSReading, first: HLSSupply.Place, parts: [HLSLoader.Resource]) {
    self.reading = reading
    state = Mutex(State(parts: parts.map { Part(resource: $0, place: first) }, last: first))
  }

  /// The last segment that has been read.
  var last: HLSSupply.Place { state.withLock { $0.last } }

  var byteCount: Int64? { state.withLock { $0.isComplete ? $0.starts.last : nil } }
  var arrivedCount: Int64 { state.withLock { $0.starts.last ?? 0 } }
  var hasRandomAccess: Bool { false }
  func makeReader(_ interrupter: Interrupter) -> any ByteReader { Reader(self, interrupter) }

  private final class Reader: ByteReader {
    private let bytes: HLSRunBytes
    private let interrupter: Interrupter
    /// The part being read.
    private var current: (index: Int, use: HLSLoader.Use)?

    init(_ bytes: HLSRunBytes, _ interrupter: Interrupter) { (self.bytes, self.interrupter) = (bytes, interrupter) }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(ByteReaderError) -> Int {
      while true {
        if interrupter.isInterrupted { throw .interrupted }
        switch bytes.position(of: offset) {
        case .end: return 0
        case .after(let last): try proceed(after: last)
        case .part(let index, let start, let part):
          guard let use = use(index, part) else { continue }
          let begin = Int(offset - start)
          switch read(use.bytes, at: begin, into: buffer) {
          case .bytes(let count):
            bytes.reading.didReach(part.place, share: use.bytes.share(of: begin + count) ?? 0)
            return count
          case .end:
            guard bytes.didEnd(index, count: use.bytes.count) else { throw .system(errno: EIO) }
            bytes.reading.didRead(part.place)
          case .nothing: throw .interrupted
          case .failed(let error): bytes.end(part.place, error)
          }
        }
      }
    }

    private func read(_ bytes: SegmentBytes, at offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> SegmentBytes.Read {
      let result = bytes.read(at: offset, into: buffer)
      guard case .nothing = result else { return result }
      return interrupter.whileWaiting { bytes.waitToRead(at: offset, into: buffer) { interrupter.isInterrupted } }
    }

    /// Returns a part's bytes; nil if they cannot be loaded, which ends the run.
    private func use(_ index: Int, _ part: Part) -> HLSLoader.Use? {
      if let current, current.index == index { return current.use }
      do throws(PlaybackError) {
        let use = try bytes.reading.use(part.resource, of: part.place)
        current = (index, use)
        return use
      } catch {
        bytes.end(part.place, error)
        return nil
      }
    }

    private func proceed(after last: HLSSupply.Place) throws(ByteReaderError) {
      do throws(PlaybackError) {
        let next = try interrupter.whileWaiting { () throws(PlaybackError) in
          try bytes.reading.continuation(of: last, interrupter)
        }
        bytes.append(next)
      } catch {
        if interrupter.isInterrupted { throw .interrupted }
        throw .system(errno: EIO)
      }
    }
  }

  private enum Position {
    case end
    /// In the part that follows this segment, if there is one.
    case after(HLSSupply.Place)
    case part(Int, start: Int64, Part)
  }

  /// Returns the part that holds a byte, or the next one that must be read to find it.
  private func position(of offset: Int64) -> Position {
    state.withLock { state in
      // `starts` has one more entry than parts have been read to their ends.
      let index = state.starts.lastIndex { $0 <= offset } ?? 0
      guard index < state.parts.count, !state.isComplete || index + 1 < state.starts.count else {
        return state.isComplete ? .end : .after(state.last)
      }
      return .part(index, start: state.starts[index], state.parts[index])
    }
  }

  /// Adds the next part; nil to end the run.
  private func append(_ next: (resource: HLSLoader.Resource, place: HLSSupply.Place)?) {
    state.withLock { state in
      guard let next else { return state.isComplete = true }
      // Another reader may have been faster.
      guard next.place.number == state.last.number + 1 else { return }
      state.parts.append(Part(resource: next.resource, place: next.place))
      state.last = next.place
    }
  }

  /// Ends the run before a part that cannot be loaded.
  private func end(_ place: HLSSupply.Place, _ error: PlaybackError) {
    reading.noteMissing(place, error)
    state.withLock { $0.isComplete = true }
  }

  /// Notes the end of a part. Returns false if it is shorter than when it was read before.
  private func didEnd(_ index: Int, count: Int) -> Bool {
    state.withLock { state in
      guard index == state.starts.count - 1 else { return false }
      state.starts.append(state.starts[index] + Int64(count))
      return true
    }
  }
}
