extension SignatureSequence {
  public enum DecodingFailure: Error, Hashable, Sendable {
    /// These are no signatures, or those of another version of the program.
    case unknownFormat
    /// The data ends too early, goes on too long, or says what cannot be.
    case damaged
  }

  // "QSIG", the version, the grid, two bytes of zero, the number of frames, frame rate and aspect, then all times and all luma.
  private static let magic: [UInt8] = [0x51, 0x53, 0x49, 0x47]
  /// Signatures are made anew when this changes.
  private static let version: UInt8 = 1
  private static let headerSize = 28

  /// The signatures as bytes, for files.
  public func encoded() -> [UInt8] {
    var bytes = Self.magic + [Self.version, grid.rawValue, 0, 0]
    bytes.reserveCapacity(Self.headerSize + count * (8 + grid.count))
    func append(_ value: some FixedWidthInteger) {
      withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }
    append(UInt32(count))
    append(frameRate.bitPattern)
    append(aspect.bitPattern)
    for time in times { append(time) }
    return bytes + luma
  }

  /// Reads what `encoded` wrote. Nothing is allocated that the bytes do not cover.
  public init(decoding bytes: some RandomAccessCollection<UInt8>) throws(DecodingFailure) {
    let bytes = ArraySlice(bytes)
    guard bytes.count >= Self.headerSize, Array(bytes.prefix(4)) == Self.magic else { throw .unknownFormat }
    func read<T: FixedWidthInteger>(_ offset: Int, _: T.Type) -> T {
      let start = bytes.startIndex + offset
      return bytes[start..<start + T.bitWidth / 8].reversed().reduce(0) { $0 << 8 | T(truncatingIfNeeded: $1) }
    }
    guard read(4, UInt8.self) == Self.version else { throw .unknownFormat }
    guard let grid = SignatureGrid(rawValue: read(5, UInt8.self)), read(6, UInt16.self) == 0 else { throw .damaged }
    let count = Int(read(8, UInt32.self))
    let frameRate = Double(bitPattern: read(12, UInt64.self)), aspect = Double(bitPattern: read(20, UInt64.self))
    guard count <= Self.mostFrames, bytes.count == Self.headerSize + count * (8 + grid.count),
      frameRate.isFinite, frameRate >= 0, aspect.isFinite, aspect >= 0
    else { throw .damaged }
    let luma = Array(bytes.dropFirst(Self.headerSize + count * 8))
    let times = (0..<count).map { read(Self.headerSize + $0 * 8, Int64.self) }
    self.init(grid: grid, luma: luma, times: times, frameRate: frameRate, aspect: aspect)
  }
}
