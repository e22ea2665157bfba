/// Packets that are kept as they arrive, for any number of readers. Safe to use from any thread.
///
/// Packets are numbered in the order of their arrival. The oldest go as newer ones come.
public protocol PacketSource: AnyObject, Sendable {
  /// libav's short name of the format in which they arrive.
  var formatName: String { get }

  /// The streams, by index.
  var streams: [StreamParameters] { get }

  /// The timestamp at which playback begins, in microseconds.
  var startMicroseconds: Int64 { get }

  /// Returns the number of the last key packet of a stream at or before a time in its ticks, or else of its first one.
  func packet(ofKeyAtOrBefore ticks: Int64, stream: Int) -> Int

  /// Reads a packet, or the first one kept after it with which decoding can begin. Waits until it arrives.
  ///
  /// - Parameters:
  ///   - number: of the packet.
  ///   - streams: those whose packets are read, by index; packets of others are passed over.
  /// - Returns: the number of the packet; nil if none will come.
  /// - Throws: `ByteReaderError` if the wait was interrupted or the packet cannot be read, `AVError` if memory runs out.
  func read(_ number: Int, of streams: Set<Int>, into packet: Packet, _ interrupter: Interrupter) throws -> Int?
}

/// The properties of a packet that is kept elsewhere.
public struct PacketRecord: Sendable {
  public var stream: Int
  /// Timestamps in ticks of the stream; nil if the source has none.
  public var pts: Int64?
  public var dts: Int64?
  /// The duration in ticks; 0 if unknown.
  public var duration: Int64
  public var isKey: Bool
  public var byteCount: Int

  /// Describes a packet.
  public init(_ packet: Packet) {
    (stream, pts, dts) = (packet.streamIndex, packet.pts, packet.dts)
    (duration, isKey, byteCount) = (packet.duration, packet.isKey, packet.byteCount)
  }
}

extension Packet {
  /// Fills the packet with kept bytes.
  ///
  /// - Parameter copy: copies the bytes, and returns false if they are lost.
  /// - Returns: false if they are lost; the packet is then empty.
  /// - Throws: `AVError` if memory runs out.
  public func fill(_ record: PacketRecord, _ copy: (UnsafeMutableRawBufferPointer) -> Bool) throws -> Bool {
    try allocate(record)
    let isThere = copy(UnsafeMutableRawBufferPointer(start: pointer.pointee.data, count: record.byteCount))
    if !isThere { clear() }
    return isThere
  }
}
