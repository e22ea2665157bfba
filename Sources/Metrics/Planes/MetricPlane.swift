/// A view of one plane of a frame's samples, in memory that its owner keeps for as long as the view is used.
public struct MetricPlane {
  /// The first sample of the first row. Samples of more than 8 bits take two bytes, the low one first, at any address.
  public let bytes: UnsafeRawPointer
  /// The distance from one row to the next, in bytes. Below 0 where the rows lie upside down.
  public let stride: Int
  /// The samples in a row.
  public let width: Int
  /// The number of rows.
  public let height: Int
  /// The bits of a sample, 8 to 16. The bits above them must be 0.
  public let depth: Int

  public init(bytes: UnsafeRawPointer, stride: Int, width: Int, height: Int, depth: Int) {
    self.bytes = bytes
    self.stride = stride
    self.width = width
    self.height = height
    self.depth = depth
  }
}

/// A view of a frame: Y, U and V, or Y alone. U and V may have fewer samples than Y.
public struct MetricFrame {
  public let planes: [MetricPlane]
  private let owner: AnyObject?

  /// - Parameter owner: what the memory belongs to, which lives as long as the view. Without one, the caller sees to that.
  public init(_ planes: [MetricPlane], owner: AnyObject? = nil) {
    self.planes = planes
    self.owner = owner
  }
}

extension MetricPlane {
  var bytesPerSample: Int { depth > 8 ? 2 : 1 }
  var sampleCount: Int { width * height }

  /// The plane without its first rows and columns.
  func dropping(columns: Int, rows: Int) -> MetricPlane {
    MetricPlane(
      bytes: bytes + rows * stride + columns * bytesPerSample, stride: stride, width: width - columns, height: height - rows,
      depth: depth)
  }
}
