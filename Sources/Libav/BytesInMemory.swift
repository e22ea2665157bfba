/// The bytes of a clip in memory.
public final class BytesInMemory: ByteSource {
  private let bytes: [UInt8]

  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  public var byteCount: Int64? { Int64(bytes.count) }
  public var arrivedCount: Int64 { Int64(bytes.count) }
  public var hasRandomAccess: Bool { true }
  public func makeReader(_ interrupter: Interrupter) -> any ByteReader { Reader(bytes) }

  private final class Reader: ByteReader {
    private let bytes: [UInt8]
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(ByteReaderError) -> Int {
      guard offset < bytes.count else { return 0 }
      let count = min(buffer.count, bytes.count - Int(offset))
      bytes.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[Int(offset)..<Int(offset) + count])) }
      return count
    }
  }
}
