import CFFmpeg

/// One compressed packet: owns an `AVPacket`. Reused from read to read.
public final class Packet {
  let pointer: UnsafeMutablePointer<AVPacket>

  public init() throws {
    guard let pointer = av_packet_alloc() else { throw AVError.outOfMemory("allocating a packet") }
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
  /// True if the demuxer found the packet damaged or truncated.
  public var isCorrupt: Bool { pointer.pointee.flags & AV_PKT_FLAG_CORRUPT != 0 }
  /// Offset in the file, nil where unknown.
  public var position: Int64? { pointer.pointee.pos < 0 ? nil : pointer.pointee.pos }
  public var byteCount: Int { Int(pointer.pointee.size) }
  /// True if the frame is decoded only for other frames and never shown, according to an edit list.
  public var isDiscarded: Bool { pointer.pointee.flags & AV_PKT_FLAG_DISCARD != 0 }

  /// Gives `body` the compressed bytes; the pointer is good only inside.
  public func withBytes<R>(_ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R {
    try body(UnsafeBufferPointer(start: pointer.pointee.data, count: byteCount))
  }

  /// Puts bytes before the packet's own, for instance headers that only the first packet has.
  ///
  /// - Throws: `AVError` when memory is short; the packet is then as it was.
  public func prepend(_ bytes: [UInt8]) throws {
    guard !bytes.isEmpty else { return }
    let old = withBytes { Array($0) }
    try AVError.check(av_packet_make_writable(pointer), "adding headers")
    try AVError.check(av_grow_packet(pointer, Int32(bytes.count)), "adding headers")
    let data = UnsafeMutableBufferPointer(start: pointer.pointee.data, count: byteCount)
    for (i, byte) in (bytes + old).enumerated() { data[i] = byte }
  }

  /// Side data of a packet that also applies to later packets.
  public enum SideData: UInt8, CaseIterable, Sendable {
    /// Colours of a paletted frame.
    case palette
    /// Headers of the codec that replace those of the container.
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

  /// Lets the packet bring what came with an earlier one.
  ///
  /// - Throws: `AVError` when memory is short; the packet is then as it was.
  public func attach(_ bytes: [UInt8], as kind: SideData) throws {
    guard let data = av_packet_new_side_data(pointer, kind.type, bytes.count) else {
      throw AVError.outOfMemory("adding headers")
    }
    for (i, byte) in bytes.enumerated() { data[i] = byte }
  }

  /// Where and how a cue of WebVTT is to stand, as the file has it: "line:0 position:20%"; nil where it says nothing.
  public var webVTTSettings: String? {
    var count = 0
    guard let data = av_packet_get_side_data(pointer, AV_PKT_DATA_WEBVTT_SETTINGS, &count), count > 0 else { return nil }
    return String(decoding: UnsafeBufferPointer(start: data, count: count).prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Calls `body` with the packet of the alpha layer that comes with this one of VP8 or VP9 (WebM's BlockAdditional
  /// with the number 1); nil when none does. The bytes are valid during the call.
  public func withAlphaLayer<R>(_ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R? {
    var count = 0
    guard let data = av_packet_get_side_data(pointer, AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL, &count), count > 8
    else { return nil }
    // Eight bytes of number come first.
    let bytes = UnsafeBufferPointer(start: data, count: count)
    guard bytes.prefix(7).allSatisfy({ $0 == 0 }), bytes[7] == 1 else { return nil }
    return try body(UnsafeBufferPointer(rebasing: bytes.dropFirst(8)))
  }

  /// Takes over what `other` has, which is empty afterwards; no bytes are copied.
  public func take(_ other: Packet) {
    av_packet_unref(pointer)
    av_packet_move_ref(pointer, other.pointer)
  }

  func clear() { av_packet_unref(pointer) }
}
