import CFFmpeg

/// One compressed packet: owns an `AVPacket`. Reused from read to read.
public final class Packet {
  let pointer: UnsafeMutablePointer<AVPacket>

  public init() throws {
    guard let pointer = av_packet_alloc() else { throw AVError.outOfMemory("making a packet") }
    self.pointer = pointer
  }

  deinit {
    var pointer: UnsafeMutablePointer<AVPacket>? = pointer
    av_packet_free(&pointer)
  }

  public var streamIndex: Int { Int(pointer.pointee.stream_index) }
  /// In ticks of the stream's time base; nil where the container has none.
  public var pts: Int64? { pointer.pointee.pts == qd_nopts() ? nil : pointer.pointee.pts }
  public var dts: Int64? { pointer.pointee.dts == qd_nopts() ? nil : pointer.pointee.dts }
  /// In ticks; 0 where unknown.
  public var duration: Int64 { pointer.pointee.duration }
  public var isKey: Bool { pointer.pointee.flags & AV_PKT_FLAG_KEY != 0 }
  /// Offset in the file, nil where unknown.
  public var position: Int64? { pointer.pointee.pos < 0 ? nil : pointer.pointee.pos }
  public var byteCount: Int { Int(pointer.pointee.size) }

  func clear() { av_packet_unref(pointer) }
}
