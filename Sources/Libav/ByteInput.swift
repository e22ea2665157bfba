import CFFmpeg
import Glibc

/// The input of a `Demuxer`: owns the `AVIOContext` and a reader. Not thread-safe.
final class ByteInput {
  private let cursor: Cursor
  private let context: UnsafeMutablePointer<AVIOContext>
  /// True if any byte can be read without waiting for those before it.
  let hasRandomAccess: Bool

  var avio: UnsafeMutablePointer<AVIOContext> { context }

  /// True if bytes arrive over time.
  var isStreamed: Bool { cursor.isStreamed }

  /// True if reading was abandoned because the pipe has no writer.
  var hasNoWriter: Bool { (cursor.reader as? FileReader)?.hasNoWriter ?? false }

  /// The number of bytes that libav reads at a time: large, for few system calls at high bit rates.
  private static let bufferSize: Int32 = 128 * 1024

  /// A reader and the offset of the next byte that libav reads.
  private final class Cursor {
    let reader: any ByteReader
    private let source: (any ByteSource)?
    /// True once what has arrived counts as all, for searches in it.
    var endsAtArrived = false
    var offset: Int64 = 0

    init(_ reader: any ByteReader, _ source: (any ByteSource)?) { (self.reader, self.source) = (reader, source) }

    var isStreamed: Bool { source != nil }

    /// True if libav cannot go back.
    var isForwardOnly: Bool { (reader as? FileReader)?.isPipe ?? false }

    var byteCount: Int64? {
      guard let source else { return (reader as? FileReader)?.byteCount }
      return source.byteCount ?? (endsAtArrived ? source.arrivedCount : nil)
    }

    func read(_ buffer: UnsafeMutablePointer<UInt8>, _ count: Int32) -> Int32 {
      do {
        let got = try reader.read(at: offset, into: UnsafeMutableRawBufferPointer(start: buffer, count: Int(count)))
        guard got > 0 else { return qd_averror_eof() }
        offset += Int64(got)
        return Int32(got)
      } catch {
        switch error {
        case .interrupted: return qd_averror_exit()
        case .system(let code): return qd_averror(code)
        }
      }
    }

    func seek(_ change: Int64, _ whence: Int32) -> Int64 {
      if isForwardOnly { return Int64(qd_averror(ESPIPE)) }
      if whence & AVSEEK_SIZE != 0 { return byteCount ?? Int64(qd_averror(ENOSYS)) }
      let base: Int64?
      switch whence & ~AVSEEK_FORCE {
      case SEEK_SET: base = 0
      case SEEK_CUR: base = offset
      case SEEK_END: base = byteCount
      default: base = nil
      }
      guard let base, case let (place, false) = base.addingReportingOverflow(change), place >= 0 else {
        return Int64(qd_averror(EINVAL))
      }
      offset = place
      return place
    }
  }

  /// Opens a local file or pipe.
  ///
  /// - Throws: `FileInputError` or `AVError`.
  convenience init(path: String, interrupter: Interrupter) throws {
    let reader = try FileReader(path, interrupter: interrupter)
    try self.init(Cursor(reader, nil), hasRandomAccess: !reader.isPipe)
  }

  /// Opens a source that arrives over time.
  ///
  /// - Throws: `AVError`.
  convenience init(_ source: any ByteSource, interrupter: Interrupter) throws {
    try self.init(Cursor(source.makeReader(interrupter), source), hasRandomAccess: source.hasRandomAccess)
  }

  private init(_ cursor: Cursor, hasRandomAccess: Bool) throws {
    self.cursor = cursor
    self.hasRandomAccess = hasRandomAccess
    guard let buffer = av_malloc(Int(Self.bufferSize)) else { throw AVError.outOfMemory("opening the file") }
    let opaque = Unmanaged.passUnretained(cursor).toOpaque()
    guard
      let context = avio_alloc_context(
        buffer.assumingMemoryBound(to: UInt8.self), Self.bufferSize, 0, opaque,
        { opaque, buffer, count in
          guard let opaque, let buffer else { return qd_averror(EINVAL) }
          return Unmanaged<Cursor>.fromOpaque(opaque).takeUnretainedValue().read(buffer, count)
        },
        nil,
        { opaque, offset, whence in
          guard let opaque else { return Int64(qd_averror(EINVAL)) }
          return Unmanaged<Cursor>.fromOpaque(opaque).takeUnretainedValue().seek(offset, whence)
        })
    else {
      av_free(buffer)
      throw AVError.outOfMemory("opening the file")
    }
    context.pointee.seekable = hasRandomAccess ? AVIO_SEEKABLE_NORMAL : 0
    self.context = context
  }

  /// True if libav can return to bytes that it has read.
  var isSeekable: Bool { context.pointee.seekable & AVIO_SEEKABLE_NORMAL != 0 }

  /// Lets libav return to bytes of a source that arrives in order. While it reads the header, it must not know that it
  /// could, since it would wait for the end to look there for an index.
  func permitSeeking() { if !cursor.isForwardOnly { context.pointee.seekable = AVIO_SEEKABLE_NORMAL } }

  /// Lets libav search in what has arrived. While it reads the streams, it must not, since it would take the end of that for
  /// the end of the clip.
  func permitSearching() { cursor.endsAtArrived = true }

  /// Forgets an error, which libav would otherwise report for ever.
  func clearError() {
    context.pointee.error = 0
    context.pointee.eof_reached = 0
  }

  /// The size in bytes; 0 while it is unknown.
  var byteCount: Int64 { cursor.byteCount ?? 0 }

  /// The length that the file claims; nothing for sources that arrive in order.
  var extent: FileExtent {
    FileExtent(byteCount: byteCount) { [cursor, hasRandomAccess] offset, count in
      hasRandomAccess ? cursor.reader.bytes(at: offset, count: count) : []
    }
  }

  /// Returns the first bytes, fewer if there are no more. Reads nothing from a pipe, whose data would be gone.
  func beginning(count: Int) -> [UInt8] { cursor.isForwardOnly ? [] : cursor.reader.bytes(at: 0, count: count) }

  /// The boxes of a movie file; nil for a pipe, whose data would be gone. May wait for data.
  var movieBoxes: MovieBoxes? {
    if cursor.isForwardOnly { return nil }
    let read = { [cursor] offset, count in cursor.reader.bytes(at: offset, count: count) }
    return MovieBoxes(byteCount: hasRandomAccess ? byteCount : .max, endsAtSamples: !hasRandomAccess, read: read)
  }

  deinit {
    // libav may have replaced the buffer; the context has the current one.
    av_freep(&context.pointee.buffer)
    var context: UnsafeMutablePointer<AVIOContext>? = context
    avio_context_free(&context)
  }
}

extension ByteReader {
  /// Returns bytes from an offset on; fewer at the end, or if they cannot be read.
  fileprivate func bytes(at offset: Int64, count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
        guard let got = try? read(at: offset + Int64(filled), into: rest), got > 0 else { return }
        filled += got
      }
    }
  }
}
