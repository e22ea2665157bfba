import DecodePool
import Libav

/// Reads a pipe on a thread of its own.
struct PipeFeed {
  /// The number of bytes to read at a time.
  private static let chunk = 64 << 10

  /// Opens a pipe and begins to read it.
  ///
  /// - Throws: `FileInputError` or `ThreadError`.
  static func bytes(
    of path: String, store: sending BlockStore, startThread: ThreadStarter = detachThread
  ) throws -> StreamedBytes {
    let interrupter = Interrupter()
    let reader = try FileReader(path, interrupter: interrupter)
    let arrivals = Arrivals(.ascending, store)
    arrivals.setWhenNeeded { [weak arrivals] in if arrivals?.isClosed == true { interrupter.interrupt() } }
    let box = ReaderBox(reader)
    try startThread { read(box.reader, into: arrivals) }
    return StreamedBytes(arrivals)
  }

  private static func read(_ reader: FileReader, into arrivals: Arrivals) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk, alignment: 64)
    defer { buffer.deallocate() }
    while true {
      do throws(ByteReaderError) {
        let count = try reader.read(at: 0, into: buffer)
        guard count > 0 else { return arrivals.finish() }
        guard arrivals.append(UnsafeRawBufferPointer(rebasing: buffer[..<count])) else { return }
      } catch .interrupted {
        return
      } catch {
        return arrivals.fail(reader.hasNoWriter ? PlaybackError(FileInputError.hasNoWriter) : PlaybackError(error))
      }
    }
  }
}

/// Carries a reader to the thread that uses it.
///
/// `@unchecked Sendable`: created by one thread, handed over once, and then used by the other one only.
private final class ReaderBox: @unchecked Sendable {
  let reader: FileReader
  init(_ reader: FileReader) { self.reader = reader }
}
