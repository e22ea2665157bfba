import CFFmpeg

/// Reads kept packets as a demuxer would. Use from one thread at a time.
final class PacketReader {
  private let source: any PacketSource
  private let interrupter: Interrupter
  /// The number of the next packet.
  private var next = 0
  private var selection: Set<Int>

  init(_ source: any PacketSource, _ interrupter: Interrupter) {
    (self.source, self.interrupter) = (source, interrupter)
    selection = Set(source.streams.indices)
  }

  var formatName: String { source.formatName }

  func select(_ streams: Set<Int>) { selection = streams }

  func seek(toKeyAtOrBefore ticks: Int64, stream: Int) { next = source.packet(ofKeyAtOrBefore: ticks, stream: stream) }

  func rewind() { next = 0 }

  /// - Throws: `AVError`.
  func read(into packet: Packet) throws -> Demuxer.ReadResult {
    do {
      guard let number = try source.read(next, of: selection, into: packet, interrupter) else { return .endOfFile }
      next = number + 1
      return .packet
    } catch ByteReaderError.interrupted {
      throw AVError(code: qd_averror_exit(), context: "reading")
    } catch ByteReaderError.system(let code) {
      throw AVError(code: qd_averror(code), context: "reading")
    }
  }
}

/// Bytes of a source that has only packets.
private final class NoBytes: ByteSource, ByteReader {
  var byteCount: Int64? { nil }
  var arrivedCount: Int64 { 0 }
  var hasRandomAccess: Bool { false }
  func makeReader(_ interrupter: Interrupter) -> any ByteReader { self }
  func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(ByteReaderError) -> Int { 0 }
}

extension Demuxer {
  /// Opens packets that are kept as they arrive, at the first one.
  ///
  /// - Throws: `AVError` if memory runs out.
  public static func packets(of source: any PacketSource, interrupter: Interrupter) throws -> Demuxer {
    let demuxer = try Demuxer(ByteInput(NoBytes(), interrupter: interrupter), PacketReader(source, interrupter), interrupter)
    demuxer.context.pointee.start_time = source.startMicroseconds
    for parameters in source.streams {
      guard let stream = avformat_new_stream(demuxer.context, nil) else { throw AVError.outOfMemory("opening the stream") }
      try parameters.apply(to: stream)
      let microseconds = AVRational(num: 1, den: 1_000_000)
      stream.pointee.start_time = av_rescale_q(source.startMicroseconds, microseconds, stream.pointee.time_base)
      stream.pointee.duration = qd_nopts()
    }
    return demuxer
  }
}
