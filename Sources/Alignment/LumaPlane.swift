/// The luma samples of one frame, in memory that somebody else owns.
public struct LumaPlane {
  public enum Range: Sendable {
    /// Black is 16 and white 235, of 8 bits.
    case limited
    /// Black is 0 and white the greatest value.
    case full
  }

  /// Samples of 8 bits, or of 16 bits in native byte order.
  public var bytes: UnsafeRawBufferPointer
  /// The distance between rows in bytes; negative where rows run upwards from the last one in memory, `bytes` then begins
  /// with the lowest address.
  public var stride: Int
  public var width: Int
  public var height: Int
  /// 8…16; samples of more than 8 bits take two bytes.
  public var bitDepth: Int
  public var range: Range

  public init(
    bytes: UnsafeRawBufferPointer, stride: Int, width: Int, height: Int, bitDepth: Int = 8, range: Range = .limited
  ) {
    self.bytes = bytes
    self.stride = stride
    self.width = width
    self.height = height
    self.bitDepth = bitDepth
    self.range = range
  }

  /// The first sample of the first row; nil if the plane does not lie within its memory.
  var base: UnsafePointer<UInt8>? {
    let sampleSize = bitDepth > 8 ? 2 : 1
    guard width > 0, height > 0, (8...16).contains(bitDepth), let start = bytes.baseAddress else { return nil }
    let (rowBytes, tooWide) = width.multipliedReportingOverflow(by: sampleSize)
    let (span, tooHigh) = (height - 1).multipliedReportingOverflow(by: stride.magnitude > Int.max ? Int.max : abs(stride))
    guard !tooWide, !tooHigh, rowBytes <= bytes.count, span <= bytes.count - rowBytes, abs(stride) >= rowBytes || height == 1
    else { return nil }
    guard sampleSize == 1 || (stride % 2 == 0 && Int(bitPattern: start) % 2 == 0) else { return nil }
    return (start + (stride < 0 ? span : 0)).assumingMemoryBound(to: UInt8.self)
  }
}
