import CFFmpeg

/// A compressed packet: owns an `AVPacket`. Reused from read to read.
public final class Packet {
  let pointer: UnsafeMutablePointer<AVPacket>
  /// The coding of the packet, of a source in which it may change; nil for others.
  public internal(set) var format: StreamFormat?

  public init() throws {
    guard let pointer = av_packet_alloc() else { throw AVError.outOfMemory("allocating a packet") }
    self.pointer = pointer
  }

  deinit {
    var pointer: UnsafeMutablePointer<AVPacket>? = pointer
    av_packet_free(&pointer)
  }

  public var streamIndex: Int { Int(pointer.pointee.stream_index) }
  /// The PTS in ticks of the stream's time base; nil if the container has none.
  public var pts: Int64? { pointer.pointee.pts == qd_nopts() ? nil : pointer.pointee.pts }
  public var dts: Int64? { pointer.pointee.dts == qd_nopts() ? nil : pointer.pointee.dts }
  /// The duration in ticks; 0 if unknown.
  public var duration: Int64 { pointer.pointee.duration }
  public var isKey: Bool { pointer.pointee.flags & AV_PKT_FLAG_KEY != 0 }
  /// True if the demuxer found the packet damaged or truncated.
  public var isCorrupt: Bool { pointer.pointee.flags & AV_PKT_FLAG_CORRUPT != 0 }
  /// The offset in the file; nil if unknown.
  public var position: Int64? { pointer.pointee.pos < 0 ? nil : pointer.pointee.pos }
  public var byteCount: Int { Int(pointer.pointee.size) }
  /// True if the frame is decoded only for other frames and never shown, according to an edit list.
  public var isDiscarded: Bool { pointer.pointee.flags & AV_PKT_FLAG_DISCARD != 0 }

  /// True if the bytes are encrypted.
  public var isEncrypted: Bool { av_packet_get_side_data(pointer, AV_PKT_DATA_ENCRYPTION_INFO, nil) != nil }

  /// Calls `body` with the compressed bytes; the pointer is valid only during the call.
  public func withBytes<R>(_ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R {
    try body(UnsafeBufferPointer(start: pointer.pointee.data, count: byteCount))
  }

  /// Inserts bytes before the packet's own, for instance headers that only the first packet has.
  ///
  /// - Throws: `AVError` if memory runs out, leaving the packet unchanged.
  public func prepend(_ bytes: [UInt8]) throws {
    guard !bytes.isEmpty else { return }
    let old = withBytes { Array($0) }
    try AVError.check(av_packet_make_writable(pointer), "adding headers")
    try AVError.check(av_grow_packet(pointer, Int32(bytes.count)), "adding headers")
    let data = UnsafeMutableBufferPointer(start: pointer.pointee.data, count: byteCount)
    for (i, byte) in (bytes + old).enumerated() { data[i] = byte }
  }

  /// Replaces the packet's bytes; all else stays.
  ///
  /// - Throws: `AVError` if memory runs out, leaving the packet unchanged.
  public func replaceBytes(_ bytes: [UInt8]) throws {
    try AVError.check(av_packet_make_writable(pointer), "changing a packet")
    if bytes.count > byteCount { try AVError.check(av_grow_packet(pointer, Int32(bytes.count - byteCount)), "changing a packet") }
    av_shrink_packet(pointer, Int32(bytes.count))
    _ = UnsafeMutableBufferPointer(start: pointer.pointee.data, count: byteCount).update(fromContentsOf: bytes)
  }

  /// Side data of a packet that also applies to later packets.
  public enum SideData: UInt8, CaseIterable, Sendable {
    /// The palette of a paletted frame.
    case palette
    /// Codec headers that replace those of the container.
    case headers

    fileprivate var type: AVPacketSideDataType {
      switch self {
      case .palette: AV_PKT_DATA_PALETTE
      case .headers: AV_PKT_DATA_NEW_EXTRADATA
      }
    }
  }

  /// Returns the packet's side data of a kind; nil if it has none.
  public func sideData(_ kind: SideData) -> [UInt8]? {
    var count = 0
    guard let data = av_packet_get_side_data(pointer, kind.type, &count), count > 0 else { return nil }
    return Array(UnsafeBufferPointer(start: data, count: count))
  }

  /// Attaches side data of an earlier packet.
  ///
  /// - Throws: `AVError` if memory runs out, leaving the packet unchanged.
  public func attach(_ bytes: [UInt8], as kind: SideData) throws {
    guard let data = av_packet_new_side_data(pointer, kind.type, bytes.count) else {
      throw AVError.outOfMemory("adding headers")
    }
    for (i, byte) in bytes.enumerated() { data[i] = byte }
  }

  /// The position and alignment settings of a WebVTT cue, as in the file: "line:0 position:20%"; nil if there are none.
  public var webVTTSettings: String? {
    var count = 0
    guard let data = av_packet_get_side_data(pointer, AV_PKT_DATA_WEBVTT_SETTINGS, &count), count > 0 else { return nil }
    return String(decoding: UnsafeBufferPointer(start: data, count: count).prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Calls `body` with the packet's VP8 or VP9 alpha layer (WebM's BlockAdditional number 1). Returns nil if there is none.
  /// The bytes are valid during the call.
  public func withAlphaLayer<R>(_ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R? {
    var count = 0
    guard let data = av_packet_get_side_data(pointer, AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL, &count), count > 8
    else { return nil }
    // The first eight bytes are the number.
    let bytes = UnsafeBufferPointer(start: data, count: count)
    guard bytes.prefix(7).allSatisfy({ $0 == 0 }), bytes[7] == 1 else { return nil }
    return try body(UnsafeBufferPointer(rebasing: bytes.dropFirst(8)))
  }

  /// Takes over the content of `other`, leaving it empty; no bytes are copied.
  public func take(_ other: Packet) {
    av_packet_unref(pointer)
    av_packet_move_ref(pointer, other.pointer)
    (format, other.format) = (other.format, nil)
  }

  func clear() {
    av_packet_unref(pointer)
    format = nil
  }

  /// Makes this a packet with these properties, whose bytes are still to be written.
  ///
  /// - Throws: `AVError` if memory runs out.
  func allocate(_ record: PacketRecord) throws {
    clear()
    try AVError.check(av_new_packet(pointer, Int32(clamping: record.byteCount)), "reading")
    (pointer.pointee.pts, pointer.pointee.dts) = (record.pts ?? qd_nopts(), record.dts ?? qd_nopts())
    pointer.pointee.duration = record.duration
    pointer.pointee.stream_index = Int32(record.stream)
    pointer.pointee.flags = record.isKey ? AV_PKT_FLAG_KEY : 0
    pointer.pointee.pos = -1
  }
}
